// A pool of connections to the relay: opened on demand, closed when idle or after a number of
// messages. Messages wait in one bounded queue and get exactly one result each. If the relay closes
// an idle connection just as a message is written, it has not seen it, so we retry once elsewhere.

import { setImmediate } from 'node:timers/promises';
import type { Millis } from '../../../engine/base/brand.ts';
import type { MayBegin } from '../port/adapter.ts';
import type { SmtpTimeouts } from '../port/provider-config.ts';
import { emailOutcome } from './relay-outcome.ts';
import { SmtpConnection, type SmtpMessage } from './smtp-connection.ts';
import { SmtpFailure, type SmtpResult } from './smtp-reply.ts';
import type { Relay } from './smtp-socket.ts';

export interface SmtpSenderConfig {
  readonly relay: Relay;
  /** Default 16. */
  readonly connectionsMax?: number;
  /** Default 100, which the strictest relays allow. */
  readonly messagesPerConnectionMax?: number;
  readonly timeouts?: Partial<SmtpTimeouts>;
}

const timeoutsDefault: SmtpTimeouts = { connectMs: 5_000, replyMs: 30_000, finalMs: 60_000 };
const queueMax = 4096;
const idleMs: Millis = 30_000;
/** After a failed opening, no other is tried for this long while open connections work. */
const reopenMs: Millis = 1_000;

interface Job {
  readonly message: SmtpMessage;
  readonly mayBegin: MayBegin | undefined;
  readonly resolve: (result: SmtpResult) => void;
  isRetry: boolean;
}

/** Sends through one relay; connects with the first message. */
export class SmtpSender {
  readonly #relay: Relay;
  readonly #timeouts: SmtpTimeouts;
  readonly #connectionsMax: number;
  readonly #messagesMax: number;
  readonly #queue: Job[] = [];
  readonly #idle = new Map<SmtpConnection, NodeJS.Timeout>();
  readonly #busy = new Set<SmtpConnection>();
  #opening = 0;
  #reopen: NodeJS.Timeout | undefined;
  #isClosed = false;
  #drained: (() => void) | undefined;

  constructor(config: SmtpSenderConfig) {
    this.#relay = config.relay;
    this.#timeouts = { ...timeoutsDefault, ...config.timeouts };
    this.#connectionsMax = config.connectionsMax ?? 16;
    this.#messagesMax = config.messagesPerConnectionMax ?? 100;
  }

  /** Sends one message, if it may begin once a connection is free. Never rejects. */
  send(message: SmtpMessage, mayBegin?: MayBegin): Promise<SmtpResult> {
    if (this.#isClosed || this.#queue.length >= queueMax) {
      const reason = this.#isClosed ? 'closed' : 'saturated';
      return Promise.resolve({ kind: 'unsent', stage: 'connect', reason });
    }
    return new Promise((resolve) => {
      this.#queue.push({ message, mayBegin, resolve, isRetry: false });
      this.#pump();
    });
  }

  /** Connects, encrypts, logs in and says goodbye. Rejects with `SmtpFailure`. */
  async check(): Promise<void> {
    (await SmtpConnection.open(this.#relay, this.#timeouts)).quit();
  }

  /** Accepts no more messages, waits up to `graceMs` for those in flight, and says goodbye. */
  async close(graceMs: Millis = 10_000): Promise<void> {
    this.#isClosed = true;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#drained = resolve;
      timer = setTimeout(resolve, graceMs);
      this.#pump();
    });
    clearTimeout(timer);
    clearTimeout(this.#reopen);
    for (const [connection, idleTimer] of this.#idle) {
      clearTimeout(idleTimer);
      connection.quit();
    }
    this.#idle.clear();
    for (const connection of this.#busy) connection.destroy();
    this.#failAll({ kind: 'unsent', stage: 'connect', reason: 'closed' });
  }

  #pump(): void {
    for (const [connection, timer] of this.#idle) {
      if (this.#queue.length === 0) break;
      clearTimeout(timer);
      this.#idle.delete(connection);
      void this.#serve(connection);
    }
    while (
      this.#reopen === undefined &&
      this.#opening < this.#queue.length &&
      this.#opening + this.#busy.size + this.#idle.size < this.#connectionsMax
    ) {
      void this.#open();
    }
    if (this.#isClosed && this.#queue.length === 0 && this.#busy.size === 0) this.#drained?.();
  }

  async #open(): Promise<void> {
    this.#opening++;
    try {
      const connection = await SmtpConnection.open(this.#relay, this.#timeouts);
      this.#opening--;
      void this.#serve(connection);
    } catch (error) {
      this.#opening--;
      if (!(error instanceof SmtpFailure)) throw error;
      this.#openingFailed(error.result);
    }
  }

  /** Without another connection all waiting messages fail; with one they wait for it. */
  #openingFailed(result: SmtpResult): void {
    if (this.#busy.size === 0 && this.#opening === 0) this.#failAll(result);
    else {
      this.#reopen ??= setTimeout(() => {
        this.#reopen = undefined;
        this.#pump();
      }, reopenMs);
    }
    this.#pump();
  }

  async #serve(connection: SmtpConnection): Promise<void> {
    this.#busy.add(connection);
    while (connection.usable && connection.tried < this.#messagesMax) {
      const job = this.#queue.shift();
      if (job === undefined) {
        this.#busy.delete(connection);
        this.#rest(connection);
        return this.#pump();
      }
      if (job.mayBegin?.() === false) {
        job.resolve(recalled);
        continue;
      }
      const result = await connection.send(job.message);
      if (!job.isRetry && connection.tried > 1 && isUnseen(result)) {
        job.isRetry = true;
        this.#queue.unshift(job);
      } else job.resolve(result);
      if (result.kind === 'refused') await this.#dropKept();
    }
    connection.quit();
    this.#busy.delete(connection);
    this.#pump();
  }

  /** After a refusal others may have to wait too: no connection is opened for them. */
  async #dropKept(): Promise<void> {
    await setImmediate(); // until whoever sent the message has heard of it
    for (const job of this.#queue.splice(0)) {
      if (job.mayBegin?.() === false) job.resolve(recalled);
      else this.#queue.push(job);
    }
  }

  #rest(connection: SmtpConnection): void {
    const timer = setTimeout(() => {
      this.#idle.delete(connection);
      connection.quit();
    }, idleMs).unref();
    this.#idle.set(connection, timer);
  }

  #failAll(result: SmtpResult): void {
    for (const job of this.#queue.splice(0)) job.resolve(result);
  }
}

const recalled: SmtpResult = { kind: 'unsent', stage: 'mail', reason: 'recalled' };

/** Whether a reused connection died before any reply to this message. */
function isUnseen(result: SmtpResult): boolean {
  if (result.kind === 'unsent')
    return result.stage === 'mail' && result.reason === 'connection_lost';
  if (result.kind !== 'refused' || result.stage !== 'mail' || result.reply.code !== 421)
    return false;
  // A relay that asks for fewer calls gets no second one.
  return emailOutcome(result, '', { to: '', from: '' }).outcome !== 'rate';
}

/**
 * Reads `smtp://[user:password@]host[:port]` or `smtps://…`; default ports 587 and 465.
 * `?connections=` and `?messages=` bound the pool. Otherwise `undefined`.
 */
export function readRelayUrl(
  raw: string,
  clientName: string,
): Pick<SmtpSenderConfig, 'relay' | 'connectionsMax' | 'messagesPerConnectionMax'> | undefined {
  if (!URL.canParse(raw)) return undefined;
  const url = new URL(raw);
  if ((url.protocol !== 'smtp:' && url.protocol !== 'smtps:') || url.hostname === '')
    return undefined;
  const implicitTls = url.protocol === 'smtps:';
  const connectionsMax = count(url.searchParams.get('connections'));
  const messagesPerConnectionMax = count(url.searchParams.get('messages'));
  return {
    relay: {
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port === '' ? (implicitTls ? 465 : 587) : Number(url.port),
      implicitTls,
      clientName,
      ...(url.username !== '' && {
        user: decodeURIComponent(url.username),
        password: decodeURIComponent(url.password),
      }),
    },
    ...(connectionsMax !== undefined && { connectionsMax }),
    ...(messagesPerConnectionMax !== undefined && { messagesPerConnectionMax }),
  };
}

function count(text: string | null): number | undefined {
  return text !== null && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined;
}
