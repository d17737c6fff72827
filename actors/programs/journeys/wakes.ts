// When the runs of one journey wake, without a timer for each. The rows hold every instant already,
// so only the wakes of one hour are picked out, into a bucket a second; the next hour that has any
// is picked when it begins, a few segments of rows at a time. Derived: made anew at a start, never
// written down. What a reader would get wrong: nothing is taken out when a run moves or ends. What
// a bucket says is compared with the row when its second comes, and passed over when it is no
// longer so.

import { hourMs, type Millis, type PersonOrdinal, secondMs } from '../../../engine/base/brand.ts';
import { endOfRows, type Runs } from './runs.ts';
import { WakeBucket } from './wake-bucket.ts';

const horizonMs = hourMs;
/**
 * Segments of rows that one call of `take` goes over while it picks: some 50,000 rows, about a
 * millisecond.
 */
const segmentsPerCall = 8;
const never = Number.POSITIVE_INFINITY;

export class Wakes {
  readonly #runs: Runs;
  /**
   * The hour that was picked; none at first, so that the first look finds out which it has to be.
   */
  #fromMs: Millis = 0;
  #untilMs: Millis = 0;
  #buckets: (WakeBucket | undefined)[] = [];
  /** The first bucket that may hold something. */
  #first = 0;
  /** No wake behind the hour lies before this. */
  #beyondMs: Millis = never;
  /** Where the look over the rows goes on; undefined when none is under way. */
  #cursor: number | undefined = 0;

  /** Wakes of these runs. Whoever adds or moves one says so by `add`. */
  constructor(runs: Runs) {
    this.#runs = runs;
  }

  /** No wake comes before this; infinite when nobody waits. 0 while it looks. */
  get nextMs(): Millis {
    if (this.#cursor !== undefined) return 0;
    const bucket = this.#firstBucket();
    return bucket === undefined ? this.#beyondMs : this.#firstMsOf(bucket);
  }

  get byteLength(): number {
    return this.#buckets.reduce((sum, bucket) => sum + (bucket?.byteLength ?? 0), 0);
  }

  /**
   * Somebody waits until an instant from now on; or was handed out, was not moved, and shall be
   * handed out again.
   */
  add(person: PersonOrdinal, wakeMs: Millis): void {
    if (wakeMs >= this.#untilMs) {
      this.#beyondMs = Math.min(this.#beyondMs, wakeMs);
      return;
    }
    const behindMs = Math.max(0, wakeMs - this.#fromMs);
    const index = Math.floor(behindMs / secondMs);
    let bucket = this.#buckets[index];
    if (bucket === undefined) {
      bucket = new WakeBucket();
      this.#buckets[index] = bucket;
    }
    bucket.add(person, behindMs - index * secondMs);
    this.#first = Math.min(this.#first, index);
  }

  /**
   * Who is due by now, the first first: looks at so many at most, and passes over those who have
   * moved meanwhile. As long as `nextMs` says that there are more, call it again. What became of
   * them is to be folded before: who is still where they were may be handed out once more, and if
   * not, whoever wants to be has to be added.
   */
  take(nowMs: Millis, max: number): PersonOrdinal[] {
    const due = new Set<PersonOrdinal>();
    let left = max;
    if (this.#cursor !== undefined) this.#look();
    while (this.#cursor === undefined && left > 0) {
      const bucket = this.#firstBucket();
      if (bucket === undefined) {
        if (this.#beyondMs > nowMs) break;
        this.#begin();
        this.#look();
        continue;
      }
      const dueMs = this.#firstMsOf(bucket);
      if (dueMs > nowMs) break;
      const person = bucket.shift();
      left--;
      const wakeMs = this.#runs.wakeMsOf(person);
      if (wakeMs > 0 && wakeMs <= dueMs) due.add(person);
    }
    return [...due];
  }

  #firstBucket(): WakeBucket | undefined {
    for (; this.#first < this.#buckets.length; this.#first++) {
      const bucket = this.#buckets[this.#first];
      if (bucket === undefined) continue;
      if (!bucket.isEmpty) return bucket;
      this.#buckets[this.#first] = undefined;
    }
    return undefined;
  }

  #firstMsOf(bucket: WakeBucket): Millis {
    return this.#fromMs + this.#first * secondMs + bucket.firstMillis;
  }

  /** Goes on to the hour that begins with the first wake behind this one. */
  #begin(): void {
    this.#fromMs = Math.floor(this.#beyondMs / secondMs) * secondMs;
    this.#untilMs = this.#fromMs + horizonMs;
    this.#buckets = new Array(horizonMs / secondMs).fill(undefined);
    this.#first = 0;
    this.#beyondMs = never;
    this.#cursor = 0;
  }

  #look(): void {
    let cursor = this.#cursor ?? endOfRows;
    for (let left = segmentsPerCall; left > 0 && cursor < endOfRows; left--)
      cursor = this.#runs.visit(cursor, (person, wakeMs) => this.add(person, wakeMs));
    this.#cursor = cursor < endOfRows ? cursor : undefined;
  }
}
