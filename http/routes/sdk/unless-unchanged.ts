// Answers that a client asks for again and again: with `If-None-Match`, an unchanged one is a 304
// without a body.

import { createHash } from 'node:crypto';
import type { Call } from '../../call/call.ts';

const charsOfTag = 22;

export const unchangedAnswer = {
  304: { description: 'Unchanged since the answer with the `ETag` of `If-None-Match`.' },
} as const;

export const unchangedHeaders = {
  'If-None-Match': 'The `ETag` of an earlier answer: if nothing has changed, the answer is a 304.',
} as const;

export const etagOfAnswer = { ETag: 'Send it back as `If-None-Match`.' } as const;

export function unlessUnchanged<Body>(call: Call<unknown, unknown>, body: Body) {
  const digest = createHash('sha256').update(JSON.stringify(body)).digest('base64url');
  const etag = `"${digest.slice(0, charsOfTag)}"`;
  const headers = [['etag', etag]] as const;
  // A proxy that packs an answer may mark its tag as weak.
  const known = (call.header('if-none-match') ?? '').replace(/^W\//, '');
  return known === etag ? { status: 304, headers } : { status: 200, body, headers };
}
