// One request on uWebSockets.js and its answer, in one object. Nothing here may touch the native response after it
// ended or aborted: that throws, and a throw inside the library's callbacks ends the process, so everything that
// runs there is caught. Answers that close the connection wait for the next turn of the event loop: ended inside
// the parser's callback, the library would still serve what was pipelined behind the refused request.

import { STATUS_CODES } from 'node:http';
import { AssertionFailed } from '../engine/base/assert.ts';
import type { Bytes } from '../engine/base/brand.ts';
import { addressFromBytes } from './client-address.ts';
import {
  type Answer,
  assertHeaders,
  type BodySink,
  type HeaderList,
  type HttpRequest,
  type HttpResponder,
  type HttpServerOptions,
  plainRefusal,
  type Refusal,
} from './exchange.ts';
import {
  discardBytesMax,
  type Framing,
  internalError,
  tooLarge,
  wholeAnswerBytesMax,
} from './framing.ts';

/** What is used of the library's response. */
export interface NativeResponse {
  writeStatus(status: string): unknown;
  writeHeader(name: string, value: string): unknown;
  write(chunk: string | Uint8Array): boolean;
  end(body: string | Uint8Array, closeConnection: boolean): unknown;
  endWithoutBody(): unknown;
  tryEnd(rest: Uint8Array, totalSize: number): [taken: boolean, complete: boolean];
  cork(write: () => void): unknown;
  close(): unknown;
  onData(take: (chunk: ArrayBuffer, last: boolean) => void): unknown;
  onWritable(resume: (offset: number) => boolean): unknown;
  getRemoteAddress(): ArrayBuffer;
}

/** What an exchange needs of its server. */
export interface ExchangeHost {
  readonly options: HttpServerOptions;
  readonly bodyBytesMax: Bytes;
  /** Answers should close their connections. */
  readonly draining: boolean;
  /** The exchange is over: answered to the last byte, or aborted. Called exactly once. */
  finished(): void;
}

const noBody = Buffer.alloc(0);

/** Request and responder at once: one allocation a request. */
export class UwsExchange implements HttpRequest, HttpResponder {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  aborted = false;
  done = false;
  private readonly host: ExchangeHost;
  private readonly headers: readonly string[];
  private readonly framing: Framing;
  /** Undefined once nothing may touch it any more. */
  private native: NativeResponse | undefined;
  private address: string | undefined;
  private abortListener: (() => void) | undefined;

  private sink: BodySink | undefined;
  private body: Buffer | undefined;
  private received: Bytes = 0;
  /** No more of the body will come, or what comes does not matter. */
  private bodyOver: boolean;

  /** The connection ends with this answer. */
  private closing: boolean;
  /** A closing answer that waits for the end of the body. */
  private held: Answer | undefined;
  private streaming = false;
  private ending = false;
  private blocked = false;
  private drainListener: (() => void) | undefined;

  /** `headers` alternates names and values and belongs to the exchange from now on. */
  constructor(
    host: ExchangeHost,
    native: NativeResponse,
    method: string,
    path: string,
    query: string,
    headers: readonly string[],
    framing: Framing,
  ) {
    this.host = host;
    this.native = native;
    this.method = method;
    this.path = path;
    this.query = query;
    this.headers = headers;
    this.framing = framing;
    const kind = framing.kind;
    const endless =
      kind === 'sized' && framing.bytes > Math.max(discardBytesMax, host.bodyBytesMax);
    this.bodyOver = kind === 'none' || kind === 'refused' || endless || isBodiless(method);
    // The library's reading of chunks is loose enough for a proxy to see their end elsewhere, so that a
    // connection that carried some is not used again.
    this.closing = kind === 'chunked' || kind === 'refused' || endless || host.draining;
  }

  header(name: string): string {
    const list = this.headers;
    let value: string | undefined;
    for (let i = 0; i < list.length; i += 2) {
      if (list[i] === name) value = value === undefined ? list[i + 1] : `${value}, ${list[i + 1]}`;
    }
    return value ?? '';
  }

  get remoteAddress(): string {
    if (this.address === undefined) {
      if (this.native === undefined) return '';
      this.address = addressFromBytes(new Uint8Array(this.native.getRemoteAddress()));
    }
    return this.address;
  }

  /** Runs the handler and reads the body as it says. Called once, inside the parser's callback. */
  start(): void {
    const framing = this.framing;
    if (framing.kind === 'refused') {
      this.refuse(framing.why);
      return;
    }
    let sink: BodySink | undefined;
    try {
      sink = this.host.options.handler(this, this);
    } catch (error) {
      this.fail(error);
    }
    if (framing.kind === 'none' || isBodiless(this.method)) {
      if (sink !== undefined) this.deliver(sink, noBody);
      return;
    }
    if (sink !== undefined && !this.done) {
      if (framing.kind === 'sized' && framing.bytes > this.host.bodyBytesMax) {
        this.refuse(tooLarge(this.host.bodyBytesMax));
      } else {
        this.sink = sink;
      }
    }
    // Nobody wants the body: the library throws it away by itself, unless a closing answer waits for its end.
    if (this.sink === undefined && (this.bodyOver || !this.closing)) return;
    this.native?.onData((chunk, last) => this.receive(chunk, last));
  }

  private receive(chunk: ArrayBuffer, last: boolean): void {
    const before = this.received;
    this.received += chunk.byteLength;
    if (this.sink !== undefined) {
      if (this.received > this.host.bodyBytesMax) {
        this.sink = undefined;
        this.body = undefined;
        if (!this.done) this.refuse(tooLarge(this.host.bodyBytesMax));
      } else {
        this.keep(chunk, before);
      }
    }
    if (!last && this.received <= discardBytesMax) return;
    this.bodyOver = true;
    const { sink, body } = this;
    this.sink = undefined;
    this.body = undefined;
    if (sink !== undefined) this.deliver(sink, body?.subarray(0, this.received) ?? noBody);
    if (this.held !== undefined) this.sendNextTurn(this.held);
  }

  /** Copies a piece, for the library takes its memory back when the callback returns. */
  private keep(chunk: ArrayBuffer, before: Bytes): void {
    if (chunk.byteLength === 0) return;
    let body = this.body;
    if (body === undefined || body.length < this.received) {
      // Grows by doubling and never reserves a declared length at once, since declaring costs nothing.
      const bound = this.framing.kind === 'sized' ? this.framing.bytes : this.host.bodyBytesMax;
      const room = this.received === bound ? bound : Math.max(65_536, this.received * 2);
      const larger = Buffer.allocUnsafe(Math.min(bound, room));
      if (body !== undefined) body.copy(larger, 0, 0, before);
      this.body = body = larger;
    }
    body.set(new Uint8Array(chunk), before);
  }

  private deliver(sink: BodySink, body: Buffer): void {
    if (this.aborted) return;
    try {
      const result = sink(body);
      if (result instanceof Promise) result.catch((error: unknown) => this.fail(error));
    } catch (error) {
      this.fail(error);
    }
  }

  /** The client gets a 500 if it can still get anything, and half an answer must not look like a whole one. */
  private fail(error: unknown): void {
    this.host.options.onError(error, this);
    if (!this.done) this.refuse(internalError);
    else if (this.streaming && !this.ending) this.native?.close();
  }

  private refuse(why: Refusal): void {
    let answer: Answer;
    try {
      answer = (this.host.options.refuse ?? plainRefusal)(why, this);
      assertHeaders(answer.headers);
    } catch (error) {
      this.host.options.onError(error, this);
      answer = plainRefusal(why);
    }
    this.send(answer.status, answer.headers, answer.body);
  }

  /** The client went, the body came too slowly, or a request was pipelined before this one was answered. */
  abort(): void {
    this.aborted = true;
    this.done = true;
    this.sink = undefined;
    this.body = undefined;
    this.held = undefined;
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
    if (!this.claim(headers)) return;
    const answer: Answer = { status, headers, body };
    if (!this.closing) {
      this.sendNow(answer);
    } else if (this.bodyOver) {
      this.sendNextTurn(answer);
    } else {
      // Closing on unread bytes resets the connection, and the client might never see why it was refused.
      this.held = answer;
    }
  }

  begin(status: number, headers: HeaderList): void {
    if (!this.claim(headers)) return;
    this.streaming = true;
    this.inCork((native) => {
      this.writeHead(native, status, headers);
      if (this.closing) native.writeHeader('connection', 'close');
    });
  }

  write(chunk: string | Uint8Array): boolean {
    if (this.aborted || this.method === 'HEAD' || chunk.length === 0) return true;
    if (!this.streaming || this.ending) throw new AssertionFailed('write outside of begin and end');
    this.inCork((native) => {
      if (native.write(chunk) || this.blocked) return;
      this.blocked = true;
      native.onWritable(() => this.writable());
    });
    return !this.blocked;
  }

  onDrain(listener: () => void): void {
    this.drainListener = listener;
  }

  end(): void {
    if (this.aborted || this.ending) return;
    if (!this.streaming) throw new AssertionFailed('end before begin');
    this.ending = true;
    if (this.blocked) return; // when the socket has room again
    if (this.closing) setImmediate(() => this.endNow());
    else this.endNow();
  }

  private writable(): boolean {
    this.blocked = false;
    if (this.ending) this.endNow();
    else if (this.drainListener !== undefined) this.guarded(this.drainListener);
    return true;
  }

  private endNow(): void {
    this.inCork((native) => {
      if (this.method === 'HEAD') native.endWithoutBody();
      else native.end('', this.closing);
      this.over();
    });
  }

  /** Takes the right to answer; false when the client has gone. */
  private claim(headers: HeaderList): boolean {
    if (this.aborted) return false;
    if (this.done) throw new AssertionFailed('a request was answered twice');
    assertHeaders(headers);
    this.done = true;
    if (this.host.draining && this.bodyOver) this.closing = true;
    return true;
  }

  private sendNextTurn(answer: Answer): void {
    this.held = undefined;
    setImmediate(() => this.sendNow(answer));
  }

  private sendNow(answer: Answer): void {
    if (this.native === undefined) return;
    corkedExchange = this;
    corkedAnswer = answer;
    this.native.cork(writeCorked);
  }

  /** Writes a whole answer. Runs inside a cork, so that it leaves in one piece. */
  writeAnswer(answer: Answer): void {
    const { status, headers, body } = answer;
    const native = this.native;
    if (native === undefined) return;
    const bodiless = status === 204 || status === 304;
    this.writeHead(native, status, headers);
    if (this.method === 'HEAD') {
      // As a header of ours: with the length as an argument, `endWithoutBody` waits for so many bytes.
      if (!bodiless) native.writeHeader('content-length', String(byteLength(body)));
      if (this.closing) native.writeHeader('connection', 'close');
      native.endWithoutBody();
    } else if (bodiless) {
      if (this.closing) native.end('', true);
      else native.endWithoutBody();
    } else if (this.closing || body.length <= wholeAnswerBytesMax) {
      native.end(body, this.closing);
    } else if (!this.sendLarge(native, typeof body === 'string' ? Buffer.from(body) : body)) {
      return;
    }
    this.over();
  }

  /** Gives the socket what it takes, and the rest as it drains, rather than a copy of all of it. True when all is taken. */
  private sendLarge(native: NativeResponse, body: Uint8Array): boolean {
    const [, complete] = native.tryEnd(body, body.byteLength);
    if (complete) return true;
    native.onWritable((offset) => {
      const [taken, ended] = native.tryEnd(body.subarray(offset), body.byteLength);
      if (ended) this.over();
      return taken;
    });
    return false;
  }

  private writeHead(native: NativeResponse, status: number, headers: HeaderList): void {
    if (status !== 200) native.writeStatus(statusLine(status)); // 200 is what it writes by itself
    for (const [name, value] of headers) native.writeHeader(name, value);
  }

  private inCork(write: (native: NativeResponse) => void): void {
    const native = this.native;
    if (native !== undefined) native.cork(() => write(native));
  }

  private guarded(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.fail(error);
    }
  }

  private over(): void {
    if (this.native === undefined) return;
    this.native = undefined;
    this.host.finished();
  }
}

// A cork runs its callback at once, so these two stand in for a closure for every answer.
let corkedExchange: UwsExchange | undefined;
let corkedAnswer: Answer | undefined;

function writeCorked(): void {
  const exchange = corkedExchange;
  const answer = corkedAnswer;
  corkedExchange = undefined;
  corkedAnswer = undefined;
  if (exchange !== undefined && answer !== undefined) exchange.writeAnswer(answer);
}

/** Methods whose bodies mean nothing. */
function isBodiless(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

function byteLength(body: string | Uint8Array): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
}

const statusLines: string[] = [];

function statusLine(status: number): string {
  return (statusLines[status] ??= `${status} ${STATUS_CODES[status] ?? 'Unknown'}`);
}
