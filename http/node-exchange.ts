// One request on node:http and its answer, in one object: the same rules as http/uws-exchange.ts on Node's streams.
// What a reader would get wrong: `finish` of a response says that the system took the last byte, and only then is
// the request no longer in flight; its `close` never comes for an answer queued behind one that was cut off.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { AssertionFailed } from '../engine/base/assert.ts';
import type { Bytes } from '../engine/base/brand.ts';
import { normalAddress } from './client-address.ts';
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
  bodyPaceBytes,
  bodyPaceMs,
  discardBytesMax,
  type Framing,
  framingOf,
  headerCountMax,
  internalError,
  stalledReaderMs,
  tooLarge,
} from './framing.ts';

/** What an exchange needs of its server. */
export interface NodeExchangeHost {
  readonly options: HttpServerOptions;
  readonly bodyBytesMax: Bytes;
  /** Answers should close their connections. */
  readonly draining: boolean;
  /** The exchange is over: answered to the last byte, or aborted. Called exactly once. */
  finished(exchange: NodeExchange, socket: Duplex): void;
  /** Nothing that follows on this connection is to be read as a request. */
  refuseRest(socket: Duplex): void;
}

const noBody = Buffer.alloc(0);

/** Request and responder at once. */
export class NodeExchange implements HttpRequest, HttpResponder {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  aborted = false;
  done = false;
  private readonly host: NodeExchangeHost;
  private readonly request: IncomingMessage;
  private readonly response: ServerResponse;
  private readonly socket: Duplex;
  private address: string | undefined;
  private abortListener: (() => void) | undefined;
  private isOver = false;

  private sink: BodySink | undefined;
  private readonly pieces: Buffer[] = [];
  private received: Bytes = 0;
  private pace: NodeJS.Timeout | undefined;
  private stall: NodeJS.Timeout | undefined;

  private closing: boolean;
  private streaming = false;
  private ending = false;
  private drainListener: (() => void) | undefined;

  constructor(host: NodeExchangeHost, request: IncomingMessage, response: ServerResponse) {
    this.host = host;
    this.request = request;
    this.response = response;
    this.socket = request.socket;
    this.method = request.method ?? '';
    const target = utf8(request.url ?? '');
    const mark = target.indexOf('?');
    this.path = mark < 0 ? target : target.slice(0, mark);
    this.query = mark < 0 ? '' : target.slice(mark + 1);
    this.closing = host.draining;
    response.once('finish', () => this.over());
  }

  header(name: string): string {
    const value = this.request.headers[name];
    if (value === undefined) return '';
    return utf8(typeof value === 'string' ? value : value.join(', '));
  }

  get remoteAddress(): string {
    this.address ??= normalAddress(this.request.socket.remoteAddress ?? '');
    return this.address;
  }

  /** Runs the handler and reads the body as it says. Called once, when the head has arrived. */
  start(): void {
    const framing = this.framing();
    if (framing.kind === 'refused') {
      this.closing = true;
      this.host.refuseRest(this.socket);
      this.refuse(framing.why);
      return;
    }
    const endless =
      framing.kind === 'sized' && framing.bytes > Math.max(discardBytesMax, this.host.bodyBytesMax);
    if (endless) this.closing = true;
    let sink: BodySink | undefined;
    try {
      sink = this.host.options.handler(this, this);
    } catch (error) {
      this.fail(error);
    }
    if (framing.kind === 'none' || this.method === 'GET' || this.method === 'HEAD') {
      if (sink !== undefined) this.deliver(sink, noBody);
    } else if (sink !== undefined && !this.done) {
      if (framing.kind === 'sized' && framing.bytes > this.host.bodyBytesMax) {
        this.refuse(tooLarge(this.host.bodyBytesMax));
      } else {
        this.sink = sink;
      }
    }
    // Read even when nobody wants it, so that it is bounded and the next request on the connection can follow.
    this.request.on('data', (piece: Buffer) => this.receive(piece));
    this.request.once('end', () => this.bodyEnded());
    this.request.on('error', () => this.abort());
    if (framing.kind !== 'none') this.keepPace(0);
  }

  /** Node's parser has refused most of what is wrong; this adds what it lets pass. */
  private framing(): Framing {
    const raw = this.request.rawHeaders;
    let lengths = 0;
    let encodings = 0;
    let hosts = 0;
    for (let i = 0; i < raw.length; i += 2) {
      const name = raw[i] as string;
      if (name.length === 14 && name.toLowerCase() === 'content-length') lengths++;
      else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') encodings++;
      else if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
    }
    if (raw.length > 2 * headerCountMax) {
      const message = `there are more than ${headerCountMax} headers`;
      return { kind: 'refused', why: { status: 431, code: 'invalid', message } };
    }
    const hostsMin = this.request.httpVersion === '1.0' ? 0 : 1;
    if (hosts < hostsMin || hosts > 1 || !this.path.startsWith('/')) {
      const message = 'a request names one host and a path that starts with a slash';
      return { kind: 'refused', why: { status: 400, code: 'invalid', message } };
    }
    const { 'content-length': length = '', 'transfer-encoding': encoding = '' } =
      this.request.headers;
    return framingOf(this.method, lengths, length, encodings, encoding);
  }

  private receive(piece: Buffer): void {
    this.received += piece.length;
    if (this.sink !== undefined) {
      if (this.received <= this.host.bodyBytesMax) {
        this.pieces.push(piece);
        return;
      }
      this.sink = undefined;
      this.pieces.length = 0;
      if (!this.done) this.refuse(tooLarge(this.host.bodyBytesMax));
    }
    if (this.received > discardBytesMax) this.socket.destroy();
  }

  /** Ends a connection whose body drips in: Node's own limits see idleness and totals, not a pace. */
  private keepPace(before: Bytes): void {
    this.pace = setTimeout(() => {
      if (this.received - before < bodyPaceBytes) this.socket.destroy();
      else this.keepPace(this.received);
    }, bodyPaceMs);
    this.pace.unref();
  }

  private bodyEnded(): void {
    clearTimeout(this.pace);
    const sink = this.sink;
    this.sink = undefined;
    if (sink === undefined) return;
    const first = this.pieces[0] ?? noBody;
    this.deliver(sink, this.pieces.length > 1 ? Buffer.concat(this.pieces, this.received) : first);
    this.pieces.length = 0;
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
    else if (this.streaming && !this.ending) this.socket.destroy();
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

  /** The connection is gone. */
  abort(): void {
    clearTimeout(this.pace);
    if (this.isOver) return;
    this.aborted = true;
    this.done = true;
    this.sink = undefined;
    this.pieces.length = 0;
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
    const bodiless = status === 204 || status === 304;
    this.writeHead(status, headers, bodiless ? undefined : Buffer.byteLength(body));
    this.response.end(bodiless ? undefined : body);
  }

  begin(status: number, headers: HeaderList): void {
    if (!this.claim(headers)) return;
    this.streaming = true;
    this.writeHead(status, headers, undefined);
    this.response.on('drain', () => {
      clearTimeout(this.stall);
      this.stall = undefined;
      if (this.drainListener !== undefined) this.guarded(this.drainListener);
    });
  }

  write(chunk: string | Uint8Array): boolean {
    if (this.aborted || this.method === 'HEAD' || chunk.length === 0) return true;
    if (!this.streaming || this.ending) throw new AssertionFailed('write outside of begin and end');
    // The port promises that the bytes are the caller's again, and Node keeps what it cannot send yet.
    const room = this.response.write(typeof chunk === 'string' ? chunk : Buffer.from(chunk));
    // A timer of our own: the socket's starts anew when its queue changed, so it fires late or never.
    if (!room) this.stall ??= setTimeout(() => this.socket.destroy(), stalledReaderMs).unref();
    return room;
  }

  onDrain(listener: () => void): void {
    this.drainListener = listener;
  }

  end(): void {
    if (this.aborted || this.ending) return;
    if (!this.streaming) throw new AssertionFailed('end before begin');
    this.ending = true;
    this.response.end();
  }

  /** Takes the right to answer; false when the client has gone. */
  private claim(headers: HeaderList): boolean {
    if (this.aborted) return false;
    if (this.done) throw new AssertionFailed('a request was answered twice');
    assertHeaders(headers);
    this.done = true;
    if (this.host.draining) this.closing = true;
    return true;
  }

  private writeHead(status: number, headers: HeaderList, length: Bytes | undefined): void {
    const flat: string[] = [];
    for (const [name, value] of headers) flat.push(name, value);
    if (length !== undefined) flat.push('content-length', String(length));
    if (this.closing) flat.push('connection', 'close');
    this.response.writeHead(status, flat);
  }

  private guarded(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.fail(error);
    }
  }

  private over(): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.stall);
    this.host.finished(this, this.socket);
  }
}

/** Node reads the wire as Latin-1; the rest of the world, and the other server, as UTF-8. */
function utf8(text: string): string {
  return beyondAscii.test(text) ? Buffer.from(text, 'latin1').toString('utf8') : text;
}

const beyondAscii = /[\x80-\xff]/;
