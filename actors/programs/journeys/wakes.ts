// When the runs of one journey wake, without a timer each. Rows hold every instant; only wakes of
// one hour are collected, into a bucket per second. The next such hour is collected when it begins,
// a few segments at a time. Derived: rebuilt at start. Moves and ends remove nothing: an outdated
// entry is skipped when its second comes.

import { hourMs, type Millis, type PersonOrdinal, secondMs } from '../../../engine/base/brand.ts';
import { endOfRows, type Runs } from './runs.ts';
import { WakeBucket } from './wake-bucket.ts';

const horizonMs = hourMs;
/** Segments per call of `take` while collecting: some 50,000 rows, about a millisecond. */
const segmentsPerCall = 8;
const never = Number.POSITIVE_INFINITY;

export class Wakes {
  readonly #runs: Runs;
  /** The collected hour; empty at first, so that the first call finds the right one. */
  #fromMs: Millis = 0;
  #untilMs: Millis = 0;
  #buckets: (WakeBucket | undefined)[] = [];
  /** The first bucket that may hold people. */
  #first = 0;
  /** No wake after the hour is earlier than this. */
  #beyondMs: Millis = never;
  /** Where collecting goes on; `undefined` when finished. */
  #cursor: number | undefined = 0;

  /** Report each run that is added or moved by `add`. */
  constructor(runs: Runs) {
    this.#runs = runs;
  }

  /** No wake is earlier; infinite if nobody waits, 0 while collecting. */
  get nextMs(): Millis {
    if (this.#cursor !== undefined) return 0;
    const bucket = this.#firstBucket();
    return bucket === undefined ? this.#beyondMs : this.#firstMsOf(bucket);
  }

  get byteLength(): number {
    return this.#buckets.reduce((sum, bucket) => sum + (bucket?.byteLength ?? 0), 0);
  }

  /** Adds a wake; also to hand a person out again who was not moved. */
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
   * The next due people, in order; looks at no more than `max`. Call again while `nextMs` is due,
   * but fold their moves first. A person who was not moved comes again only if `add` is called.
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

  /** Moves on to the hour that begins with the next wake. */
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
