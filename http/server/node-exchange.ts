// One request on node:http and its response: the rules of exchange-life.ts on Node's streams.
// Only `finish` ends a request in flight: the system accepted the last byte. `close` never comes
// for a response queued behind one that was cut off.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Bytes } from '../../engine/base/brand.ts';
import { normalAddress } from './client-address.ts';
import type { HeaderList, HttpResponse } from './exchange.ts';
import { type ExchangeHost, ExchangeLife, noBody } from './exchange-life.ts';
import {
  bodyPaceBytes,
  bodyPaceMs,
  discardBytesMax,
  type Framing,
  framingOf,
  headerCountMax,
  stalledReaderMs,
} from './framing.ts';

interface NodeExchangeHost extends ExchangeHost {
  /** The whole response was sent, or it was aborted. Called exactly once. */
  finished(exchange: NodeExchange, socket: Duplex): void;
  /** Nothing after this on the connection may be read as a request. */
  refuseRest(socket: Duplex): void;
}

export class NodeExchange extends ExchangeLife<NodeExchangeHost> {
  private readonly request: IncomingMessage;
  private readonly response: ServerResponse;
  private readonly socket: Duplex;
  private address: string | undefined;
  private isOver = false;

  private readonly pieces: Buffer[] = [];
  private received: Bytes = 0;
  private pace: NodeJS.Timeout | undefined;
  private stall: NodeJS.Timeout | undefined;

  /** The connection closes after this response. */
  private closing = false;

  constructor(host: NodeExchangeHost, request: IncomingMessage, response: ServerResponse) {
    const target = utf8(request.url ?? '');
    const mark = target.indexOf('?');
    super(
      host,
      request.method ?? '',
      mark < 0 ? target : target.slice(0, mark),
      mark < 0 ? '' : target.slice(mark + 1),
    );
    this.request = request;
    this.response = response;
    this.socket = request.socket;
    response.once('finish', () => this.over());
  }

  header(name: string): string {
    const value = this.request.headers[name];
    if (value === undefined) return '';
    return utf8(typeof value === 'string' ? value : value.join(', '));
  }

  has(name: string): boolean {
    return this.request.headers[name] !== undefined;
  }

  headers(): Readonly<Record<string, string>> {
    const names = Object.keys(this.request.headers);
    return Object.fromEntries(names.map((name) => [name, this.header(name)]));
  }

  get remoteAddress(): string {
    this.address ??= normalAddress(this.request.socket.remoteAddress ?? '');
    return this.address;
  }

  /** Runs the handler and reads its body. Called once, when the head has arrived. */
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
    this.handle(framing);
    // Read even if unwanted: this bounds it, and the connection's next request can follow.
    this.request.on('data', (piece: Buffer) => this.receive(piece));
    this.request.once('end', () => this.bodyEnded());
    this.request.on('error', () => this.abort());
    if (framing.kind !== 'none') this.keepPace(0);
  }

  /** Node's parser refuses most invalid framing; this adds the rest. */
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
    const { headersMax = headerCountMax } = this.host.options;
    if (raw.length > 2 * headersMax) {
      const message = `the request has more than ${headersMax} headers`;
      return { kind: 'refused', why: { status: 431, code: 'invalid', message } };
    }
    const hostsMin = this.request.httpVersion === '1.0' ? 0 : 1;
    if (hosts < hostsMin || hosts > 1 || !this.path.startsWith('/')) {
      const message = 'the request must have one Host header and a path that starts with a slash';
      return { kind: 'refused', why: { status: 400, code: 'invalid', message } };
    }
    const { 'content-length': length = '', 'transfer-encoding': encoding = '' } =
      this.request.headers;
    return framingOf(this.method, lengths, length, encodings, encoding);
  }

  private receive(piece: Buffer): void {
    this.received += piece.length;
    if (this.sink !== undefined) {
      if (this.received <= this.bodyBytesMax) {
        this.pieces.push(piece);
        return;
      }
      this.pieces.length = 0;
      this.refuseBody();
    }
    if (this.received > discardBytesMax) this.socket.destroy();
  }

  /** Ends a connection with a slow body: Node limits idle and total time, not the pace. */
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

  abort(): void {
    clearTimeout(this.pace);
    if (this.isOver) return;
    this.pieces.length = 0;
    this.gone();
  }

  protected cutOff(): void {
    this.socket.destroy();
  }

  protected sendWhole(status: number, headers: HeaderList, body: HttpResponse['body']): void {
    const bodiless = status === 204 || status === 304;
    this.writeHead(status, headers, bodiless ? undefined : Buffer.byteLength(body));
    this.response.end(bodiless ? undefined : body);
  }

  protected sendHead(status: number, headers: HeaderList): void {
    this.writeHead(status, headers, undefined);
    this.response.on('drain', () => {
      clearTimeout(this.stall);
      this.stall = undefined;
      this.drained();
    });
  }

  protected sendPiece(chunk: string | Uint8Array): boolean {
    // Copied: the caller owns the bytes again, and Node keeps what it cannot send yet.
    const room = this.response.write(typeof chunk === 'string' ? chunk : Buffer.from(chunk));
    // Our own timer: the socket's restarts whenever its queue changes, so it fires late or never.
    if (!room) this.stall ??= setTimeout(() => this.socket.destroy(), stalledReaderMs).unref();
    return room;
  }

  protected sendEnd(): void {
    this.response.end();
  }

  private writeHead(status: number, headers: HeaderList, length: Bytes | undefined): void {
    const flat: string[] = [];
    for (const [name, value] of headers) flat.push(name, value);
    if (length !== undefined) flat.push('content-length', String(length));
    if (this.closing || this.host.draining) flat.push('connection', 'close');
    this.response.writeHead(status, flat);
  }

  protected over(): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.stall);
    this.host.finished(this, this.socket);
  }
}

/** Node reads headers as Latin-1; everyone else, the other server included, as UTF-8. */
function utf8(text: string): string {
  return beyondAscii.test(text) ? Buffer.from(text, 'latin1').toString('utf8') : text;
}

const beyondAscii = /[\x80-\xff]/;
