// When each person last did one thing, to the millisecond: what answers every window of any length exactly, at any instant.
// Dense for what many do (6 bytes a person), a map for what few do. Only the newest instant counts, so events may come in
// any order and folding them twice changes nothing.

import type { Bitset } from '../../engine/base/bitset.ts';
import type { Millis, PersonOrdinal } from '../../engine/base/brand.ts';

const denseFrom = 4_096;
/** Dense once more than one person in so many did it: a map takes about 40 bytes an entry. */
const denseShare = 8;

export interface LastSeenSnapshot {
  /** Pairs of person and instant, or two columns by person. */
  readonly sparse?: readonly (readonly [PersonOrdinal, Millis])[];
  readonly seconds?: Uint32Array;
  readonly millis?: Uint16Array;
}

export class LastSeen {
  #sparse: Map<PersonOrdinal, Millis> | undefined = new Map();
  /** Whole seconds since the epoch; 0 for never. */
  #seconds = new Uint32Array(0);
  #millis = new Uint16Array(0);

  get byteLength(): number {
    return (this.#sparse?.size ?? 0) * 40 + this.#seconds.byteLength + this.#millis.byteLength;
  }

  /** Notes that it was done at an instant; an earlier one than the newest changes nothing. `next`: people there are. */
  touch(person: PersonOrdinal, atMs: Millis, next: PersonOrdinal): void {
    if (this.#sparse !== undefined) {
      if (atMs <= (this.#sparse.get(person) ?? 0)) return;
      this.#sparse.set(person, atMs);
      if (this.#sparse.size > denseFrom && this.#sparse.size * denseShare > next)
        this.#densify(next);
      return;
    }
    if (atMs <= this.at(person)) return;
    this.#grow(person);
    this.#write(person, atMs);
  }

  /** The newest instant; 0 for never. */
  at(person: PersonOrdinal): Millis {
    if (this.#sparse !== undefined) return this.#sparse.get(person) ?? 0;
    const seconds = this.#seconds[person] ?? 0;
    return seconds === 0 ? 0 : seconds * 1000 + (this.#millis[person] as number);
  }

  forget(person: PersonOrdinal): void {
    this.#sparse?.delete(person);
    if (person < this.#seconds.length) {
      this.#seconds[person] = 0;
      this.#millis[person] = 0;
    }
  }

  /** Adds everybody who did it after `cutMs`. */
  addAfter(cutMs: Millis, into: Bitset): void {
    if (this.#sparse !== undefined) {
      for (const [person, atMs] of this.#sparse) if (atMs > cutMs) into.set(person);
      return;
    }
    const cut = Math.floor(cutMs / 1000);
    const cutMillis = cutMs - cut * 1000;
    const seconds = this.#seconds;
    const millis = this.#millis;
    for (let person = 0; person < seconds.length; person++) {
      const at = seconds[person] as number;
      if (at > cut || (at === cut && at !== 0 && (millis[person] as number) > cutMillis))
        into.set(person);
    }
  }

  /** Equal columns give equal snapshots, however much room each of them has. */
  snapshot(): LastSeenSnapshot {
    if (this.#sparse !== undefined) return { sparse: [...this.#sparse] };
    let length = this.#seconds.length;
    while (length > 0 && this.#seconds[length - 1] === 0) length--;
    return { seconds: this.#seconds.slice(0, length), millis: this.#millis.slice(0, length) };
  }

  static restore({ sparse, seconds, millis }: LastSeenSnapshot): LastSeen {
    const column = new LastSeen();
    if (seconds !== undefined && millis !== undefined) {
      column.#sparse = undefined;
      column.#seconds = seconds.slice();
      column.#millis = millis.slice();
    } else column.#sparse = new Map(sparse);
    return column;
  }

  #densify(next: PersonOrdinal): void {
    const sparse = this.#sparse ?? new Map();
    this.#sparse = undefined;
    this.#grow(next);
    for (const [person, atMs] of sparse) {
      this.#grow(person);
      this.#write(person, atMs);
    }
  }

  #write(person: PersonOrdinal, atMs: Millis): void {
    const seconds = Math.floor(atMs / 1000);
    this.#seconds[person] = seconds;
    this.#millis[person] = atMs - seconds * 1000;
  }

  #grow(person: PersonOrdinal): void {
    if (person < this.#seconds.length) return;
    const length = Math.max(person + 1, this.#seconds.length * 2, 256);
    const seconds = new Uint32Array(length);
    seconds.set(this.#seconds);
    const millis = new Uint16Array(length);
    millis.set(this.#millis);
    this.#seconds = seconds;
    this.#millis = millis;
  }
}
