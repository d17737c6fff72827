// One HTTP/2 connection to APNs: its stream limit, whether it is alive, and what ends it. It may
// die without a sign, so we ping after silence and after a timeout; until it answers, it gets no
// calls.

import { type ClientHttp2Session, connect } from 'node:http2';
import type { Millis } from '../../../engine/base/brand.ts';
import { isTlsErrorCode, type OutboundResult } from '../outbound/outbound-call.ts';
import type { PendingCall, StreamOwner } from './call.ts';

type UnsentReason = Extract<OutboundResult, { kind: 'unsent' }>['reason'];

export interface ConnectionTimings {
  /** From the first packet to the other side's SETTINGS. */
  readonly connectTimeoutMs: Millis;
  readonly pingTimeoutMs: Millis;
}

interface ConnectionOwner {
  /** There may be room for more calls. */
  hasRoom(): void;
  /** Refused unprocessed: repeat on another connection. */
  unprocessed(call: PendingCall): void;
  /** It is closed. `reason` is set when it never opened. */
  gone(connection: ApnsConnection, reason: UnsentReason | undefined): void;
}

/** Our limit on streams per connection, however many the server accepts. */
const streamsMax = 1_000;

export class ApnsConnection implements StreamOwner {
  /** The number in GOAWAY; infinite before. */
  lastStreamId = Number.POSITIVE_INFINITY;
  /** Periods without a response; counted by the owner. */
  quietPeriods = 0;
  readonly #owner: ConnectionOwner;
  readonly #timings: ConnectionTimings;
  readonly #session: ClientHttp2Session;
  #connectTimer: NodeJS.Timeout | undefined;
  #pingTimer: NodeJS.Timeout | undefined;
  #state: 'connecting' | 'open' | 'draining' | 'gone' = 'connecting';
  #hasOpened = false;
  #limit = 0;
  #streams = 0;
  #problem: Error | undefined;

  constructor(
    origin: string,
    timings: ConnectionTimings,
    certificateAuthorities: string | undefined,
    owner: ConnectionOwner,
  ) {
    this.#owner = owner;
    this.#timings = timings;
    const session = connect(origin, {
      settings: { enablePush: false },
      ...(certificateAuthorities !== undefined && { ca: certificateAuthorities }),
    });
    this.#session = session;
    this.#connectTimer = setTimeout(() => session.destroy(), timings.connectTimeoutMs);
    session.on('remoteSettings', ({ maxConcurrentStreams }) => {
      this.#limit = Math.min(maxConcurrentStreams ?? streamsMax, streamsMax);
      if (this.#state === 'connecting') this.#opened();
      owner.hasRoom();
    });
    session.on('goaway', (_code, lastStreamId) => {
      // A second GOAWAY may only lower the number.
      this.lastStreamId = Math.min(this.lastStreamId, lastStreamId);
      this.drain();
    });
    session.on('error', (error) => {
      this.#problem = error;
    });
    session.once('close', () => this.#closed());
  }

  get isConnecting(): boolean {
    return this.#state === 'connecting';
  }

  get hasRoom(): boolean {
    return this.#state === 'open' && this.#pingTimer === undefined && this.#streams < this.#limit;
  }

  /** Ending, with calls still open. */
  get isDraining(): boolean {
    return this.#state === 'draining';
  }

  get isIdle(): boolean {
    return this.#state === 'open' && this.#streams === 0;
  }

  /** Starts a call. False if the connection accepts none; nothing was written then. */
  start(call: PendingCall): boolean {
    try {
      call.start(this.#session, this);
    } catch (error) {
      if (this.#session.closed || this.#session.destroyed) {
        this.drain();
        return false;
      }
      this.#problem = error instanceof Error ? error : undefined;
      call.settle({ kind: 'unsent', reason: 'invalid_request' });
      return true;
    }
    this.#streams++;
    return true;
  }

  /** Checks whether the server is alive; no calls until it answers. */
  ping(): void {
    if (this.#state !== 'open' || this.#pingTimer !== undefined) return;
    const timer = setTimeout(() => this.destroy(), this.#timings.pingTimeoutMs);
    this.#pingTimer = timer;
    const isSent = this.#session.ping(() => {
      clearTimeout(timer);
      this.#pingTimer = undefined;
      this.#owner.hasRoom();
    });
    if (!isSent) this.destroy();
  }

  /** Accepts no more calls and closes after the last one in flight. */
  drain(): void {
    if (this.#state === 'open' || this.#state === 'connecting') this.#state = 'draining';
    if (!this.#session.closed) this.#session.close();
    this.#owner.hasRoom(); // on another
  }

  /** Closes at once; calls in flight may have been processed. */
  destroy(): void {
    this.#session.destroy();
  }

  answered(): void {
    this.quietPeriods = 0;
  }

  streamClosed(call: PendingCall, unprocessed: boolean): void {
    this.#streams--;
    if (unprocessed) this.#owner.unprocessed(call);
    this.#owner.hasRoom();
  }

  #opened(): void {
    this.#state = 'open';
    this.#hasOpened = true;
    clearTimeout(this.#connectTimer);
  }

  #closed(): void {
    this.#state = 'gone';
    clearTimeout(this.#connectTimer);
    clearTimeout(this.#pingTimer);
    this.#owner.gone(this, this.#hasOpened ? undefined : reasonOf(this.#problem));
  }
}

function reasonOf(problem: Error | undefined): UnsentReason {
  const code = problem !== undefined && 'code' in problem ? String(problem.code) : '';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'dns';
  if (isTlsErrorCode(code)) return 'tls';
  return 'connect';
}
