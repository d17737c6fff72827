// What a provider with idempotency keys remembers: which key it took, when, and what it answered
// then. Bounded; a key that a flood pushed out is unknown again, which a provider's own forgetting
// looks like, too.

import type { Millis } from '../engine/base/brand.ts';

/** Keys remembered at once; past it the oldest is forgotten. */
const takenKeysMax = 100_000;

/** The keys one stand-in took, with what each stands for. */
export class TakenKeys<Value> {
  readonly #keys = new Map<string, { readonly value: Value; readonly atMs: Millis }>();
  readonly #lifeMs: Millis;

  /** `lifeMs` is how long the provider keeps a key; for ever unless told. */
  constructor(lifeMs: Millis = Number.POSITIVE_INFINITY) {
    this.#lifeMs = lifeMs;
  }

  /** What the key was taken with; `undefined` for a new one and for one past its life. */
  find(key: string, nowMs: Millis): Value | undefined {
    const known = this.#keys.get(key);
    return known !== undefined && nowMs - known.atMs < this.#lifeMs ? known.value : undefined;
  }

  /** Takes a key. */
  take(key: string, value: Value, nowMs: Millis): void {
    this.#keys.delete(key); // a key taken anew is the youngest
    if (this.#keys.size >= takenKeysMax) {
      const oldest = this.#keys.keys().next();
      if (oldest.done !== true) this.#keys.delete(oldest.value);
    }
    this.#keys.set(key, { value, atMs: nowMs });
  }
}
