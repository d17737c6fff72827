// What a request may look like on the wire, the same for both servers: bounds, and the rules
// against request smuggling. They exist because a proxy before Engage and the parser in it must
// never disagree on where a request ends. Measured with uWebSockets.js 20.51: of two different
// content-lengths it takes the first, `xchunked` counts as chunked, an empty length as none, and
// chunk extensions are misread. So this is stricter than either parser.

import type { Bytes, Millis } from '../engine/base/brand.ts';
import type { Refusal } from './exchange.ts';

/** The longest body accepted by default (spec: 1 MiB). */
export const bodyBytesMaxDefault: Bytes = 1_048_576;
/**
 * Bytes of a refused body that are read and discarded so that the client sees the response; then
 * the connection closes.
 */
export const discardBytesMax: Bytes = 8 * 1_048_576;
/** Request line and headers together. */
export const headBytesMax: Bytes = 8192;
/** Header fields of a request; uWebSockets.js keeps 100 slots, two of them for itself. */
export const headerCountMax = 98;
/** A larger response is written to the socket in pieces instead of being copied into its buffer. */
export const wholeAnswerBytesMax: Bytes = 65_536;

/**
 * Time limits of the node:http server; uWebSockets.js has its own (10 s, and 16 KiB a second for
 * bodies).
 */
export const headTimeoutMs: Millis = 10_000;
/**
 * How often the node:http server checks an incoming body, and how much must have arrived since: 16
 * KiB a second, as on the other server.
 */
export const bodyPaceMs: Millis = 10_000;
export const bodyPaceBytes: Bytes = 160 * 1024;
/** From the first byte of a request to the last of its body: 1 MiB at about 16 KiB a second. */
export const requestTimeoutMs: Millis = 65_000;
/** How long a connection may be idle between requests. */
export const keepAliveMs: Millis = 10_000;
/**
 * How long a client may leave a chunked response unread (node:http; about 10 s on the other
 * server).
 */
export const stalledReaderMs: Millis = 30_000;

/** What the headers say about the body. */
export type Framing =
  | { readonly kind: 'none' }
  | { readonly kind: 'sized'; readonly bytes: Bytes }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'refused'; readonly why: Refusal };

const none: Framing = { kind: 'none' };
const chunked: Framing = { kind: 'chunked' };
const digits = /^[0-9]{1,15}$/;

/**
 * The length of the body, or the refusal of the request and its connection. `lengths` and
 * `encodings` count the `content-length` and `transfer-encoding` fields; the values are those of
 * the first. Source: RFC 9112, section 6.3. Refuses GET and HEAD with chunks, as RFC 9110, section
 * 9.3.1 allows.
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

/** The refusal of a body that is too long. */
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
