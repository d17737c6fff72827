// One HTTP/2 connection to APNs: how many streams it takes now, whether it still lives, and what
// ends it. Easily got wrong: a connection can be dead without anybody saying so, so silence is
// asked about (ping) when it has been quiet for a while and whenever a call runs out of time; until
// it answers it gets no more calls.

import { type ClientHttp2Session, connect } from 'node:http2';
import type { Millis } from '../../../engine/base/brand.ts';
import { isTlsErrorCode, type OutboundResult } from '../outbound/outbound-call.ts';
import type { PendingCall, StreamOwner } from './call.ts';

type UnsentReason = Extract<OutboundResult, { kind: 'unsent' }>['reason'];

/** Time limits of a connection. */
export interface ConnectionTimings {
  /** From the first packet to the other side's SETTINGS. */
  readonly connectTimeoutMs: Millis;
  readonly pingTimeoutMs: Millis;
}

/** Who is told about a connection. */
interface ConnectionOwner {
  /** There may be room where there was none. */
  hasRoom(): void;
  /** Refused unprocessed: to be repeated on another connection. */
  unprocessed(call: PendingCall): void;
  /** It is gone. `reason` is there when it never opened. */
  gone(connection: ApnsConnection, reason: UnsentReason | undefined): void;
}

/** Streams we open at once on one connection, however many the other side would take. */
const streamsMax = 1_000;

/** A connection from its first packet on. */
export class ApnsConnection implements StreamOwner {
  /** What GOAWAY named; infinite before. */
  lastStreamId = Number.POSITIVE_INFINITY;
  /** Periods without an answer; counted by the owner of the connection. */
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

  /** Ending, with calls that it still has. */
  get isDraining(): boolean {
    return this.#state === 'draining';
  }

  get isIdle(): boolean {
    return this.#state === 'open' && this.#streams === 0;
  }

  /**
   * Starts a call; false where the connection turns out to take none, and nothing was written then.
   */
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

  /** Asks whether the other side still lives; what it takes meanwhile is nothing. */
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

  /** Takes no more calls and ends with the last of those it has. */
  drain(): void {
    if (this.#state === 'open' || this.#state === 'connecting') this.#state = 'draining';
    if (!this.#session.closed) this.#session.close();
    this.#owner.hasRoom(); // on another
  }

  /** Ends at once; calls under way may have been acted on. */
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

/** Why no connection came to be, from what node or OpenSSL said. */
function reasonOf(problem: Error | undefined): UnsentReason {
  const code = problem !== undefined && 'code' in problem ? String(problem.code) : '';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'dns';
  if (isTlsErrorCode(code)) return 'tls';
  return 'connect';
}
