// One HTTP request and its response, as the code above the socket sees them, and the server that
// makes them. Both servers (http/uws-server.ts, http/node-server.ts) implement these types, and one
// test suite covers both. A response after the client has disconnected is a no-op; a second
// response is a bug.

import { AssertionFailed } from '../engine/base/assert.ts';
import type { Bytes, Millis } from '../engine/base/brand.ts';

/**
 * Response headers in the order they go out; names lower-case, values printable ASCII (anything
 * else throws).
 */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** The head of a request. Everything except `remoteAddress` may be read at any time. */
export interface HttpRequest {
  /** As sent; methods are case-sensitive, so `get` is not `GET`. */
  readonly method: string;
  /** From the first slash to `?`, not percent-decoded, with dots and doubled slashes unchanged. */
  readonly path: string;
  /** The part after `?`, not decoded; empty if there is none. */
  readonly query: string;
  /**
   * The value of a header by its lower-case name, or `''`. The values of a repeated header are
   * joined by `, ` in order, so that nobody can hide a second `x-forwarded-for` or `authorization`
   * behind the first. Bytes beyond ASCII are read as UTF-8, but one server drops them at either end
   * of a value: rely on ASCII only.
   */
  header(name: string): string;
  /** Whether a header was sent, by its lower-case name; an empty value counts. */
  has(name: string): boolean;
  /**
   * The peer's address as text: dotted IPv4 (also for IPv4-mapped IPv6), or shortest IPv6. The
   * first read looks it up, so read it before the response; after the response it is `''` if it was
   * never read.
   */
  readonly remoteAddress: string;
}

/** The response to one request: either one `send`, or `begin`, any number of `write`s and `end`. */
export interface HttpResponder {
  /** The client disconnected, or the server closed, before the response was complete. */
  readonly aborted: boolean;
  /** No more response is possible: `send` or `begin` was called, or the client disconnected. */
  readonly done: boolean;
  /**
   * Calls `listener` once if the client disconnects before the response is complete, or at once if
   * it already has.
   */
  onAborted(listener: () => void): void;
  /**
   * Sends a whole response. The server adds `content-length` and `date`. HEAD, 204 and 304 send no
   * body. No-op after an abort. Throws AssertionFailed for a second response or a header that is
   * not ASCII.
   */
  send(status: number, headers: HeaderList, body: string | Uint8Array): void;
  /** Starts a chunked response of unknown length. The rules of `send` apply. */
  begin(status: number, headers: HeaderList): void;
  /**
   * Writes a piece, which is copied before this returns. `false` means that the client reads more
   * slowly: wait for `onDrain`, or writes pile up in memory. `true` after an abort, so that loops
   * end by `aborted`.
   */
  write(chunk: string | Uint8Array): boolean;
  /** Sets the listener for room after a `write` that returned `false`. */
  onDrain(listener: () => void): void;
  /**
   * Ends the connection in the middle of a chunked response, so that half of it does not look
   * whole. Otherwise a no-op.
   */
  cut(): void;
  /**
   * Completes a chunked response. The request counts as in flight until the system has accepted the
   * last byte.
   */
  end(): void;
}

/**
 * Receives the whole body, once, at most `bodyBytesMax` bytes. The receiver owns the bytes, but
 * small bodies may share an ArrayBuffer: copy before a transfer. A throw or rejection answers 500.
 */
export type BodySink = (body: Buffer) => void | Promise<void>;

/**
 * Called with the head, before any of the body is read. Return a sink to collect the body; it gets
 * no bytes at once if there is no body, and for GET and HEAD. Return nothing if the body is not
 * needed: it is discarded. May respond now or later. A throw answers 500.
 */
export type HttpHandler = (request: HttpRequest, response: HttpResponder) => BodySink | undefined;

/** A response as a value. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: string | Uint8Array;
}

/**
 * Why the server itself refuses a request before any handler. `code` is one of `actors/faults.ts`.
 */
export interface Refusal {
  readonly status: 400 | 408 | 413 | 431 | 500;
  readonly code: 'invalid' | 'body_too_large' | 'internal';
  /** Public; becomes `{error}`. */
  readonly message: string;
}

export interface HttpServerOptions {
  readonly handler: HttpHandler;
  /**
   * Receives what a handler or sink threw; the client only sees "internal error". Must not throw.
   */
  readonly onError: (error: unknown, request: HttpRequest | undefined) => void;
  /**
   * Makes the response of a refusal, so that it looks like every other error. The request is
   * undefined if its head never parsed.
   */
  readonly refuse?: (refusal: Refusal, request: HttpRequest | undefined) => HttpResponse;
  /** The longest body accepted; 1,048,576 by default. */
  readonly bodyBytesMax?: Bytes;
  /** Paths of PEM files. With them every listener accepts only TLS. */
  readonly tls?: { readonly certFile: string; readonly keyFile: string };
}

export interface HttpServer {
  readonly kind: 'uws' | 'node';
  /** Requests whose head has arrived and whose response is not complete. */
  readonly inFlight: number;
  /**
   * Opens a listener and resolves to its port; port 0 picks a free one. Rejects if the port is in
   * use. May be called several times.
   */
  listen(host: string, port: number): Promise<number>;
  /** Stops accepting connections; open ones continue. */
  close(): void;
  /**
   * Stops accepting, responds with `connection: close`, waits up to `ms` for requests in flight,
   * then closes every connection. Resolves to whether all of them were answered. The server cannot
   * be used again.
   */
  drain(ms: Millis): Promise<boolean>;
}

/** `{"error", "code"}`: the form of a refusal unless `refuse` is given. */
export function plainRefusal(refusal: Refusal): HttpResponse {
  return {
    status: refusal.status,
    headers: [['content-type', 'application/json']],
    body: JSON.stringify({ error: refusal.message, code: refusal.code }),
  };
}

const unprintable = /[^\t\x20-\x7e]/;

/**
 * Rejects a response header that could start a new line, or that two readers could read
 * differently.
 */
export function assertHeaders(headers: HeaderList): void {
  for (const [name, value] of headers) {
    if (unprintable.test(value) || unprintable.test(name)) {
      throw new AssertionFailed(`response header ${JSON.stringify(name)} is not printable ASCII`);
    }
  }
}

/** Why a listener could not be opened, in one sentence. */
export function listenFailure(host: string, port: number, why: string): Error {
  return new Error(`cannot listen on ${host.includes(':') ? `[${host}]` : host}:${port}: ${why}`);
}
