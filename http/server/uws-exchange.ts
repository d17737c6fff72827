// One request on uWebSockets.js and its response. Touching an ended native response throws, and a
// throw inside the library's callbacks ends the process, so all of it is caught
// (exchange-life.ts). Requests run at the end of the tick in which they are whole: the library
// ends the connection when another comes before the response, and then none of them may have run.
// Closing responses wait for the next turn of the event loop: inside the
// parser's callback the library would still serve requests pipelined after a refused one.

import { STATUS_CODES } from 'node:http';
import type { Bytes } from '../../engine/base/brand.ts';
import { bodyBuffers } from '../../engine/thread/body-buffers.ts';
import { addressFromBytes } from './client-address.ts';
import type { BodySink, HeaderList, HttpResponse } from './exchange.ts';
import { type ExchangeHost, ExchangeLife, isBodiless, noBody } from './exchange-life.ts';
import { discardBytesMax, type Framing, wholeAnswerBytesMax } from './framing.ts';
import type { UwsResponse } from './uws-library.ts';

interface UwsExchangeHost extends ExchangeHost {
  /** The whole response was sent, or it was aborted. Called exactly once. */
  finished(): void;
  /** Runs it at the end of the tick. */
  whole(exchange: UwsExchange): void;
}

/** One allocation per request. */
export class UwsExchange extends ExchangeLife<UwsExchangeHost> {
  private readonly list: readonly string[];
  private readonly framing: Framing;
  /** Undefined once nothing may touch it any more. */
  private native: UwsResponse | undefined;
  private address: string | undefined;

  private body: Buffer | undefined;
  private received: Bytes = 0;
  /** What runs at the end of the tick. */
  private due: BodySink | undefined;
  /** The rest of the body will not come, or does not matter. */
  private bodyOver: boolean;

  /** The connection closes after this response. */
  private closing: boolean;
  /** A closing response that waits for the end of the body. */
  private held: HttpResponse | undefined;
  private blocked = false;

  /** `headers` alternates names and values; the exchange owns it from now on. */
  constructor(
    host: UwsExchangeHost,
    native: UwsResponse,
    method: string,
    path: string,
    query: string,
    headers: readonly string[],
    framing: Framing,
  ) {
    super(host, method, path, query);
    this.native = native;
    this.list = headers;
    this.framing = framing;
    const kind = framing.kind;
    const endless =
      kind === 'sized' && framing.bytes > Math.max(discardBytesMax, host.bodyBytesMax);
    this.bodyOver = kind === 'none' || kind === 'refused' || endless || isBodiless(method);
    // The library reads chunks loosely and a proxy may disagree: never reuse the connection.
    this.closing = kind === 'chunked' || kind === 'refused' || endless || host.draining;
  }

  header(name: string): string {
    const list = this.list;
    let value: string | undefined;
    for (let i = 0; i < list.length; i += 2) {
      if (list[i] === name) value = value === undefined ? list[i + 1] : `${value}, ${list[i + 1]}`;
    }
    return value ?? '';
  }

  has(name: string): boolean {
    return this.list.some((text, i) => i % 2 === 0 && text === name);
  }

  headers(): Readonly<Record<string, string>> {
    const names = new Set(this.list.filter((_, i) => i % 2 === 0));
    return Object.fromEntries([...names].map((name) => [name, this.header(name)]));
  }

  get remoteAddress(): string {
    if (this.address === undefined) {
      if (this.native === undefined) return '';
      this.address = addressFromBytes(new Uint8Array(this.native.getRemoteAddress()));
    }
    return this.address;
  }

  /** Runs the handler and reads its body. Called once, inside the parser's callback. */
  start(): void {
    const framing = this.framing;
    if (framing.kind === 'refused') {
      this.refuse(framing.why);
      return;
    }
    this.handle(framing);
    // The library discards an unwanted body, unless a closing response waits for its end.
    if (this.sink === undefined && (this.bodyOver || !this.closing)) return;
    this.native?.onData((chunk, last) => this.receive(chunk, last));
  }

  private receive(chunk: ArrayBuffer, last: boolean): void {
    const before = this.received;
    this.received += chunk.byteLength;
    if (this.sink !== undefined) {
      if (this.received <= this.bodyBytesMax) {
        this.keep(chunk, before);
      } else {
        this.body = undefined;
        this.refuseBody();
      }
    }
    const most = this.sink === undefined ? discardBytesMax : this.bodyBytesMax;
    if (!last && this.received <= Math.max(discardBytesMax, most)) return;
    this.bodyOver = true;
    const { sink, body } = this;
    this.sink = undefined;
    this.body = undefined;
    if (sink !== undefined) this.deliver(sink, body?.subarray(0, this.received) ?? noBody);
    if (this.held !== undefined) this.sendNextTurn(this.held);
  }

  protected override deliver(sink: BodySink, body: Buffer): void {
    this.due = sink;
    this.body = body;
    this.host.whole(this);
  }

  /** Of a whole request that has not run. */
  get bodyBytes(): Bytes {
    return this.body?.byteLength ?? 0;
  }

  /** Runs a whole request, unless its connection has ended meanwhile. */
  run(): void {
    const { due, body } = this;
    this.due = undefined;
    this.body = undefined;
    if (due !== undefined && body !== undefined) super.deliver(due, body);
  }

  /** Copies a piece: the library reclaims its memory when the callback returns. */
  private keep(chunk: ArrayBuffer, before: Bytes): void {
    if (chunk.byteLength === 0) return;
    let body = this.body;
    if (body === undefined || body.length < this.received) {
      // Grows by doubling, never to a declared length at once, since declaring costs nothing.
      const bound = this.framing.kind === 'sized' ? this.framing.bytes : this.bodyBytesMax;
      const room = this.received === bound ? bound : Math.max(65_536, this.received * 2);
      const larger = bodyBuffers.take(Math.min(bound, room));
      if (body !== undefined) {
        body.copy(larger, 0, 0, before);
        bodyBuffers.give(body.buffer);
      }
      this.body = body = larger;
    }
    body.set(new Uint8Array(chunk), before);
  }

  /** A disconnect, a body that was too slow, or a request pipelined before this response. */
  abort(): void {
    this.body = undefined;
    this.due = undefined;
    this.held = undefined;
    this.gone();
  }

  protected cutOff(): void {
    this.native?.close();
  }

  protected sendWhole(status: number, headers: HeaderList, body: HttpResponse['body']): void {
    const answer: HttpResponse = { status, headers, body };
    if (!this.closes()) {
      this.sendNow(answer);
    } else if (this.bodyOver) {
      this.sendNextTurn(answer);
    } else {
      // Closing on unread bytes resets the connection, and the client might never see the refusal.
      this.held = answer;
    }
  }

  protected sendHead(status: number, headers: HeaderList): void {
    const closes = this.closes();
    this.inCork((native) => {
      this.writeHead(native, status, headers);
      if (closes) native.writeHeader('connection', 'close');
    });
  }

  protected sendPiece(chunk: string | Uint8Array): boolean {
    this.inCork((native) => {
      if (native.write(chunk) || this.blocked) return;
      this.blocked = true;
      native.onWritable(() => this.writable());
    });
    return !this.blocked;
  }

  protected sendEnd(): void {
    if (this.blocked) return; // until the socket has room again
    if (this.closing) setImmediate(() => this.endNow());
    else this.endNow();
  }

  private writable(): boolean {
    this.blocked = false;
    if (this.ending) this.endNow();
    else this.drained();
    return true;
  }

  private endNow(): void {
    this.inCork((native) => {
      if (this.method === 'HEAD') native.endWithoutBody();
      else native.end('', this.closing);
      this.over();
    });
  }

  /** Decides, when the response is given, whether the connection closes after it. */
  private closes(): boolean {
    if (this.host.draining && this.bodyOver) this.closing = true;
    return this.closing;
  }

  private sendNextTurn(answer: HttpResponse): void {
    this.held = undefined;
    setImmediate(() => this.sendNow(answer));
  }

  private sendNow(answer: HttpResponse): void {
    if (this.native === undefined) return;
    corkedExchange = this;
    corkedAnswer = answer;
    this.native.cork(writeCorked);
  }

  /** Writes a whole response, inside a cork so that it leaves in one piece. */
  writeAnswer(answer: HttpResponse): void {
    const { status, headers, body } = answer;
    const native = this.native;
    if (native === undefined) return;
    const bodiless = status === 204 || status === 304;
    this.writeHead(native, status, headers);
    if (this.method === 'HEAD') {
      // As a header: with a length argument, `endWithoutBody` would wait for that many bytes.
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

  /** Sends what the socket accepts and the rest as it drains, uncopied. True if all was sent. */
  private sendLarge(native: UwsResponse, body: Uint8Array): boolean {
    const [, complete] = native.tryEnd(body, body.byteLength);
    if (complete) return true;
    native.onWritable((offset) => {
      const [taken, ended] = native.tryEnd(body.subarray(offset), body.byteLength);
      if (ended) this.over();
      return taken;
    });
    return false;
  }

  private writeHead(native: UwsResponse, status: number, headers: HeaderList): void {
    if (status !== 200) native.writeStatus(statusLine(status)); // the library defaults to 200
    for (const [name, value] of headers) native.writeHeader(name, value);
  }

  private inCork(write: (native: UwsResponse) => void): void {
    const native = this.native;
    if (native !== undefined) native.cork(() => write(native));
  }

  protected over(): void {
    if (this.native === undefined) return;
    this.native = undefined;
    this.host.finished();
  }
}

// A cork runs its callback at once, so these two variables replace a closure per response.
let corkedExchange: UwsExchange | undefined;
let corkedAnswer: HttpResponse | undefined;

function writeCorked(): void {
  const exchange = corkedExchange;
  const answer = corkedAnswer;
  corkedExchange = undefined;
  corkedAnswer = undefined;
  if (exchange !== undefined && answer !== undefined) exchange.writeAnswer(answer);
}

function byteLength(body: string | Uint8Array): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
}

const statusLines: string[] = [];

function statusLine(status: number): string {
  return (statusLines[status] ??= `${status} ${STATUS_CODES[status] ?? 'Unknown'}`);
}
