// One call to APNs: waiting, started (bytes may be out), answered, settled once. Streams above
// GOAWAY's number or refused with REFUSED_STREAM were not processed (HTTP/2): such calls are
// unsent.

import { type ClientHttp2Session, type ClientHttp2Stream, constants } from 'node:http2';
import type { Bytes, Millis } from '../../../engine/base/brand.ts';
import { answerBytesMax } from '../outbound/outbound.ts';
import type { OutboundResult } from '../outbound/outbound-call.ts';

export interface ApnsCallRequest {
  readonly origin: string;
  /** The connections to use: Apple accepts only one team's tokens on a connection. */
  readonly account: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Asked before a stream is opened; false ends the call as `unsent`. */
  readonly mayBegin?: (() => boolean) | undefined;
}

export interface CallOwner {
  /** The deadline passed; the call is settled. */
  expired(call: PendingCall): void;
  settled(call: PendingCall): void;
}

export interface StreamOwner {
  /** Streams above this number were not processed. */
  readonly lastStreamId: number;
  answered(): void;
  /** The stream is closed. `unprocessed`: the call is not settled and may be repeated. */
  streamClosed(call: PendingCall, unprocessed: boolean): void;
}

export class PendingCall {
  readonly request: ApnsCallRequest;
  /** Number of unprocessed refusals. */
  repeats = 0;
  readonly #owner: CallOwner;
  readonly #resolve: (result: OutboundResult) => void;
  readonly #timer: NodeJS.Timeout;
  #stream: ClientHttp2Stream | undefined;
  #streamOwner: StreamOwner | undefined;
  #isSettled = false;
  #status = 0;
  #headers: Extract<OutboundResult, { kind: 'answered' }>['headers'] = {};
  #chunks: Buffer[] = [];
  #bytes: Bytes = 0;

  constructor(
    request: ApnsCallRequest,
    timeoutMs: Millis,
    owner: CallOwner,
    resolve: (result: OutboundResult) => void,
  ) {
    this.request = request;
    this.#owner = owner;
    this.#resolve = resolve;
    this.#timer = setTimeout(expire, timeoutMs, this);
  }

  get startedOn(): StreamOwner | undefined {
    return this.#streamOwner;
  }

  /** Opens a stream. Throws if the session accepts none; nothing was written then. */
  start(session: ClientHttp2Session, owner: StreamOwner): void {
    const { path, headers, body } = this.request;
    const stream = session.request({ ':method': 'POST', ':path': path, ...headers });
    this.#stream = stream;
    this.#streamOwner = owner;
    stream.on('response', (answer) => {
      owner.answered();
      const { ':status': status = 0, ...rest } = answer;
      this.#status = status;
      this.#headers = rest;
      if (status === 200)
        stream.resume(); // Apple's success has no body
      else stream.on('data', (chunk: Buffer) => this.#take(chunk));
    });
    stream.on('error', () => undefined); // 'close' follows with the meaning
    stream.once('close', () => this.#closed(stream, owner));
    stream.end(body);
  }

  settle(result: OutboundResult): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    clearTimeout(this.#timer);
    this.#resolve(result);
    this.#owner.settled(this);
  }

  expire(): void {
    if (this.#isSettled) return;
    if (this.#status !== 0) this.settle(this.#answer(false));
    else if (this.#streamOwner === undefined) this.settle({ kind: 'unsent', reason: 'timeout' });
    else this.settle({ kind: 'unanswered', reason: 'timeout' });
    this.#owner.expired(this);
    this.#stream?.close(constants.NGHTTP2_CANCEL);
  }

  #closed(stream: ClientHttp2Stream, owner: StreamOwner): void {
    this.#stream = undefined;
    this.#streamOwner = undefined;
    const { id, rstCode } = stream;
    if (this.#status !== 0) this.settle(this.#answer(rstCode === constants.NGHTTP2_NO_ERROR));
    const unprocessed =
      !this.#isSettled &&
      (id === undefined || id > owner.lastStreamId || rstCode === constants.NGHTTP2_REFUSED_STREAM);
    if (!unprocessed) this.settle({ kind: 'unanswered', reason: 'connection_lost' });
    owner.streamClosed(this, unprocessed);
  }

  #take(chunk: Buffer): void {
    const room = answerBytesMax - this.#bytes;
    this.#chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    this.#bytes += Math.min(chunk.length, room);
    if (chunk.length <= room) return;
    this.settle(this.#answer(false));
    this.#stream?.close(constants.NGHTTP2_CANCEL);
  }

  #answer(complete: boolean): OutboundResult {
    const body = this.#chunks.length === 0 ? '' : Buffer.concat(this.#chunks).toString();
    return {
      kind: 'answered',
      status: this.#status,
      headers: this.#headers,
      body,
      complete,
    };
  }
}

function expire(call: PendingCall): void {
  call.expire();
}
