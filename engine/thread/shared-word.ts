// Words shared by threads: a gate for one at a time, a flag, counts, an instant. No thread waits;
// it retries.

import { type Millis, secondMs } from '../base/brand.ts';

const free = 0;
const taken = 1;

/** Threads that share the buffer enter one at a time. */
export class SharedGate {
  readonly #word: Int32Array;

  /** At least four bytes, zero at first. */
  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(4)) {
    this.#word = new Int32Array(buffer, 0, 1);
  }

  /** True if it was free and is now the caller's. */
  tryEnter(): boolean {
    return Atomics.compareExchange(this.#word, 0, free, taken) === free;
  }

  leave(): void {
    Atomics.store(this.#word, 0, free);
  }
}

/** A count for each of some threads, which they raise and others read. */
export class SharedCounts {
  readonly #words: Int32Array;

  /** Four bytes for each thread, zero at first. */
  constructor(buffer: SharedArrayBuffer) {
    this.#words = new Int32Array(buffer);
  }

  raise(thread: number): void {
    Atomics.add(this.#words, thread, 1);
  }

  /** Whether a thread's count is above `seen`. Counts wrap. */
  isAbove(thread: number, seen: number): boolean {
    return ((Atomics.load(this.#words, thread) - seen) | 0) > 0;
  }
}

export class StopFlag {
  readonly word: Int32Array;

  /** `word`: another thread's flag. */
  constructor(word: Int32Array = new Int32Array(new SharedArrayBuffer(4))) {
    this.word = word;
  }

  get isSet(): boolean {
    return Atomics.load(this.word, 0) !== 0;
  }

  set(): void {
    Atomics.store(this.word, 0, 1);
  }
}

/** An instant, to the second, that one thread sets and others read. */
export class SharedInstant {
  readonly #word: Uint32Array;

  /** At least four bytes, zero at first. */
  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(4)) {
    this.#word = new Uint32Array(buffer, 0, 1);
  }

  /** 0 if it was never set. */
  get ms(): Millis {
    return Atomics.load(this.#word, 0) * secondMs;
  }

  set(ms: Millis): void {
    Atomics.store(this.#word, 0, Math.floor(ms / secondMs));
  }
}
