// One HTTP request and its response, as the code above the socket sees them, and their server. Both
// servers implement these types (uws-server.ts, node-server.ts); one test suite covers both. A
// response after a disconnect is a no-op; a second response is a bug.

import { AssertionFailed } from '../../engine/base/assert.ts';
import type { Bytes, Millis } from '../../engine/base/brand.ts';

/** In sending order; names lower-case, values printable ASCII (anything else throws). */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** A request's head. Everything except `remoteAddress` may be read at any time. */
export interface HttpRequest {
  /** As sent; `get` is not `GET`. */
  readonly method: string;
  /** From the first slash to `?`, not percent-decoded, dots and doubled slashes unchanged. */
  readonly path: string;
  /** After `?`, not decoded; empty if there is none. */
  readonly query: string;
  /**
   * A header by its lower-case name, or `''`. Repeated headers are joined by `, ` in order, so that
   * nobody can hide a second `x-forwarded-for` or `authorization`. Rely on ASCII only: other bytes
   * are read as UTF-8, but one server drops them at either end of a value.
   */
  header(name: string): string;
  /** Whether a header was sent, by lower-case name; an empty value counts. */
  has(name: string): boolean;
  /** All headers by lower-case name, each as `header` reads it. */
  headers(): Readonly<Record<string, string>>;
  /** Dotted IPv4 (also if IPv4-mapped) or shortest IPv6; `''` if first read after the response. */
  readonly remoteAddress: string;
}

/** Either one `send`, or `begin`, any number of `write`s and `end`. */
export interface HttpResponder {
  /** The client disconnected, or the server closed, before the response was complete. */
  readonly aborted: boolean;
  /** `send` or `begin` was called, or the client disconnected. */
  readonly done: boolean;
  /** Calls `listener` once on a disconnect before the response is complete, even an earlier one. */
  onAborted(listener: () => void): void;
  /**
   * Sends a whole response with `content-length` and `date`. HEAD, 204 and 304 send no body. No-op
   * after an abort. Throws AssertionFailed for a second response or a header that is not ASCII.
   */
  send(status: number, headers: HeaderList, body: string | Uint8Array): void;
  /** The longest accepted body; a handler may raise it before it returns its sink. */
  bodyBytesMax?: Bytes;
  /** Starts a chunked response of unknown length. The rules of `send` apply. */
  begin(status: number, headers: HeaderList): void;
  /**
   * Writes a copy of a piece. `false`: the client reads more slowly, so wait for `onDrain`, or
   * writes pile up in memory. `true` after an abort, so that loops end by `aborted`.
   */
  write(chunk: string | Uint8Array): boolean;
  /** Called when there is room after a `write` that returned `false`. */
  onDrain(listener: () => void): void;
  /** Ends the connection within a chunked response, so half does not look whole; else a no-op. */
  cut(): void;
  /** Ends a chunked response. It counts as in flight until the system accepts the last byte. */
  end(): void;
}

/**
 * Receives the whole body once, at most `bodyBytesMax` bytes, and owns it. Small bodies may share
 * an ArrayBuffer: copy before a transfer. A throw or rejection answers 500.
 */
export type BodySink = (body: Buffer) => void | Promise<void>;

/**
 * Called with the head, before the body. Return a sink to collect the body (at once without bytes
 * for GET, HEAD or no body), or nothing to discard it. May respond now or later. A throw answers
 * 500.
 */
export type HttpHandler = (request: HttpRequest, response: HttpResponder) => BodySink | undefined;

export interface HttpResponse {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: string | Uint8Array;
}

/** Why the server refuses a request before any handler. `code` is one of `actors/faults.ts`. */
export interface Refusal {
  readonly status: 400 | 408 | 413 | 431 | 500;
  readonly code: 'invalid' | 'body_too_large' | 'internal';
  /** Public; becomes `{error}`. */
  readonly message: string;
}

export interface HttpServerOptions {
  readonly handler: HttpHandler;
  /** Receives what a handler or sink threw; clients only see "internal error". Must not throw. */
  readonly onError: (error: unknown, request: HttpRequest | undefined) => void;
  /** Makes a refusal's response, like other errors; no `request` if its head never parsed. */
  readonly refuse?: (refusal: Refusal, request: HttpRequest | undefined) => HttpResponse;
  /** The longest accepted body; default 1,048,576. */
  readonly bodyBytesMax?: Bytes;
  /** The most header fields of a request; default 98. Of the server on node:http. */
  readonly headersMax?: number;
  /** Paths of PEM files. With them every listener accepts only TLS. */
  readonly tls?: { readonly certFile: string; readonly keyFile: string };
}

export interface HttpServer {
  readonly kind: 'uws' | 'node';
  /** Requests with a complete head and an incomplete response. */
  readonly inFlight: number;
  /** Resolves to the port; 0 picks a free one. Rejects if in use. May be called repeatedly. */
  listen(host: string, port: number): Promise<number>;
  /** Stops accepting connections; open ones continue. */
  close(): void;
  /**
   * Stops accepting, responds with `connection: close`, waits up to `ms`, then closes every
   * connection. Resolves to whether all requests were answered. The server cannot be used again.
   */
  drain(ms: Millis): Promise<boolean>;
}

/** `{"error", "code"}`: the form of a refusal without `refuse`. */
export function plainRefusal(refusal: Refusal): HttpResponse {
  return {
    status: refusal.status,
    headers: [['content-type', 'application/json']],
    body: `${JSON.stringify({ error: refusal.message, code: refusal.code })}\n`,
  };
}

const unprintable = /[^\t\x20-\x7e]/;

/** Rejects a header that could start a new line, or that readers could interpret differently. */
export function assertHeaders(headers: HeaderList): void {
  for (const [name, value] of headers) {
    if (unprintable.test(value) || unprintable.test(name)) {
      throw new AssertionFailed(`response header ${JSON.stringify(name)} is not printable ASCII`);
    }
  }
}

export function listenFailure(host: string, port: number, why: string): Error {
  return new Error(`cannot listen on ${host.includes(':') ? `[${host}]` : host}:${port}: ${why}`);
}
