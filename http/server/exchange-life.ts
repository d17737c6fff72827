// One HTTP exchange on either server: handler, body, then one response or a disconnect. It keeps
// the guarantees of http/server/exchange.ts and catches what handlers, sinks and listeners throw;
// subclasses only move bytes. `done`: the response was given. `over`: it was sent, or the
// connection ended.

import { AssertionFailed } from '../../engine/base/assert.ts';
import type { Bytes } from '../../engine/base/brand.ts';
import {
  assertHeaders,
  type BodySink,
  type HeaderList,
  type HttpRequest,
  type HttpResponder,
  type HttpResponse,
  type HttpServerOptions,
  plainRefusal,
  type Refusal,
} from './exchange.ts';
import { type Framing, internalError, tooLarge } from './framing.ts';

export interface ExchangeHost {
  readonly options: HttpServerOptions;
  readonly bodyBytesMax: Bytes;
  /** Responses should close their connections. */
  readonly draining: boolean;
}

export const noBody = Buffer.alloc(0);

export function isBodiless(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Request and responder in one object: one allocation per request. Each server extends it. */
export abstract class ExchangeLife<Host extends ExchangeHost>
  implements HttpRequest, HttpResponder
{
  // Declared here, set by the constructor: a base class's field initializers run for every request
  // and took 11 of the 51 ns of a small GET (here and in http/server/uws-exchange.ts).
  declare readonly method: string;
  declare readonly path: string;
  declare readonly query: string;
  declare bodyBytesMax: Bytes;
  declare aborted: boolean;
  declare done: boolean;
  declare protected readonly host: Host;
  /** The sink that still waits for the body. */
  declare protected sink: BodySink | undefined;
  /** `end` was called; earlier writes may still be pending. */
  declare protected ending: boolean;
  declare private streaming: boolean;
  declare private drainListener: (() => void) | undefined;
  declare private abortListener: (() => void) | undefined;

  constructor(host: Host, method: string, path: string, query: string) {
    this.host = host;
    this.method = method;
    this.path = path;
    this.query = query;
    this.bodyBytesMax = host.bodyBytesMax;
    this.aborted = false;
    this.done = false;
    this.sink = undefined;
    this.ending = false;
    this.streaming = false;
    this.drainListener = undefined;
    this.abortListener = undefined;
  }

  abstract header(name: string): string;
  abstract has(name: string): boolean;
  abstract headers(): Readonly<Record<string, string>>;
  abstract readonly remoteAddress: string;
  protected abstract sendWhole(
    status: number,
    headers: HeaderList,
    body: HttpResponse['body'],
  ): void;
  protected abstract sendHead(status: number, headers: HeaderList): void;
  /** Sends a non-empty piece. False if the client reads more slowly. */
  protected abstract sendPiece(chunk: string | Uint8Array): boolean;
  protected abstract sendEnd(): void;
  protected abstract cutOff(): void;
  /** The server has finished with the exchange. Notifies the host, once. */
  protected abstract over(): void;

  protected handle(framing: Framing): void {
    let sink: BodySink | undefined;
    try {
      sink = this.host.options.handler(this, this);
    } catch (error) {
      this.fail(error);
    }
    if (sink === undefined) return;
    if (framing.kind === 'none' || isBodiless(this.method)) this.deliver(sink, noBody);
    else if (this.done) return;
    else if (framing.kind === 'sized' && framing.bytes > this.bodyBytesMax) this.refuseBody();
    else this.sink = sink;
  }

  protected deliver(sink: BodySink, body: Buffer): void {
    if (this.aborted) return;
    try {
      const result = sink(body);
      if (result instanceof Promise) result.catch((error: unknown) => this.fail(error));
    } catch (error) {
      this.fail(error);
    }
  }

  protected refuseBody(): void {
    this.sink = undefined;
    if (!this.done) this.refuse(tooLarge(this.bodyBytesMax));
  }

  protected refuse(why: Refusal): void {
    let answer: HttpResponse;
    try {
      answer = (this.host.options.refuse ?? plainRefusal)(why, this);
      assertHeaders(answer.headers);
    } catch (error) {
      this.host.options.onError(error, this);
      answer = plainRefusal(why);
    }
    this.send(answer.status, answer.headers, answer.body);
  }

  /** Answers 500 if possible, else cuts the connection: half a response must not look whole. */
  private fail(error: unknown): void {
    this.host.options.onError(error, this);
    if (!this.done) this.refuse(internalError);
    else this.cut();
  }

  /** The client disconnected before the response was complete. Called at most once. */
  protected gone(): void {
    this.aborted = true;
    this.done = true;
    this.sink = undefined;
    this.drainListener = undefined;
    this.over();
    const listener = this.abortListener;
    this.abortListener = undefined;
    if (listener !== undefined) this.guarded(listener);
  }

  onAborted(listener: () => void): void {
    if (this.aborted) {
      listener();
      return;
    }
    const before = this.abortListener;
    this.abortListener =
      before === undefined
        ? listener
        : () => {
            before();
            listener();
          };
  }

  send(status: number, headers: HeaderList, body: string | Uint8Array): void {
    if (this.claim(headers)) this.sendWhole(status, headers, body);
  }

  begin(status: number, headers: HeaderList): void {
    if (!this.claim(headers)) return;
    this.streaming = true;
    this.sendHead(status, headers);
  }

  write(chunk: string | Uint8Array): boolean {
    if (this.aborted || this.method === 'HEAD' || chunk.length === 0) return true;
    if (!this.streaming || this.ending) throw new AssertionFailed('write outside of begin and end');
    return this.sendPiece(chunk);
  }

  onDrain(listener: () => void): void {
    this.drainListener = listener;
  }

  cut(): void {
    if (this.streaming && !this.ending && !this.aborted) this.cutOff();
  }

  end(): void {
    if (this.aborted || this.ending) return;
    if (!this.streaming) throw new AssertionFailed('end before begin');
    this.ending = true;
    this.sendEnd();
  }

  /** False if the client has disconnected. */
  private claim(headers: HeaderList): boolean {
    if (this.aborted) return false;
    if (this.done) throw new AssertionFailed('a request was answered twice');
    assertHeaders(headers);
    this.done = true;
    return true;
  }

  /** There is room again after `write` returned false. */
  protected drained(): void {
    if (this.drainListener !== undefined) this.guarded(this.drainListener);
  }

  private guarded(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.fail(error);
    }
  }
}
