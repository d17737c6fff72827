// Whether an owner may answer reads and begin calls to providers: for a while after it published a
// frame that the log then took. A turn needs no lease, for the log itself refuses those of an owner
// of before. The lease makes such an owner silent before the next one starts.

import type { Millis } from '../base/brand.ts';

/** Since the newest committed frame was published. */
const leaseMs: Millis = 3_500;
/**
 * After reading an owner's frame: its lease is over. A hundredth more, for clocks that run at
 * different speeds; a clock that is not broken is off by less than a thousandth.
 */
export const leaseOverMs: Millis = leaseMs * 1.01;
/** An owner that has no turn says in the log that it lives, so often. */
const idleMs: Millis = 1_000;

/**
 * By partition, until when its lease holds: one thread sets it, and those that call providers look
 * before each call. Instants are of a monotonic clock that all of these threads share, such as
 * `process.hrtime`; each thread counts `performance.now` from its own start.
 */
export class LeaseWords {
  /** Milliseconds modulo 2³²; 0 for none. */
  readonly #words: Int32Array;

  /** Four bytes for each partition, zero at first. */
  constructor(buffer: SharedArrayBuffer) {
    this.#words = new Int32Array(buffer);
  }

  hold(partition: number, untilMs: Millis): void {
    Atomics.store(this.#words, partition, untilMs | 0 || -1);
  }

  end(partition: number): void {
    Atomics.store(this.#words, partition, 0);
  }

  isHeld(partition: number, nowMs: Millis): boolean {
    const word = Atomics.load(this.#words, partition);
    if (word === 0) return false;
    const leftMs = (word - nowMs) | 0;
    if (leftMs > 0 && leftMs <= leaseMs) return true;
    // Forgotten, or it would seem to hold again when the milliseconds have gone round.
    Atomics.compareExchange(this.#words, partition, word, 0);
    return false;
  }
}

interface LeaseOptions {
  readonly words: LeaseWords;
  readonly partition: number;
  /** The clock of the words. */
  readonly monotonic: () => Millis;
}

/** One partition's, as its owner keeps it. */
export class Lease {
  readonly #options: LeaseOptions;
  #publishedMs: Millis = Number.NEGATIVE_INFINITY;
  #isSuspended = false;

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  get isHeld(): boolean {
    const { words, partition, monotonic } = this.#options;
    return words.isHeld(partition, monotonic());
  }

  /** An idle frame is due. */
  get isIdleDue(): boolean {
    return this.#options.monotonic() - this.#publishedMs >= idleMs * 0.75;
  }

  /** The log has a frame of this owner that was published at this instant, at first. */
  committed(publishedMs: Millis): void {
    this.#publishedMs = publishedMs;
    if (this.#isSuspended) return;
    this.#options.words.hold(this.#options.partition, publishedMs + leaseMs);
  }

  /** Before a move: nothing is begun or answered until `resume`, whatever is committed. */
  suspend(): void {
    this.#isSuspended = true;
    this.#options.words.end(this.#options.partition);
  }

  /** The move did not take place. The next frame that is committed brings the lease back. */
  resume(): void {
    this.#isSuspended = false;
    this.#publishedMs = Number.NEGATIVE_INFINITY;
  }

  /** The term is lost or given away. */
  end(): void {
    this.resume();
    this.#options.words.end(this.#options.partition);
  }
}
