// A set of small numbers, one bit each, such as an audience of person ordinals. Reads as empty
// beyond its end, so sets of different lengths combine without padding.

import { bytesOfWords, wordsOfBytes } from './words.ts';

/** Numbers in [0, 2^32). */
export class Bitset {
  #words: Uint32Array;

  /** `capacity`: room before it first grows. */
  constructor(capacity = 1024) {
    this.#words = new Uint32Array(Math.max(1, Math.ceil(capacity / 32)));
  }

  /** One bit per number of the capacity. */
  get byteLength(): number {
    return this.#words.byteLength;
  }

  /** Amortised O(1): room doubles. */
  set(value: number): void {
    const word = value >>> 5;
    if (word >= this.#words.length) this.#grow(word + 1);
    this.#words[word] = (this.#words[word] as number) | (1 << (value & 31));
  }

  clear(value: number): void {
    const word = value >>> 5;
    if (word < this.#words.length)
      this.#words[word] = (this.#words[word] as number) & ~(1 << (value & 31));
  }

  test(value: number): boolean {
    const word = value >>> 5;
    return (
      word < this.#words.length && (((this.#words[word] as number) >>> (value & 31)) & 1) === 1
    );
  }

  /** O(words). */
  count(): number {
    let count = 0;
    for (let i = 0; i < this.#words.length; i++) count += bitsIn(this.#words[i] as number);
    return count;
  }

  isEmpty(): boolean {
    return this.nextFrom(0) < 0;
  }

  /** Keeps what `other` has too; returns itself, like `or` and `andNot`. */
  and(other: Bitset): this {
    const words = this.#words;
    const shared = Math.min(words.length, other.#words.length);
    for (let i = 0; i < shared; i++) words[i] = (words[i] as number) & (other.#words[i] as number);
    words.fill(0, shared);
    return this;
  }

  or(other: Bitset): this {
    if (other.#words.length > this.#words.length) this.#grow(other.#words.length);
    const words = this.#words;
    const theirs = other.#words;
    for (let i = 0; i < theirs.length; i++) words[i] = (words[i] as number) | (theirs[i] as number);
    return this;
  }

  andNot(other: Bitset): this {
    const words = this.#words;
    const shared = Math.min(words.length, other.#words.length);
    for (let i = 0; i < shared; i++) words[i] = (words[i] as number) & ~(other.#words[i] as number);
    return this;
  }

  /** A copy that shares nothing. */
  clone(): Bitset {
    const copy = new Bitset(0);
    copy.#words = this.#words.slice();
    return copy;
  }

  /** The least number at or above `value`, or -1. For walking in slices. */
  nextFrom(value: number): number {
    const words = this.#words;
    let word = value >>> 5;
    if (word >= words.length) return -1;
    let bits = (words[word] as number) & (-1 << (value & 31));
    while (bits === 0) {
      if (++word === words.length) return -1;
      bits = words[word] as number;
    }
    return word * 32 + 31 - Math.clz32(bits & -bits);
  }

  /** The least number at or above `value` that `other` has too, or -1. */
  nextShared(value: number, other: Bitset): number {
    const words = this.#words;
    const theirs = other.#words;
    const end = Math.min(words.length, theirs.length);
    let mask = -1 << (value & 31);
    for (let word = value >>> 5; word < end; word++, mask = -1) {
      const bits = (words[word] as number) & (theirs[word] as number) & mask;
      if (bits !== 0) return word * 32 + 31 - Math.clz32(bits & -bits);
    }
    return -1;
  }

  /** The greatest number at or below `value`, or -1. For walking back in slices. */
  previousFrom(value: number): number {
    const words = this.#words;
    const start = Math.min(value >>> 5, words.length - 1);
    let bits = words[start] as number;
    if (start === value >>> 5) bits &= (2 << (value & 31)) - 1;
    for (let word = start; ; bits = words[--word] as number) {
      if (bits !== 0) return word * 32 + 31 - Math.clz32(bits);
      if (word === 0) return -1;
    }
  }

  /** The number with so many lesser ones in the set, or -1. O(words). */
  at(rank: number): number {
    const words = this.#words;
    let left = rank;
    if (left < 0) return -1;
    for (let word = 0; word < words.length; word++) {
      let bits = words[word] as number;
      const here = bitsIn(bits);
      if (left >= here) {
        left -= here;
        continue;
      }
      for (; left > 0; left--) bits &= bits - 1;
      return word * 32 + 31 - Math.clz32(bits & -bits);
    }
    return -1;
  }

  /** Visits every number, ascending. The set must not change meanwhile. */
  forEach(visit: (value: number) => void): void {
    const words = this.#words;
    for (let word = 0; word < words.length; word++) {
      for (let bits = words[word] as number; bits !== 0; bits &= bits - 1) {
        visit(word * 32 + 31 - Math.clz32(bits & -bits));
      }
    }
  }

  /** Copies its words over `words`, up to their end. */
  copyInto(words: Uint32Array): void {
    const shared = Math.min(words.length, this.#words.length);
    words.set(shared === this.#words.length ? this.#words : this.#words.subarray(0, shared));
    words.fill(0, shared);
  }

  /** A set of copied words. */
  static ofWords(words: Uint32Array): Bitset {
    const set = new Bitset(0);
    set.#words = new Uint32Array(Math.max(1, words.length));
    set.#words.set(words);
    return set;
  }

  /** A copy of its bytes up to the last number: equal sets give equal bytes. */
  snapshot(): Uint8Array {
    let length = this.#words.length;
    while (length > 0 && this.#words[length - 1] === 0) length--;
    return bytesOfWords(this.#words.slice(0, length));
  }

  static restore(snapshot: Uint8Array): Bitset {
    const set = new Bitset(0);
    if (snapshot.length > 0) set.#words = wordsOfBytes(snapshot);
    return set;
  }

  #grow(words: number): void {
    const grown = new Uint32Array(Math.max(words, this.#words.length * 2));
    grown.set(this.#words);
    this.#words = grown;
  }
}

function bitsIn(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
