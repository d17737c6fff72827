// Events of one day as sortable numbers: person, then time, then the index of the name. Eight bytes
// per row and a native sort; objects would take ten times the memory, and a comparison function ten
// times as long.

import { dayMs, type Millis, type PersonOrdinal } from '../../../engine/base/brand.ts';

/** The most names that a row can distinguish. */
const rowNamesMax = 16;

/**
 * The high word is the person, the low one the time of day (27 bits) and the name (4 bits); the low
 * word comes first in memory.
 */
export class DayRows {
  readonly day: number;
  #words = new Uint32Array(2048);
  #count = 0;

  /** `day` is in days since the epoch, UTC. */
  constructor(day: number) {
    this.day = day;
  }

  get count(): number {
    return this.#count;
  }

  /** Adds a row. `atMs` is on the day, `name` is below `rowNamesMax`. */
  add(person: PersonOrdinal, atMs: Millis, name: number): void {
    const at = this.#count * 2;
    if (at === this.#words.length) {
      const larger = new Uint32Array(this.#words.length * 2);
      larger.set(this.#words);
      this.#words = larger;
    }
    this.#words[at] = (atMs - this.day * dayMs) * rowNamesMax + name;
    this.#words[at + 1] = person;
    this.#count++;
  }

  /** Sorts the rows by person, time and name. */
  sort(): void {
    new BigUint64Array(this.#words.buffer, 0, this.#count).sort();
  }

  person(row: number): PersonOrdinal {
    return this.#words[row * 2 + 1] as number;
  }

  atMs(row: number): Millis {
    return this.day * dayMs + Math.floor((this.#words[row * 2] as number) / rowNamesMax);
  }

  name(row: number): number {
    return (this.#words[row * 2] as number) % rowNamesMax;
  }
}
