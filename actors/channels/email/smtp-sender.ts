// A pool of conversations with the mail relay: opened as needed, ended after so many messages or
// when quiet. Messages wait in one bounded queue and each gets exactly one result. Easily got
// wrong: a relay may close a quiet connection just as the next message is taken to it; that message
// was never seen by anybody, so it gets one fresh connection.

import type { Millis } from '../../../engine/base/brand.ts';
import type { SmtpTimeouts } from '../provider-config.ts';
import { SmtpConnection, type SmtpMessage } from './smtp-connection.ts';
import { SmtpFailure, type SmtpResult } from './smtp-reply.ts';
import type { Relay } from './smtp-socket.ts';

export interface SmtpSenderConfig {
  readonly relay: Relay;
  /** Conversations at once; 16 unless told. */
  readonly connectionsMax?: number;
  /** Messages per conversation; 100 unless told, which the strictest relays allow. */
  readonly messagesPerConnectionMax?: number;
  readonly timeouts?: Partial<SmtpTimeouts>;
}

export interface SmtpSender {
  /** Sends one message and resolves with what came of it. Never rejects. */
  send(message: SmtpMessage): Promise<SmtpResult>;
  /** Takes no more messages, lets those under way end within `graceMs` (10 s), says goodbye. */
  close(graceMs?: Millis): Promise<void>;
}

const timeoutsDefault: SmtpTimeouts = { connectMs: 5_000, replyMs: 30_000, finalMs: 60_000 };
const queueMax = 4096;
const idleMs: Millis = 30_000;
/** After a failed opening the conversations that live go on alone for this long. */
const reopenMs: Millis = 1_000;

interface Job {
  readonly message: SmtpMessage;
  readonly resolve: (result: SmtpResult) => void;
  again: boolean;
}

/** A sender for one relay. It connects with the first message. */
export function createSmtpSender(config: SmtpSenderConfig): SmtpSender {
  const timeouts = { ...timeoutsDefault, ...config.timeouts };
  const connectionsMax = config.connectionsMax ?? 16;
  const messagesMax = config.messagesPerConnectionMax ?? 100;
  const queue: Job[] = [];
  const idle = new Map<SmtpConnection, NodeJS.Timeout>();
  const busy = new Set<SmtpConnection>();
  let opening = 0;
  let reopen: NodeJS.Timeout | undefined;
  let closed = false;
  let drained: (() => void) | undefined;

  function pump(): void {
    for (const [connection, timer] of idle) {
      if (queue.length === 0) break;
      clearTimeout(timer);
      idle.delete(connection);
      void serve(connection);
    }
    while (
      reopen === undefined &&
      opening < queue.length &&
      opening + busy.size + idle.size < connectionsMax
    ) {
      void open();
    }
    if (closed && queue.length === 0 && busy.size === 0) drained?.();
  }

  async function open(): Promise<void> {
    opening++;
    try {
      const connection = await SmtpConnection.open(config.relay, timeouts);
      opening--;
      void serve(connection);
    } catch (error) {
      opening--;
      if (!(error instanceof SmtpFailure)) throw error;
      openingFailed(error.result);
    }
  }

  /**
   * Where nobody gets through, everyone waiting hears why; where others do, they carry the queue
   * for a while.
   */
  function openingFailed(result: SmtpResult): void {
    if (busy.size === 0 && opening === 0) {
      for (const job of queue.splice(0)) job.resolve(result);
    } else {
      reopen ??= setTimeout(() => {
        reopen = undefined;
        pump();
      }, reopenMs);
    }
    pump();
  }

  async function serve(connection: SmtpConnection): Promise<void> {
    busy.add(connection);
    while (connection.usable && connection.tried < messagesMax) {
      const job = queue.shift();
      if (job === undefined) {
        busy.delete(connection);
        rest(connection);
        return pump();
      }
      const result = await connection.send(job.message);
      if (!job.again && connection.tried > 1 && neverSeen(result)) {
        job.again = true;
        queue.unshift(job);
      } else job.resolve(result);
    }
    connection.quit();
    busy.delete(connection);
    pump();
  }

  function rest(connection: SmtpConnection): void {
    const timer = setTimeout(() => {
      idle.delete(connection);
      connection.quit();
    }, idleMs).unref();
    idle.set(connection, timer);
  }

  return {
    send(message) {
      if (closed || queue.length >= queueMax) {
        const reason = closed ? 'closed' : 'saturated';
        return Promise.resolve({ kind: 'unsent', stage: 'connect', reason });
      }
      return new Promise((resolve) => {
        queue.push({ message, resolve, again: false });
        pump();
      });
    },
    async close(graceMs = 10_000) {
      closed = true;
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        drained = resolve;
        timer = setTimeout(resolve, graceMs);
        pump();
      });
      clearTimeout(timer);
      clearTimeout(reopen);
      for (const [connection, idleTimer] of idle) {
        clearTimeout(idleTimer);
        connection.quit();
      }
      idle.clear();
      for (const connection of busy) connection.destroy();
      for (const job of queue.splice(0)) {
        job.resolve({ kind: 'unsent', stage: 'connect', reason: 'closed' });
      }
    },
  };
}

/**
 * Whether a kept connection turned out to be dead before the relay said anything about this
 * message.
 */
function neverSeen(result: SmtpResult): boolean {
  if (result.kind === 'unsent')
    return result.stage === 'mail' && result.reason === 'connection_lost';
  return result.kind === 'refused' && result.stage === 'mail' && result.reply.code === 421;
}

/**
 * Reads `smtp://[user:password@]host[:port]` or `smtps://…`; ports are 587 and 465 unless told.
 * `?connections=` and `?messages=` set the bounds of the pool. `undefined` for anything else.
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
