// Serves `/openapi.json`, `/docs` and, for assistants, `/llms.txt` and `/docs/*.md`; redirects
// browsers from `/`. All are made on the first request and sent compressed with an ETag: the
// reference is one page of every route.

import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { answerHeaders } from '../call/answer/answer-headers.ts';
import type { AnsweredCall } from '../call/answer/answered-call.ts';
import type { Edge } from '../call/edge.ts';
import type { Special } from '../call/pipeline.ts';
import type { Route } from '../call/route.ts';
import type { HttpRequest, HttpResponder } from '../server/exchange.ts';
import { loadReferenceFiles, type ReferenceFile } from './docs-page.ts';
import { loadMarkdownPages } from './markdown-pages.ts';
import type { OpenApiDocument } from './openapi-types.ts';
import { describeApi } from './outside-routes.ts';

interface Sendable {
  readonly headers: readonly (readonly [string, string])[];
  readonly etag: string;
  readonly plain: Uint8Array;
  readonly zipped: Uint8Array;
}

/** Serves `/openapi.json`, `/docs` with its files, and `/` for browsers. */
export function referenceSpecials(
  edge: Edge,
  routes: readonly Route[],
  onAnswered: (call: AnsweredCall) => void,
): readonly Special[] {
  let files: ReadonlyMap<string, Sendable> | undefined;
  return [
    (request, response, requestId) => {
      if (!isBrowserAtTheDoor(request)) return undefined;
      response.send(302, [...answerHeaders(edge, requestId), ...toReference], '');
      onAnswered({ route: '/', method: request.method, status: 302, lane: 'none' });
      return { sink: undefined };
    },
    (request, response, requestId) => {
      if (!isReferencePath(request.path)) return undefined;
      if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
      files ??= makeFiles(describeApi(routes, edge.config.publicUrl));
      const file = files.get(request.path);
      if (file === undefined) return undefined;
      const startedMs = edge.clock.monotonic();
      const status = send(file, request, response, answerHeaders(edge, requestId));
      const durMs = edge.clock.monotonic() - startedMs;
      onAnswered({ route: request.path, method: request.method, status, lane: 'none', durMs });
      return { sink: undefined };
    },
  ];
}

const toReference = [
  ['location', '/docs'],
  ['vary', 'accept'],
] as const;

/** A browser that opens `/` gets the reference; programs get their 404. */
function isBrowserAtTheDoor(request: HttpRequest): boolean {
  if (request.path !== '/' || (request.method !== 'GET' && request.method !== 'HEAD')) return false;
  return /\btext\/html\b/.test(request.header('accept'));
}

function isReferencePath(path: string): boolean {
  return path === '/openapi.json' || path === '/llms.txt' || path.startsWith('/docs');
}

function makeFiles(document: OpenApiDocument): ReadonlyMap<string, Sendable> {
  const json: ReferenceFile = {
    path: '/openapi.json',
    headers: [['content-type', 'application/json; charset=utf-8']],
    text: `${JSON.stringify(document)}\n`,
  };
  const files = [json, ...loadReferenceFiles(document), ...loadMarkdownPages(document)];
  return new Map(files.map((file) => [file.path, sendable(file)]));
}

function sendable({ headers, text }: ReferenceFile): Sendable {
  const plain = Buffer.from(text);
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return {
    etag,
    plain,
    zipped: gzipSync(plain, { level: 9 }),
    headers: [
      ...headers,
      ['etag', etag],
      ['cache-control', 'no-cache'],
      ['vary', 'accept-encoding'],
      ['x-content-type-options', 'nosniff'],
    ],
  };
}

function send(
  file: Sendable,
  request: HttpRequest,
  response: HttpResponder,
  shared: readonly (readonly [string, string])[],
): 200 | 304 {
  const headers = [...shared, ...file.headers];
  if (request.header('if-none-match').split(/,\s*/).includes(file.etag)) {
    response.send(304, headers, '');
    return 304;
  }
  if (/\bgzip\b/.test(request.header('accept-encoding'))) {
    response.send(200, [...headers, ['content-encoding', 'gzip']], file.zipped);
    return 200;
  }
  response.send(200, headers, file.plain);
  return 200;
}
