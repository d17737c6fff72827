// One call to APNs: waiting for a place, started (bytes may be out), answered, settled. Settles
// exactly once, and says whether Apple can have seen it. Easily got wrong: a stream that was opened
// and then refused by number (GOAWAY) or by name (REFUSED_STREAM) was not processed, which the
// protocol promises, so it counts as never sent.

import { type ClientHttp2Session, type ClientHttp2Stream, constants } from 'node:http2';
import type { Bytes, Millis } from '../../../engine/base/brand.ts';
import { answerBytesMax } from '../outbound/outbound.ts';
import type { OutboundResult } from '../outbound/outbound-call.ts';

/** What is asked of APNs. */
export interface ApnsCallRequest {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Whose connections to use: Apple takes one team's tokens on a connection, and no other's. */
  readonly account: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Who is told of a call's progress. */
export interface CallOwner {
  /** The deadline passed; the call is settled. */
  expired(call: PendingCall): void;
  /** Settled, however. */
  settled(call: PendingCall): void;
}

/** Who is told of a started call's stream. */
export interface StreamOwner {
  /** Streams above this number were not processed. */
  readonly lastStreamId: number;
  answered(): void;
  /**
   * The stream is gone and its place free; `unprocessed`: the call is not settled and may be
   * repeated.
   */
  streamClosed(call: PendingCall, unprocessed: boolean): void;
}

/** A call that is under way. */
export class PendingCall {
  readonly request: ApnsCallRequest;
  /** How often it was refused unprocessed. */
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

  /** The connection it runs on, while it runs. */
  get startedOn(): StreamOwner | undefined {
    return this.#streamOwner;
  }

  /** Opens a stream for it. Throws where the session takes none, and nothing was written then. */
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
        stream.resume(); // Apple's yes has no body
      else stream.on('data', (chunk: Buffer) => this.#take(chunk));
    });
    stream.on('error', () => undefined); // what it means is told by 'close', which follows
    stream.once('close', () => this.#closed(stream, owner));
    stream.end(body);
  }

  /** Says what came of it, once. */
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
