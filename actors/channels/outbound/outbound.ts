// The only HTTP client. `call` always resolves and says whether the server can have seen anything:
// `unsent` is safe to repeat, `unanswered` may have happened. `trusted` destinations are the
// operator's provider addresses; `guarded` ones come from tenants or browsers, and their names are
// checked inside the connection's own lookup (network-guard.ts).

import { Resolver } from 'node:dns/promises';
import { buildConnector, type Dispatcher, Pool } from 'undici';
import type { Bytes, Millis } from '../../../engine/base/brand.ts';
import { guardedLookup, type NameResolver } from './guarded-lookup.ts';
import { type CallCount, HttpCall } from './http-call.ts';
import type { Outbound, OutboundCall, OutboundResult } from './outbound-call.ts';
import { ReadBudget } from './read-budget.ts';
import { type CallTarget, Targets } from './targets.ts';

export type { NameResolver };

export interface OutboundConfig {
  /** Development: guarded destinations may use http, any port and private addresses. */
  readonly allowPrivateNetworks: boolean;
  /** For guarded names; default c-ares, so slow names never occupy the store's thread pool. */
  readonly resolver?: NameResolver;
  /** The default for calls without a timeout; 10 s. */
  readonly timeoutMs?: Millis;
  readonly connectTimeoutMs?: Millis;
  /** Connections per origin; default 256 to trusted destinations and 64 to guarded ones. */
  readonly connectionsMax?: number;
  /** Origins with open connections; default 1,024. */
  readonly originsMax?: number;
  /** How long an idle connection is kept, unless the server says less; default 20 s. */
  readonly idleMs?: Millis;
  /** Of one guarded answer with its headers and framing; default 1 MiB. */
  readonly wireBytesMax?: Bytes;
  /** Trusted certificates instead of the system's, in PEM. For tests. */
  readonly certificateAuthorities?: string;
}

/** Enough for every provider's error body, and no receiver can fill the memory. */
export const answerBytesMax: Bytes = 16 * 1024;
const timeoutMsDefault: Millis = 10_000;
const connectTimeoutMsDefault: Millis = 3_000;
const connectionsMaxDefault = { trusted: 256, guarded: 64 } as const;
/** Calls waiting and in flight per origin; more are `unsent`, reason `saturated`. */
const callsPerOriginMax = 4096;
/** Open origins; the longest-unused one makes room if it is idle. */
const originsMaxDefault = 1024;
const idleMsDefault: Millis = 20_000;
/** Bytes of one guarded answer on the wire: its headers, its framing and at most 64 KiB of body. */
const wireBytesMaxDefault: Bytes = 1024 * 1024;

/** The client. One instance serves a thread; it opens connections on demand and keeps them. */
export function createOutbound(config: OutboundConfig): Outbound {
  const origins = new Map<string, Origin>();
  const timeoutMs = config.timeoutMs ?? timeoutMsDefault;
  const originsMax = config.originsMax ?? originsMaxDefault;
  const budget = new ReadBudget(config.wireBytesMax ?? wireBytesMaxDefault);
  const targets = new Targets(config.allowPrivateNetworks);
  let closed = false;
  let uses = 0;

  function originFor(
    { origin: name, originKey }: CallTarget,
    destination: OutboundCall['destination'],
  ): Origin | undefined {
    let origin = origins.get(originKey);
    if (origin === undefined) {
      if (origins.size >= originsMax && !makeRoom(origins)) return undefined;
      origin = { pool: openPool(name, destination, config, budget), calls: 0, usedAt: 0 };
      origins.set(originKey, origin);
    }
    origin.usedAt = ++uses;
    return origin;
  }

  return {
    allowPrivateNetworks: config.allowPrivateNetworks,
    call(call) {
      if (closed) return Promise.resolve({ kind: 'unsent', reason: 'closed' });
      const target = targets.of(call);
      if ('kind' in target) return Promise.resolve(target);
      const origin = originFor(target, call.destination);
      if (origin === undefined || origin.calls >= callsPerOriginMax) {
        return Promise.resolve({ kind: 'unsent', reason: 'saturated' });
      }
      return new Promise<OutboundResult>((resolve) => {
        const pending = new HttpCall(resolve, origin, {
          timeoutMs: call.timeoutMs ?? timeoutMs,
          bytesMax: call.answerBytesMax ?? answerBytesMax,
          mayBegin: call.mayBegin,
          budget,
          wantsBytes: call.wantsBytes,
        });
        const request = {
          path: target.path,
          method: call.method,
          headers: { 'accept-encoding': 'identity', ...call.headers },
          body: call.body ?? null,
        };
        setImmediate(dispatch, origin.pool, request, pending);
      });
    },
    async close(graceMs = 10_000) {
      closed = true;
      await new Promise(setImmediate); // calls of this tick are on their way
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

/**
 * A connection is free a tick after its answer. Whoever sends the next call as soon as it has the
 * last answer would open a second connection meanwhile, so calls leave behind that tick.
 */
function dispatch(pool: Pool, request: Dispatcher.DispatchOptions, call: HttpCall): void {
  pool.dispatch(request, call);
}

interface Origin extends CallCount {
  readonly pool: Pool;
  /** A use count, not a time: the smallest is longest unused. */
  usedAt: number;
}

function openPool(
  origin: string,
  destination: OutboundCall['destination'],
  config: OutboundConfig,
  budget: ReadBudget,
): Pool {
  const lookup =
    destination === 'guarded'
      ? guardedLookup(
          config.resolver ?? new Resolver({ timeout: 1000, tries: 2 }),
          config.allowPrivateNetworks,
        )
      : undefined;
  const idleMs = config.idleMs ?? idleMsDefault;
  const connect = buildConnector({
    timeout: config.connectTimeoutMs ?? connectTimeoutMsDefault,
    ...(lookup && { lookup }),
    ...(config.certificateAuthorities !== undefined && { ca: config.certificateAuthorities }),
  });
  return new Pool(origin, {
    connections: config.connectionsMax ?? connectionsMaxDefault[destination],
    // No pipelining, so nothing waits behind a slow response; it also measures faster.
    pipelining: 1,
    keepAliveTimeout: idleMs,
    // Undici lets a server's `Keep-Alive` header raise it to ten minutes.
    keepAliveMaxTimeout: idleMs,
    headersTimeout: 0, // the call's own deadline covers both; undici's are coarse
    bodyTimeout: 0,
    connect:
      destination === 'trusted'
        ? connect
        : (options, callback) =>
            connect(options, (...result) => {
              if (result[0] === null) budget.watch(result[1]);
              callback(...result);
            }),
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
