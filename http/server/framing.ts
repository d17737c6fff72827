// Rules for requests on the wire, for both servers: bounds, and defenses against request smuggling,
// so that a proxy and our parser never disagree on a request's end. Stricter than either parser:
// uWebSockets.js 20.51 takes the first of two different content-lengths, reads `xchunked` as
// chunked and an empty length as none, and misreads chunk extensions.

import type { Bytes, Millis } from '../../engine/base/brand.ts';
import type { Refusal } from './exchange.ts';

/** The longest body accepted by default (spec: 1 MiB). */
export const bodyBytesMaxDefault: Bytes = 1_048_576;
/**
 * Bytes of a refused body read before closing, so that the client sees the response: half as many
 * again as the largest body that a route takes, a file of 10 MiB.
 */
export const discardBytesMax: Bytes = 16 * 1_048_576;
/** Request line and headers. */
export const headBytesMax: Bytes = 8192;
/** uWebSockets.js keeps 100 slots, two of them for itself. */
export const headerCountMax = 98;
/** A larger response is written in pieces instead of being copied into the socket's buffer. */
export const wholeAnswerBytesMax: Bytes = 65_536;

/** Time limits of node:http; uWebSockets.js has its own (10 s; 16 KiB a second for bodies). */
export const headTimeoutMs: Millis = 10_000;
/** How often node:http checks an incoming body's pace: 16 KiB a second, as on the other server. */
export const bodyPaceMs: Millis = 10_000;
export const bodyPaceBytes: Bytes = 160 * 1024;
/** From a request's first byte to its body's last: 1 MiB at about 16 KiB a second. */
export const requestTimeoutMs: Millis = 65_000;
/** A connection's idle time between requests. */
export const keepAliveMs: Millis = 10_000;
/** How long a client may leave a chunk unread (node:http; about 10 s on the other server). */
export const stalledReaderMs: Millis = 30_000;

export type Framing =
  | { readonly kind: 'none' }
  | { readonly kind: 'sized'; readonly bytes: Bytes }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'refused'; readonly why: Refusal };

const none: Framing = { kind: 'none' };
const chunked: Framing = { kind: 'chunked' };
const digits = /^[0-9]{1,15}$/;

/**
 * The body's length, or the refusal of request and connection. `lengths` and `encodings` count the
 * `content-length` and `transfer-encoding` fields; the values are the first ones'. Source: RFC
 * 9112, section 6.3. Refuses GET and HEAD with chunks (RFC 9110, section 9.3.1 allows that).
 */
export function framingOf(
  method: string,
  lengths: number,
  length: string,
  encodings: number,
  encoding: string,
): Framing {
  if (encodings === 0) {
    if (lengths === 0) return none;
    if (lengths > 1 || !digits.test(length))
      return malformed('content-length must be a single whole number');
    const bytes = Number(length);
    return bytes === 0 ? none : { kind: 'sized', bytes };
  }
  if (lengths > 0) return malformed('send either content-length or transfer-encoding, not both');
  if (encodings > 1 || encoding.toLowerCase() !== 'chunked') {
    return malformed('transfer-encoding must be chunked and nothing else');
  }
  if (method === 'GET' || method === 'HEAD')
    return malformed(`${method} must not have a chunked body`);
  return chunked;
}

export function tooLarge(bytesMax: Bytes): Refusal {
  return {
    status: 413,
    code: 'body_too_large',
    message: `the body is larger than ${bytesMax} bytes`,
  };
}

/** All that a client learns about a bug. */
export const internalError: Refusal = { status: 500, code: 'internal', message: 'internal error' };

function malformed(message: string): Framing {
  return { kind: 'refused', why: { status: 400, code: 'invalid', message } };
}
