// What a dispatch thread remembers about accounts and tokens, within bounds.

import type { Millis } from '../../../engine/base/brand.ts';

/**
 * Credentials that worked recently. Some responses mean "bad token" if other sends succeed, and
 * "bad credential" if none does; confusing them would disable a whole audience.
 */
export class RecentSuccess {
  readonly #atMs = new Map<string, Millis>();

  note(fingerprint: string, nowMs: Millis): void {
    if (!this.#atMs.has(fingerprint)) dropOldest(this.#atMs, successesMax);
    this.#atMs.set(fingerprint, nowMs);
  }

  /** Whether it succeeded within the last ten minutes. */
  has(fingerprint: string, nowMs: Millis): boolean {
    const atMs = this.#atMs.get(fingerprint);
    return atMs !== undefined && nowMs - atMs < successWindowMs;
  }
}

const successesMax = 4096;
const successWindowMs: Millis = 10 * 60_000;

/** Removes the oldest entry once the map has `sizeMax`. */
export function dropOldest(map: Map<string, unknown>, sizeMax: number): void {
  if (map.size < sizeMax) return;
  const oldest = map.keys().next();
  if (oldest.done !== true) map.delete(oldest.value);
}
