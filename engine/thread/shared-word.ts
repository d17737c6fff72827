// Words shared by the threads of a process: a gate that one thread holds at a time, and a flag that
// one sets for another. They carry no data, and no thread waits on them: one that finds the gate
// closed comes back later.

const free = 0;
const taken = 1;

/** One thing at a time in a whole process: the threads that share the buffer enter in turn. */
export class SharedGate {
  readonly #word: Int32Array;

  /** `buffer`: four bytes or more, zero at first. */
  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(4)) {
    this.#word = new Int32Array(buffer, 0, 1);
  }

  /** True when it was free and is now the caller's. */
  tryEnter(): boolean {
    return Atomics.compareExchange(this.#word, 0, free, taken) === free;
  }

  leave(): void {
    Atomics.store(this.#word, 0, free);
  }
}

/** A flag that a running task can see. */
export class StopFlag {
  readonly word: Int32Array;

  /** Takes up the flag that another thread made. */
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
