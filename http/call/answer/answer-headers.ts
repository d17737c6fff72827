// The headers of every response: of routes, `/e`, the reference and the server itself.

import type { HeaderList, HttpRequest } from '../../server/exchange.ts';
import type { Edge } from '../edge.ts';

type Header = HeaderList[number];

export const jsonType: Header = ['content-type', 'application/json; charset=utf-8'];

/** Whether pages of any origin may call this path: only what keyless clients use. */
export function isOpenToPages(path: string): boolean {
  return path === '/e' || path.startsWith('/v1/sdk/');
}

/** CORS headers that let any page read a response, never with credentials. */
export const openToPages: HeaderList = [
  ['access-control-allow-origin', '*'],
  [
    'access-control-expose-headers',
    'etag, retry-after, x-engage-warnings, x-idempotent-replay, x-request-id',
  ],
];

/** A CORS preflight's response. Browsers cache it for at most a day, some for less. */
export function preflightHeaders(path: string): HeaderList {
  return [
    ...openToPages,
    ['access-control-allow-methods', path === '/e' ? 'POST' : 'GET, POST, PUT'],
    [
      'access-control-allow-headers',
      'authorization, content-type, idempotency-key, if-none-match, x-engage-strict, x-request-id',
    ],
    ['access-control-max-age', '86400'],
  ];
}

const saneRequestId = /^[\x21-\x7e]{1,128}$/;

/** The caller's request id if valid, else a new one, even if the head could not be parsed. */
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
