// The only HTTP client. `call` always resolves and says whether the server can have seen anything:
// `unsent` is safe to repeat, `unanswered` may have happened. `trusted` destinations are the
// operator's provider addresses; `guarded` ones come from tenants or browsers, and their names are
// checked inside the connection's own lookup (network-guard.ts).

import { Resolver } from 'node:dns/promises';
import { type Dispatcher, Pool } from 'undici';
import type { Bytes, Millis } from '../../../engine/base/brand.ts';
import { guardedLookup, LookupError, type NameResolver } from './guarded-lookup.ts';
import { judgeUrl } from './network-guard.ts';
import {
  isTlsErrorCode,
  type Outbound,
  type OutboundCall,
  type OutboundResult,
} from './outbound-call.ts';

export type { NameResolver };

export interface OutboundConfig {
  /** Development: guarded destinations may use http, any port and private addresses. */
  readonly allowPrivateNetworks: boolean;
  /** For guarded names; default c-ares, so slow names never occupy the store's thread pool. */
  readonly resolver?: NameResolver;
  /** The default for calls without a timeout; 10 s. */
  readonly timeoutMs?: Millis;
  readonly connectTimeoutMs?: Millis;
  /** Trusted certificates instead of the system's, in PEM. For tests. */
  readonly certificateAuthorities?: string;
}

/** Enough for every provider's error body, and no receiver can fill the memory. */
export const answerBytesMax: Bytes = 16 * 1024;
const timeoutMsDefault: Millis = 10_000;
const connectTimeoutMsDefault: Millis = 3_000;
const connectionsMax = { trusted: 256, guarded: 64 } as const;
/** Calls waiting and in flight per origin; more are `unsent`, reason `saturated`. */
const callsPerOriginMax = 4096;
/** Open origins; the longest-unused one makes room if it is idle. */
const originsMax = 1024;
/** How long an idle connection is kept, unless the server says less. */
const idleMs: Millis = 20_000;

/** The client. One instance serves a thread; it opens connections on demand and keeps them. */
export function createOutbound(config: OutboundConfig): Outbound {
  const origins = new Map<string, Origin>();
  const timeoutMs = config.timeoutMs ?? timeoutMsDefault;
  let closed = false;
  let uses = 0;

  function originFor(url: URL, destination: OutboundCall['destination']): Origin | undefined {
    const key = `${destination} ${url.origin}`;
    let origin = origins.get(key);
    if (origin === undefined) {
      if (origins.size >= originsMax && !makeRoom(origins)) return undefined;
      origin = { pool: openPool(url.origin, destination, config), calls: 0, usedAt: 0 };
      origins.set(key, origin);
    }
    origin.usedAt = ++uses;
    return origin;
  }

  return {
    allowPrivateNetworks: config.allowPrivateNetworks,
    call(call) {
      if (closed) return Promise.resolve({ kind: 'unsent', reason: 'closed' });
      let url: URL;
      if (call.destination === 'guarded') {
        const verdict = judgeUrl(call.url, config.allowPrivateNetworks);
        if ('refused' in verdict) {
          return Promise.resolve({ kind: 'refused', reason: verdict.refused });
        }
        url = verdict.url;
      } else {
        if (!/^https?:/i.test(call.url) || !URL.canParse(call.url)) {
          return Promise.resolve({ kind: 'unsent', reason: 'invalid_request' });
        }
        url = new URL(call.url);
      }
      const origin = originFor(url, call.destination);
      if (origin === undefined || origin.calls >= callsPerOriginMax) {
        return Promise.resolve({ kind: 'unsent', reason: 'saturated' });
      }
      return new Promise<OutboundResult>((resolve) => {
        const pending = new PendingCall(resolve, origin, {
          timeoutMs: call.timeoutMs ?? timeoutMs,
          bytesMax: call.answerBytesMax ?? answerBytesMax,
          mayBegin: call.mayBegin,
        });
        origin.pool.dispatch(
          {
            path: url.search === '' ? url.pathname : url.pathname + url.search,
            method: call.method,
            headers: { 'accept-encoding': 'identity', ...call.headers },
            body: call.body ?? null,
          },
          pending,
        );
      });
    },
    async close(graceMs = 10_000) {
      closed = true;
      const pools = [...origins.values()].map((origin) => origin.pool);
      let timer: NodeJS.Timeout | undefined;
      const grace = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, graceMs);
      });
      await Promise.race([Promise.allSettled(pools.map((pool) => pool.close())), grace]);
      clearTimeout(timer);
      await Promise.allSettled(pools.map((pool) => pool.destroy()));
      origins.clear();
    },
  };
}

interface Origin {
  readonly pool: Pool;
  calls: number;
  /** A use count, not a time: the smallest is longest unused. */
  usedAt: number;
}

/** One call: queued, started (bytes may be out), answering, settled exactly once. */
class PendingCall implements Dispatcher.DispatchHandler {
  readonly #resolve: (result: OutboundResult) => void;
  readonly #origin: Origin;
  readonly #timer: NodeJS.Timeout;
  readonly #bytesMax: Bytes;
  readonly #mayBegin: OutboundCall['mayBegin'];
  #controller: Dispatcher.DispatchController | undefined;
  #settled = false;
  #status = 0;
  #headers: Readonly<Record<string, string | string[] | undefined>> = {};
  #chunks: Buffer[] = [];
  #bytes: Bytes = 0;

  constructor(
    resolve: (result: OutboundResult) => void,
    origin: Origin,
    {
      timeoutMs,
      bytesMax,
      mayBegin,
    }: {
      readonly timeoutMs: Millis;
      readonly bytesMax: Bytes;
      readonly mayBegin: OutboundCall['mayBegin'];
    },
  ) {
    this.#resolve = resolve;
    this.#bytesMax = bytesMax;
    this.#mayBegin = mayBegin;
    this.#origin = origin;
    origin.calls++;
    this.#timer = setTimeout(expire, timeoutMs, this);
  }

  /** Connected, and no byte is written yet. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (!this.#settled && this.#mayBegin?.() === false)
      this.#settle({ kind: 'unsent', reason: 'recalled' });
    this.#controller = controller;
    // recalled, or the deadline passed, while the call waited for a connection
    if (this.#settled) controller.abort(abandoned);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (status < 200) return; // informational: the answer is still to come
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const room = this.#bytesMax - this.#bytes;
    this.#chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    this.#bytes += Math.min(chunk.length, room);
    if (chunk.length <= room) return;
    this.#settle(this.#answer(false));
    controller.abort(abandoned);
  }

  onResponseEnd(): void {
    this.#settle(this.#answer(true));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#settled) return;
    if (this.#status !== 0) this.#settle(this.#answer(false));
    else if (this.#controller !== undefined) {
      this.#settle({ kind: 'unanswered', reason: 'connection_lost' });
    } else this.#settle(unsentBecause(error));
  }

  /** The deadline: its meaning depends on the call's progress. */
  expire(): void {
    if (this.#settled) return;
    if (this.#status !== 0) this.#settle(this.#answer(false));
    else if (this.#controller !== undefined)
      this.#settle({ kind: 'unanswered', reason: 'timeout' });
    else this.#settle({ kind: 'unsent', reason: 'timeout' });
    this.#controller?.abort(abandoned);
  }

  #answer(complete: boolean): OutboundResult {
    const chunks = this.#chunks;
    const body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    return {
      kind: 'answered',
      status: this.#status,
      headers: this.#headers,
      body: body === undefined ? '' : body.toString('utf8'),
      complete,
    };
  }

  #settle(result: OutboundResult): void {
    if (this.#settled) return;
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#origin.calls--;
    this.#resolve(result);
  }
}

const abandoned = new Error('the call timed out');

function expire(call: PendingCall): void {
  call.expire();
}

function openPool(
  origin: string,
  destination: OutboundCall['destination'],
  config: OutboundConfig,
): Pool {
  const lookup =
    destination === 'guarded'
      ? guardedLookup(
          config.resolver ?? new Resolver({ timeout: 1000, tries: 2 }),
          config.allowPrivateNetworks,
        )
      : undefined;
  return new Pool(origin, {
    connections: connectionsMax[destination],
    // No pipelining, so nothing waits behind a slow response; it also measures faster.
    pipelining: 1,
    keepAliveTimeout: idleMs,
    headersTimeout: 0, // the call's own deadline covers both; undici's are coarse
    bodyTimeout: 0,
    connect: {
      timeout: config.connectTimeoutMs ?? connectTimeoutMsDefault,
      ...(lookup && { lookup }),
      ...(config.certificateAuthorities !== undefined && { ca: config.certificateAuthorities }),
    },
  });
}

/** Closes the longest-idle origin; false if all are busy. */
function makeRoom(origins: Map<string, Origin>): boolean {
  let oldestKey: string | undefined;
  let oldest: Origin | undefined;
  for (const [key, origin] of origins) {
    if (origin.calls > 0 || (oldest !== undefined && origin.usedAt > oldest.usedAt)) continue;
    oldestKey = key;
    oldest = origin;
  }
  if (oldestKey === undefined || oldest === undefined) return false;
  origins.delete(oldestKey);
  oldest.pool.destroy().catch(() => undefined); // nothing is in flight
  return true;
}

/** Why no byte was sent, from the error of Node, OpenSSL or undici. */
function unsentBecause(error: Error): OutboundResult {
  if (error instanceof LookupError) {
    return error.refused
      ? { kind: 'refused', reason: 'private_address' }
      : { kind: 'unsent', reason: 'dns' };
  }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === 'UND_ERR_INVALID_ARG') return { kind: 'unsent', reason: 'invalid_request' };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return { kind: 'unsent', reason: 'dns' };
  if (isTlsErrorCode(code)) return { kind: 'unsent', reason: 'tls' };
  return { kind: 'unsent', reason: 'connect' };
}
