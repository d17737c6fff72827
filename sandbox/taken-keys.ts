// A provider's idempotency keys. Bounded; a dropped key is new again, as at a real provider.

import type { Millis } from '../engine/base/brand.ts';

/** Drops the oldest when full. */
const takenKeysMax = 100_000;

export class TakenKeys<Value> {
  readonly #keys = new Map<string, { readonly value: Value; readonly atMs: Millis }>();
  readonly #lifeMs: Millis;

  /** `lifeMs`: how long the provider keeps a key; default forever. */
  constructor(lifeMs: Millis = Number.POSITIVE_INFINITY) {
    this.#lifeMs = lifeMs;
  }

  /** `undefined` for a new or expired key. */
  find(key: string, nowMs: Millis): Value | undefined {
    const known = this.#keys.get(key);
    return known !== undefined && nowMs - known.atMs < this.#lifeMs ? known.value : undefined;
  }

  take(key: string, value: Value, nowMs: Millis): void {
    this.#keys.delete(key); // a key taken anew is the youngest
    if (this.#keys.size >= takenKeysMax) {
      const oldest = this.#keys.keys().next();
      if (oldest.done !== true) this.#keys.delete(oldest.value);
    }
    this.#keys.set(key, { value, atMs: nowMs });
  }
}
