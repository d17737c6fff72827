// What a dispatch thread remembers of accounts and tokens, within bounds.

import type { Millis } from '../../engine/base/brand.ts';

/**
 * Remembers which credentials worked recently. Some responses mean "this token" when other sends of
 * the same credential succeed, and "this credential" when none does. Confusing the two would
 * disable a whole audience.
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

/** Removes the entry that was added first where the map has reached `sizeMax`. */
export function dropOldest(map: Map<string, unknown>, sizeMax: number): void {
  if (map.size < sizeMax) return;
  const oldest = map.keys().next();
  if (oldest.done !== true) map.delete(oldest.value);
}
