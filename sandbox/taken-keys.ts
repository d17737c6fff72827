// A provider's memory of idempotency keys: when each was used, and with which response. Bounded; a
// forgotten key is new again, as at a real provider.

import type { Millis } from '../engine/base/brand.ts';

/** Keys remembered at once; when full, the oldest is forgotten. */
const takenKeysMax = 100_000;

/** The keys that one stand-in has seen, with their values. */
export class TakenKeys<Value> {
  readonly #keys = new Map<string, { readonly value: Value; readonly atMs: Millis }>();
  readonly #lifeMs: Millis;

  /** `lifeMs` is how long the provider keeps a key; forever by default. */
  constructor(lifeMs: Millis = Number.POSITIVE_INFINITY) {
    this.#lifeMs = lifeMs;
  }

  /** The value of a key; `undefined` for a new or expired one. */
  find(key: string, nowMs: Millis): Value | undefined {
    const known = this.#keys.get(key);
    return known !== undefined && nowMs - known.atMs < this.#lifeMs ? known.value : undefined;
  }

  /** Remembers a key. */
  take(key: string, value: Value, nowMs: Millis): void {
    this.#keys.delete(key); // a key taken anew is the youngest
    if (this.#keys.size >= takenKeysMax) {
      const oldest = this.#keys.keys().next();
      if (oldest.done !== true) this.#keys.delete(oldest.value);
    }
    this.#keys.set(key, { value, atMs: nowMs });
  }
}
