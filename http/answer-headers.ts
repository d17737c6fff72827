// Headers that no answer is without, whoever gives it: a route, `/e`, the reference, or the server
// itself refusing a request that no handler could judge.

import type { Edge } from './edge.ts';
import type { HeaderList, HttpRequest } from './exchange.ts';

type Header = HeaderList[number];

/** The type of every answer in JSON. */
export const jsonType: Header = ['content-type', 'application/json; charset=utf-8'];

/**
 * Whether any page may call this path and read the answer: what keyless clients use, and nothing
 * else.
 */
export function isOpenToPages(path: string): boolean {
  return path === '/e' || path.startsWith('/v1/sdk/');
}

/**
 * What lets any page read an answer, and the headers of it that mean something to a page. Never
 * with credentials.
 */
export const openToPages: HeaderList = [
  ['access-control-allow-origin', '*'],
  ['access-control-expose-headers', 'retry-after, x-request-id'],
];

/**
 * The answer to a page that asks whether it may call. A day is as long as browsers believe it, and
 * some less.
 */
export function preflightHeaders(path: string): HeaderList {
  return [
    ...openToPages,
    ['access-control-allow-methods', path === '/e' ? 'POST' : 'GET, POST, PUT'],
    ['access-control-allow-headers', 'authorization, content-type, x-request-id'],
    ['access-control-max-age', '86400'],
  ];
}

const saneRequestId = /^[\x21-\x7e]{1,128}$/;

/**
 * The caller's own id of the request where it sent a sane one, else a new one; also where no head
 * could be read.
 */
export function requestIdOf(edge: Pick<Edge, 'rng'>, request: HttpRequest | undefined): string {
  const sent = request?.header('x-request-id') ?? '';
  if (saneRequestId.test(sent)) return sent;
  const { rng } = edge;
  return `req_${rng.uint32().toString(36)}${rng.uint32().toString(36)}`;
}

/** A fresh list to add to. */
export function answerHeaders(edge: Pick<Edge, 'config'>, requestId: string): Header[] {
  const headers: Header[] = [['x-request-id', requestId]];
  if (edge.config.mode === 'sandbox') headers.push(['x-engage-mode', 'sandbox']);
  return headers;
}
