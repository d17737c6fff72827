// Tells Viber's two limits apart, which have one number: how fast a bot may send, and how much one
// person may get (a hundred messages an hour until they answer). Easily got wrong: taking the
// second for the first holds up everybody for somebody who never answers. Who is refused again,
// after others got through, is at a limit of their own.

import type { Millis } from '../../../engine/base/brand.ts';
import { dropOldest } from '../drop-oldest.ts';

/** How long a person's limit lasts where they do not answer. */
const personWindowMs: Millis = 3_600_000;
const entriesMax = 4_096;

interface Refusal {
  /** How many of the account's messages had got through by then. */
  readonly successes: number;
  readonly atMs: Millis;
}

/** What was refused for its number lately, of all accounts. */
export class ViberThrottle {
  readonly #successes = new Map<string, number>();
  readonly #refusals = new Map<string, Refusal>();

  /** Notes that the account's message got through to this person. */
  succeeded(account: string, person: string): void {
    this.#refusals.delete(`${account} ${person}`);
    const before = this.#successes.get(account) ?? 0;
    dropOldest(this.#successes, entriesMax);
    this.#successes.set(account, before + 1);
  }

  /** Notes a refusal, and says whose limit it is. */
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
