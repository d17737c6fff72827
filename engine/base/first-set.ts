// A fixed set of small numbers with fast next-member search: a bit each, and one per used word.

/** Numbers in [0, size). */
export class FirstSet {
  readonly #words: Uint32Array;
  readonly #summary: Uint32Array;

  constructor(size: number) {
    this.#words = new Uint32Array(((size + 1023) >>> 10) << 5);
    this.#summary = new Uint32Array(this.#words.length >>> 5);
  }

  add(value: number): void {
    const word = value >>> 5;
    this.#words[word] = (this.#words[word] as number) | (1 << (value & 31));
    this.#summary[word >>> 5] = (this.#summary[word >>> 5] as number) | (1 << (word & 31));
  }

  delete(value: number): void {
    const word = value >>> 5;
    const left = (this.#words[word] as number) & ~(1 << (value & 31));
    this.#words[word] = left;
    if (left === 0)
      this.#summary[word >>> 5] = (this.#summary[word >>> 5] as number) & ~(1 << (word & 31));
  }

  /** The first member in [start, end), or -1. */
  from(start: number, end: number): number {
    if (start >= end) return -1;
    let word = start >>> 5;
    let bits = (this.#words[word] as number) & (-1 << (start & 31));
    if (bits === 0) {
      word = this.#firstWordFrom(word + 1);
      if (word < 0) return -1;
      bits = this.#words[word] as number;
    }
    const found = word * 32 + lowestBit(bits);
    return found < end ? found : -1;
  }

  #firstWordFrom(word: number): number {
    const summary = this.#summary;
    let at = word >>> 5;
    if (at >= summary.length) return -1;
    let bits = (summary[at] as number) & (-1 << (word & 31));
    while (bits === 0) {
      if (++at === summary.length) return -1;
      bits = summary[at] as number;
    }
    return at * 32 + lowestBit(bits);
  }
}

/** Of a nonzero word. */
function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}
