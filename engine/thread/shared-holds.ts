// Instants until which something is on hold, which some threads set and others ask for. They are
// found by a hash of a name: two names may share a place, and then one also holds the other.

import type { Millis } from '../base/brand.ts';
import { hash32 } from '../base/hash.ts';

const places = 4_096;

/** The size of the memory that the threads share; zero at first. */
export const sharedHoldsBytes = 4 * places;

export class SharedHolds {
  /** Milliseconds modulo 2³²; 0 for none. */
  readonly #words: Int32Array;

  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(sharedHoldsBytes)) {
    this.#words = new Int32Array(buffer);
  }

  /** Names are looked up once: asking whether a place is held costs one load. */
  static placeOf(name: string): number {
    return hash32(name) % places;
  }

  hold(place: number, untilMs: Millis): void {
    Atomics.store(this.#words, place, untilMs | 0 || 1);
  }

  lift(place: number): void {
    Atomics.store(this.#words, place, 0);
  }

  /** `holdMs`: the longest hold. One that ends later is of before the clock was set back. */
  isHeld(place: number, now: () => Millis, holdMs: Millis): boolean {
    const word = Atomics.load(this.#words, place);
    if (word === 0) return false;
    const leftMs = (word - now()) | 0;
    if (leftMs > 0 && leftMs <= holdMs) return true;
    Atomics.compareExchange(this.#words, place, word, 0);
    return false;
  }
}
