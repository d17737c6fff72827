// Distinguishes Viber's two limits, which share one number: the bot's rate, and a person's hundred
// messages per hour without an answer. Confusing them would delay everyone because of one person. A
// person refused again, after others got through, is at their own limit.

import type { Millis } from '../../../engine/base/brand.ts';
import { dropOldest } from '../port/bounded-cache.ts';

/** How long a person's limit lasts without an answer. */
const personWindowMs: Millis = 3_600_000;
const entriesMax = 4_096;

interface Refusal {
  /** The account's successes by then. */
  readonly successes: number;
  readonly atMs: Millis;
}

export class ViberThrottle {
  readonly #successes = new Map<string, number>();
  readonly #refusals = new Map<string, Refusal>();

  succeeded(account: string, person: string): void {
    this.#refusals.delete(`${account} ${person}`);
    const before = this.#successes.get(account) ?? 0;
    dropOldest(this.#successes, entriesMax);
    this.#successes.set(account, before + 1);
  }

  /** Records a refusal and returns the limit that it is about. */
  refused(account: string, person: string, nowMs: Millis): 'account' | 'person' {
    const key = `${account} ${person}`;
    const successes = this.#successes.get(account) ?? 0;
    const before = this.#refusals.get(key);
    if (before !== undefined && nowMs - before.atMs < personWindowMs)
      return successes > before.successes ? 'person' : 'account';
    dropOldest(this.#refusals, entriesMax);
    this.#refusals.set(key, { successes, atMs: nowMs });
    return 'account';
  }
}
