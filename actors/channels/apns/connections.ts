// The connections to APNs of one dispatch thread: a few per (origin, account). Accounts never share
// one: Apple refuses a second team's token on a connection (developer forums, threads 72999 and
// 702056). `call` always resolves and says whether Apple can have seen the call.

import type { Millis } from '../../../engine/base/brand.ts';
import type { OutboundResult } from '../outbound/outbound-call.ts';
import { type ApnsCallRequest, type CallOwner, PendingCall } from './call.ts';
import { ApnsConnection, type ConnectionTimings } from './connection.ts';

export type { ApnsCallRequest };

export interface ApnsConnections {
  call(request: ApnsCallRequest): Promise<OutboundResult>;
  /** Accepts no more calls, waits up to `graceMs` (10 s) for those in flight, then closes. */
  close(graceMs?: Millis): Promise<void>;
}

export interface ApnsConnectionsConfig extends Partial<ConnectionTimings> {
  /** From queueing to the last byte; default 10 s. */
  readonly timeoutMs?: Millis;
  /** How often a quiet connection is pinged; default 60 s. */
  readonly pingEveryMs?: Millis;
  /** Trusted certificates instead of the system's, in PEM. For tests. */
  readonly certificateAuthorities?: string;
}

/** Per account and origin. 64 parallel calls need one, unless Apple allows few streams. */
const connectionsMax = 8;
/** Includes draining ones: each closes within the time limit of its last call. */
const connectionsMaxWithDraining = 32;
/** Accounts with open connections; the longest-idle one makes room. */
const accountsMax = 512;
/** Calls waiting and in flight per account; more are `unsent`, reason `saturated`. */
const callsMax = 4096;
const repeatsMax = 5;
/** Close after this many quiet periods of `pingEveryMs`: half an hour. */
const quietPeriodsMax = 30;

export function createApnsConnections(config: ApnsConnectionsConfig = {}): ApnsConnections {
  const { timeoutMs = 10_000, pingEveryMs = 60_000 } = config;
  const accounts = new Map<string, Account>();
  let pinging: NodeJS.Timeout | undefined;
  let isClosed = false;
  let whenDone: (() => void) | undefined;

  function accountFor({ origin, account: name }: ApnsCallRequest): Account | undefined {
    const key = `${origin} ${name}`;
    const known = accounts.get(key);
    if (known !== undefined) {
      accounts.delete(key); // last in the map is last used
      accounts.set(key, known);
      return known;
    }
    if (accounts.size >= accountsMax && !makeRoom(accounts)) return undefined;
    const account = new Account(origin, config, () => {
      if (isClosed && isQuiet()) whenDone?.();
    });
    accounts.set(key, account);
    pinging ??= setInterval(lookAfter, pingEveryMs).unref();
    return account;
  }

  function lookAfter(): void {
    for (const [key, account] of accounts) {
      account.lookAfter();
      if (account.isEmpty) accounts.delete(key);
    }
  }

  function isQuiet(): boolean {
    for (const account of accounts.values()) if (account.calls > 0) return false;
    return true;
  }

  return {
    call(request) {
      if (isClosed) return Promise.resolve({ kind: 'unsent', reason: 'closed' });
      const account = accountFor(request);
      if (account === undefined || account.calls >= callsMax) {
        return Promise.resolve({ kind: 'unsent', reason: 'saturated' });
      }
      return new Promise<OutboundResult>((resolve) => {
        account.take(new PendingCall(request, timeoutMs, account, resolve));
      });
    },
    async close(graceMs = 10_000) {
      isClosed = true;
      clearInterval(pinging);
      if (!isQuiet()) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, graceMs);
          whenDone = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      for (const account of accounts.values()) account.close();
      accounts.clear();
    },
  };
}

class Account implements CallOwner {
  /** Waiting and in flight. */
  calls = 0;
  readonly #origin: string;
  readonly #config: ApnsConnectionsConfig;
  readonly #settled: () => void;
  readonly #connections: ApnsConnection[] = [];
  readonly #waiting = new Set<PendingCall>();
  #isClosed = false;

  constructor(origin: string, config: ApnsConnectionsConfig, settled: () => void) {
    this.#origin = origin;
    this.#config = config;
    this.#settled = settled;
  }

  get isEmpty(): boolean {
    return this.calls === 0 && this.#connections.length === 0;
  }

  take(call: PendingCall): void {
    this.calls++;
    this.#waiting.add(call);
    this.#startWaiting();
  }

  expired(call: PendingCall): void {
    // Apple may be slow, or the connection dead.
    const connection = call.startedOn;
    if (connection instanceof ApnsConnection) connection.ping();
  }

  settled(call: PendingCall): void {
    this.calls--;
    this.#waiting.delete(call);
    this.#settled();
  }

  /** Once per period: pings quiet connections and closes long-unused ones. */
  lookAfter(): void {
    for (const connection of [...this.#connections]) {
      if (connection.isIdle && connection.quietPeriods >= quietPeriodsMax) connection.drain();
      else if (connection.quietPeriods++ > 0) connection.ping();
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const call of [...this.#waiting]) call.settle({ kind: 'unsent', reason: 'closed' });
    for (const connection of [...this.#connections]) connection.destroy();
  }

  #startWaiting(): void {
    for (const call of this.#waiting) {
      const connection = this.#connections.find((one) => one.hasRoom);
      if (connection === undefined) {
        this.#connectSoon();
        return;
      }
      this.#waiting.delete(call);
      if (call.request.mayBegin?.() === false) call.settle({ kind: 'unsent', reason: 'recalled' });
      else if (!connection.start(call)) this.#waiting.add(call);
    }
  }

  /** One connection is opened at a time: it may have room for all waiting calls. */
  #connectSoon(): void {
    if (this.#isClosed || this.#connections.length >= connectionsMaxWithDraining) return;
    if (this.#connections.some((one) => one.isConnecting)) return;
    const staying = this.#connections.filter((one) => !one.isDraining).length;
    if (staying >= connectionsMax) return;
    const {
      connectTimeoutMs = 3_000,
      pingTimeoutMs = 5_000,
      certificateAuthorities,
    } = this.#config;
    this.#connections.push(
      new ApnsConnection(
        this.#origin,
        { connectTimeoutMs, pingTimeoutMs },
        certificateAuthorities,
        {
          hasRoom: () => this.#startWaiting(),
          unprocessed: (call) => this.#again(call),
          gone: (connection, reason) => {
            this.#connections.splice(this.#connections.indexOf(connection), 1);
            if (reason !== undefined && this.#connections.length === 0) {
              for (const call of [...this.#waiting]) call.settle({ kind: 'unsent', reason });
            }
            this.#startWaiting();
          },
        },
      ),
    );
  }

  #again(call: PendingCall): void {
    call.repeats++;
    if (this.#isClosed) call.settle({ kind: 'unsent', reason: 'closed' });
    else if (call.repeats > repeatsMax) call.settle({ kind: 'unsent', reason: 'saturated' });
    else this.#waiting.add(call);
  }
}

/** Closes the longest-idle account; false if all are busy. */
function makeRoom(accounts: Map<string, Account>): boolean {
  for (const [key, account] of accounts) {
    if (account.calls > 0) continue;
    accounts.delete(key);
    account.close();
    return true;
  }
  return false;
}
