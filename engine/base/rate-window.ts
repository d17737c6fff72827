// A sliding window of 60 one-second buckets: never more than the limit in 60 seconds, to the
// millisecond. A bucket counts until 60 seconds after its last charge, so a batch that filled the
// window passes again exactly a minute later. A charge may count up to a second too long.

import type { Millis, Seconds } from './brand.ts';
import { secondMs } from './brand.ts';
import { bytesOfWords, wordsOfBytes } from './words.ts';

const windowMs = 60 * secondMs;
const buckets = 64; // at most 61 are in use at once
const wrap = buckets - 1;

/** A charge's result, with the figures of the rate limit headers. */
interface RateVerdict {
  /** Whether all was charged; otherwise nothing was. */
  readonly ok: boolean;
  /** Left now; null without a limit. */
  readonly remaining: number | null;
  /** Rounded up. After a refusal: until this charge fits; else until the first leaves, or 0. */
  readonly resetSeconds: Seconds;
  /** After a refusal `resetSeconds`, at least 1; else 0. A charge over the limit itself says 60. */
  readonly retryAfterSeconds: Seconds;
}

interface RateWindowSnapshot {
  readonly nowMs: Millis;
  readonly oldest: Seconds;
  readonly newest: Seconds;
  readonly counts: Uint8Array;
  readonly lastMs: Uint8Array;
}

/** One org's use of one lane in the last 60 seconds. 512 bytes. */
export class RateWindow {
  #counts: Uint32Array = new Uint32Array(buckets);
  /** When a bucket's last charge came, in its second. */
  #lastMs: Uint32Array = new Uint32Array(buckets);
  #oldest = 0;
  #newest = -1;
  #sum = 0;
  #nowMs = 0;

  /**
   * Charges `n` (whole, at least 0) or nothing. `limit` is per 60 seconds, null for none; it may
   * change, and earlier charges still count. `nowMs` never decreases.
   */
  take(nowMs: Millis, n: number, limit: number | null): RateVerdict {
    this.#advance(nowMs);
    if (limit !== null && this.#sum + n > limit) {
      const retryAfterSeconds = this.#secondsUntil(limit - n);
      return {
        ok: false,
        remaining: this.#left(limit),
        resetSeconds: retryAfterSeconds,
        retryAfterSeconds,
      };
    }
    if (n > 0) this.#charge(n);
    const resetSeconds = this.#sum === 0 ? 0 : this.#secondsUntil(this.#sum - 1);
    return {
      ok: true,
      remaining: limit === null ? null : this.#left(limit),
      resetSeconds,
      retryAfterSeconds: 0,
    };
  }

  /** Charged in the 60 seconds before `nowMs`. */
  used(nowMs: Millis): number {
    this.#advance(nowMs);
    return this.#sum;
  }

  snapshot(): RateWindowSnapshot {
    return {
      nowMs: this.#nowMs,
      oldest: this.#oldest,
      newest: this.#newest,
      counts: bytesOfWords(this.#counts.slice()),
      lastMs: bytesOfWords(this.#lastMs.slice()),
    };
  }

  static restore(snapshot: RateWindowSnapshot): RateWindow {
    const window = new RateWindow();
    window.#nowMs = snapshot.nowMs;
    window.#oldest = snapshot.oldest;
    window.#newest = snapshot.newest;
    window.#counts = wordsOfBytes(snapshot.counts);
    window.#lastMs = wordsOfBytes(snapshot.lastMs);
    for (const count of window.#counts) window.#sum += count;
    return window;
  }

  #charge(n: number): void {
    const second = Math.floor(this.#nowMs / secondMs);
    if (this.#sum === 0) this.#oldest = second;
    this.#newest = second;
    const at = second & wrap;
    this.#counts[at] = (this.#counts[at] as number) + n;
    this.#lastMs[at] = this.#nowMs - second * secondMs;
    this.#sum += n;
  }

  /** Drops buckets whose last charge is 60 seconds old. */
  #advance(nowMs: number): void {
    if (nowMs > this.#nowMs) this.#nowMs = nowMs;
    while (this.#sum > 0 && this.#leavesAt(this.#oldest) <= this.#nowMs) {
      this.#sum -= this.#counts[this.#oldest & wrap] as number;
      this.#counts[this.#oldest & wrap] = 0;
      this.#oldest++;
    }
  }

  /** When a second's bucket stops counting; an empty one does at once. */
  #leavesAt(second: number): number {
    if (this.#counts[second & wrap] === 0) return 0;
    return second * secondMs + (this.#lastMs[second & wrap] as number) + windowMs;
  }

  #left(limit: number): number {
    return Math.max(0, limit - this.#sum);
  }

  /** Whole seconds until at most `target` is left; at least 1. */
  #secondsUntil(target: number): number {
    if (target < 0) return windowMs / secondMs;
    let sum = this.#sum;
    let atMs = this.#nowMs;
    for (let second = this.#oldest; sum > target && second <= this.#newest; second++) {
      sum -= this.#counts[second & wrap] as number;
      atMs = Math.max(atMs, this.#leavesAt(second));
    }
    return Math.max(1, Math.ceil((atMs - this.#nowMs) / secondMs));
  }
}
