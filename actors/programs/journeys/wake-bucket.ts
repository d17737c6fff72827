// People who wake within one second. Sorted by counting, once the second comes: a million people
// held until eight o'clock share a bucket, and sorting by comparison would stall a turn.

import type { Bytes, Millis, PersonOrdinal } from '../../../engine/base/brand.ts';

const smallest = 16;
const millisASecond = 1000;
const starts = new Uint32Array(millisASecond);

/** Six bytes per person; may contain a person more than once. */
export class WakeBucket {
  #people = new Uint32Array(smallest);
  #millis = new Uint16Array(smallest);
  #start = 0;
  #end = 0;
  /** The least millisecond in it. */
  #least = 0;
  #isOrdered = true;

  get isEmpty(): boolean {
    return this.#start === this.#end;
  }

  get byteLength(): Bytes {
    return this.#people.byteLength + this.#millis.byteLength;
  }

  /** `millis`: within the second. */
  add(person: PersonOrdinal, millis: Millis): void {
    const end = this.#end++;
    if (end === this.#people.length) this.#grow();
    this.#people[end] = person;
    this.#millis[end] = millis;
    this.#least = end === this.#start ? millis : Math.min(this.#least, millis);
    this.#isOrdered = false;
  }

  /** The millisecond of the first; infinite if empty. */
  get firstMillis(): Millis {
    return this.isEmpty ? Number.POSITIVE_INFINITY : this.#least;
  }

  /** Removes the first; the bucket must not be empty. */
  shift(): PersonOrdinal {
    if (!this.#isOrdered) this.#order();
    const person = this.#people[this.#start++] as number;
    this.#least = this.#millis[this.#start] ?? 0;
    return person;
  }

  #grow(): void {
    const people = new Uint32Array(this.#people.length * 2);
    const millis = new Uint16Array(people.length);
    people.set(this.#people);
    millis.set(this.#millis);
    this.#people = people;
    this.#millis = millis;
  }

  /** Lays out the remaining people in order; stable within a millisecond. */
  #order(): void {
    const { length } = this.#people;
    const people = new Uint32Array(length);
    const millis = new Uint16Array(length);
    starts.fill(0);
    for (let i = this.#start; i < this.#end; i++) {
      const after = (this.#millis[i] as number) + 1;
      if (after < millisASecond) starts[after] = (starts[after] as number) + 1;
    }
    for (let i = 1; i < millisASecond; i++)
      starts[i] = (starts[i] as number) + (starts[i - 1] as number);
    for (let i = this.#start; i < this.#end; i++) {
      const at = this.#millis[i] as number;
      const into = starts[at] as number;
      starts[at] = into + 1;
      people[into] = this.#people[i] as number;
      millis[into] = at;
    }
    this.#end -= this.#start;
    this.#start = 0;
    this.#people = people;
    this.#millis = millis;
    this.#isOrdered = true;
  }
}
