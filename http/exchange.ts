// One HTTP request and its answer, as everything above the socket sees them, and the server that
// makes them. Both servers (http/uws-server.ts, http/node-server.ts) fill these types and one suite
// holds them to it. What a reader would get wrong: an answer after the client has gone is a no-op,
// a second answer is a bug.

import { AssertionFailed } from '../engine/base/assert.ts';
import type { Bytes, Millis } from '../engine/base/brand.ts';

/**
 * Response headers in the order they go out; names lower-case, values printable ASCII (anything
 * else throws).
 */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** The head of a request. Everything but `remoteAddress` may be read at any time. */
export interface HttpRequest {
  /** As sent; methods are case-sensitive, so `get` is not `GET`. */
  readonly method: string;
  /** From the first slash up to `?`, not percent-decoded, dots and doubled slashes untouched. */
  readonly path: string;
  /** What follows `?`, not decoded; empty when there is none. */
  readonly query: string;
  /**
   * The value of a header by its lower-case name, or `''`. A header sent several times reads as its
   * values in order, joined by `, `: so nobody can hide a second `x-forwarded-for` or
   * `authorization` behind the first. Bytes beyond ASCII are read as UTF-8, but one server drops
   * them at either end of a value: rely on ASCII only.
   */
  header(name: string): string;
  /** Whether a header was sent, by its lower-case name: one without a value was, too. */
  has(name: string): boolean;
  /**
   * The peer's address as text: dotted IPv4 (also for IPv4-mapped IPv6), or shortest IPv6. It is
   * looked up when first read, so read it before the answer; afterwards, if it never was, it is
   * `''`.
   */
  readonly remoteAddress: string;
}

/** The answer to one request: either one `send`, or `begin`, any number of `write`s and `end`. */
export interface HttpResponder {
  /** The client has gone (or the server was closed) before the answer was complete. */
  readonly aborted: boolean;
  /**
   * Nothing more can be answered: `send` or `begin` was called, by whomever, or the client has
   * gone.
   */
  readonly done: boolean;
  /**
   * Calls `listener` once if the client goes before the answer is complete; at once if it has gone
   * already.
   */
  onAborted(listener: () => void): void;
  /**
   * Sends a whole answer. `content-length` and `date` are the server's. To HEAD, and with 204 and
   * 304, the body stays behind. No-op after an abort; throws AssertionFailed on a second answer or
   * a header that is not ASCII.
   */
  send(status: number, headers: HeaderList, body: string | Uint8Array): void;
  /** Starts a chunked answer of unknown length. Same rules as `send`. */
  begin(status: number, headers: HeaderList): void;
  /**
   * Writes a piece (copied before it returns). `false` says that the client reads more slowly than
   * this: wait for `onDrain`, otherwise what is written piles up in memory. `true` after an abort,
   * so that loops end by `aborted`.
   */
  write(chunk: string | Uint8Array): boolean;
  /** Sets what is called each time there is room again after a `write` that returned `false`. */
  onDrain(listener: () => void): void;
  /**
   * Ends the connection in the middle of a chunked answer, so that half of it does not look whole.
   * Else a no-op.
   */
  cut(): void;
  /**
   * Completes a chunked answer; the request counts as in flight until the last byte was taken by
   * the system.
   */
  end(): void;
}

/**
 * Takes the whole body, once, at most `bodyBytesMax` bytes. The bytes are the receiver's own, but
 * those of a small body may share their ArrayBuffer with others: copy before a transfer. A throw or
 * rejection answers 500.
 */
export type BodySink = (body: Buffer) => void | Promise<void>;

/**
 * Called with the head, before any of the body was read. Return a sink to have the body collected
 * (at once, with no bytes, when there is none, and for GET and HEAD, whose bodies are thrown away);
 * return nothing when the answer does not need it: it is thrown away as it arrives. May answer now
 * or later; a throw answers 500.
 */
export type HttpHandler = (request: HttpRequest, response: HttpResponder) => BodySink | undefined;

/** An answer as a value. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: string | Uint8Array;
}

/**
 * Why the server itself refuses a request that no handler could judge. `code` is one of
 * `actors/faults.ts`.
 */
export interface Refusal {
  readonly status: 400 | 408 | 413 | 431 | 500;
  readonly code: 'invalid' | 'body_too_large' | 'internal';
  /** Public; becomes `{error}`. */
  readonly message: string;
}

export interface HttpServerOptions {
  readonly handler: HttpHandler;
  /** Told what a handler or sink threw; the client only learns "internal error". Must not throw. */
  readonly onError: (error: unknown, request: HttpRequest | undefined) => void;
  /**
   * Words a refusal, so that it looks like every other error. The request is undefined when its
   * head never parsed.
   */
  readonly refuse?: (refusal: Refusal, request: HttpRequest | undefined) => HttpResponse;
  /** The longest body taken; 1,048,576 unless told. */
  readonly bodyBytesMax?: Bytes;
  /** Paths of PEM files; with them every listener speaks TLS only. */
  readonly tls?: { readonly certFile: string; readonly keyFile: string };
}

export interface HttpServer {
  readonly kind: 'uws' | 'node';
  /** Requests whose head has arrived and whose answer is not complete. */
  readonly inFlight: number;
  /**
   * Opens a listener, port 0 for any free one, and resolves to its port. Rejects if another process
   * has it. May be called several times.
   */
  listen(host: string, port: number): Promise<number>;
  /** Stops accepting connections; those that are open go on. */
  close(): void;
  /**
   * Stops accepting, answers with `connection: close`, waits up to `ms` for the requests in flight,
   * then closes every connection. Resolves to whether all of them were answered. The server cannot
   * be used again.
   */
  drain(ms: Millis): Promise<boolean>;
}

/** `{"error", "code"}`, which is what every refusal looks like unless `refuse` says otherwise. */
export function plainRefusal(refusal: Refusal): HttpResponse {
  return {
    status: refusal.status,
    headers: [['content-type', 'application/json']],
    body: JSON.stringify({ error: refusal.message, code: refusal.code }),
  };
}

const unprintable = /[^\t\x20-\x7e]/;

/** Stops a response header that could start a new line, or be read differently by two readers. */
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
