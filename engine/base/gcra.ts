// The generic cell rate algorithm, one number a key: a smooth ceiling for callers that have no window to report, such
// as an address without a key. The number of keys is bounded: a key at rest is the same as one never seen and is
// forgotten; when all are busy, new keys share one allowance, so that a flood of addresses cannot lift its own ceiling.

import type { Millis, Seconds } from './brand.ts';
import { secondMs } from './brand.ts';

/** A ceiling. */
export interface GcraRule {
  /** How many pass in `periodMs` in the long run. */
  readonly limit: number;
  readonly periodMs: Millis;
  /** How many may pass at once after a rest; at least 1. */
  readonly burst: number;
}

// Instants are doubles: around the year 2026 they are exact to 0.0003 ms, and the errors of a burst add up.
const slackMs = 0.01;

/** What became of a call. */
export interface GcraVerdict {
  readonly ok: boolean;
  /** How many more would pass at once. */
  readonly remaining: number;
  /** Whole seconds until a call like this would pass, at least 1; 0 when it passed. */
  readonly retryAfterSeconds: Seconds;
}

/** Plain data from which `Gcra.restore` makes the same limiter. */
export interface GcraSnapshot {
  readonly keys: readonly string[];
  /** For each key the instant at which it will have its whole burst again, in milliseconds. */
  readonly restsAtMs: readonly number[];
  readonly sharedRestsAtMs: number;
}

/** A limiter of many keys under one rule. */
export class Gcra {
  readonly #intervalMs: number;
  readonly #burst: number;
  readonly #maxKeys: number;
  readonly #restsAt = new Map<string, number>();
  #sharedRestsAt = 0;

  constructor(rule: GcraRule, maxKeys: number) {
    this.#intervalMs = rule.periodMs / rule.limit;
    this.#burst = rule.burst;
    this.#maxKeys = maxKeys;
  }

  /** How many keys it holds; never more than `maxKeys`. */
  get keys(): number {
    return this.#restsAt.size;
  }

  /** Takes `n` for a key, all or nothing. `n` is at most the burst: more never passes. */
  take(key: string, nowMs: Millis, n = 1): GcraVerdict {
    const own = this.#restsAt.get(key);
    if (own === undefined) this.#forgetRested(nowMs);
    const isShared = own === undefined && this.#restsAt.size >= this.#maxKeys;
    const restsAt = Math.max(nowMs, own ?? (isShared ? this.#sharedRestsAt : 0));
    const next = restsAt + n * this.#intervalMs;
    const roomMs = this.#burst * this.#intervalMs;
    if (next - nowMs > roomMs + slackMs) {
      const waitSeconds = Math.ceil((next - nowMs - roomMs) / secondMs);
      return {
        ok: false,
        remaining: this.#remaining(restsAt - nowMs),
        retryAfterSeconds: Math.max(1, waitSeconds),
      };
    }
    if (isShared) this.#sharedRestsAt = next;
    else this.#restsAt.set(key, next);
    return { ok: true, remaining: this.#remaining(next - nowMs), retryAfterSeconds: 0 };
  }

  /** The keys in the order they are looked over, as plain data. */
  snapshot(): GcraSnapshot {
    return {
      keys: [...this.#restsAt.keys()],
      restsAtMs: [...this.#restsAt.values()],
      sharedRestsAtMs: this.#sharedRestsAt,
    };
  }

  /** The limiter of a snapshot, under a rule that may be another. */
  static restore(snapshot: GcraSnapshot, rule: GcraRule, maxKeys: number): Gcra {
    const gcra = new Gcra(rule, maxKeys);
    snapshot.keys.forEach((key, i) => {
      gcra.#restsAt.set(key, snapshot.restsAtMs[i] ?? 0);
    });
    gcra.#sharedRestsAt = snapshot.sharedRestsAtMs;
    return gcra;
  }

  #remaining(busyMs: number): number {
    return Math.max(0, Math.floor(this.#burst - (busyMs - slackMs) / this.#intervalMs));
  }

  /** Looks at the two keys not looked at longest: two for each key that comes keeps the table as small as it can be. */
  #forgetRested(nowMs: number): void {
    for (let looked = 0; looked < 2; looked++) {
      const first = this.#restsAt.entries().next().value;
      if (first === undefined) return;
      const [key, restsAt] = first;
      this.#restsAt.delete(key);
      if (restsAt > nowMs) this.#restsAt.set(key, restsAt);
    }
  }
}
