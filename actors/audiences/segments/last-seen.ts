// When each person last did one thing, to the millisecond, which answers windows of any length
// exactly. A dense column for what many do (6 bytes a person), a map for what few do. Only the
// newest instant counts, so events may come in any order, and repeatedly.

import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import { Column } from '../../../engine/columns/column.ts';
import {
  add,
  addEqual,
  addGreater,
  clear,
  countMembers,
  type ScratchSet,
} from '../../../engine/columns/sets.ts';
import type { LastSeenSnapshot } from './records.ts';

const denseFrom = 4_096;
/** Dense once more than one person in so many did it: a map takes about 40 bytes an entry. */
const denseShare = 8;

export class LastSeen {
  #sparse: Map<PersonOrdinal, Millis> | undefined = new Map();
  /** Whole seconds since the epoch; 0 for never. */
  readonly #seconds = new Column<Uint32Array>(4);
  readonly #millis = new Column<Uint16Array>(2);
  /** Of a dense column. */
  #people = 0;

  /** How many people did it. */
  get people(): number {
    return this.#sparse?.size ?? this.#people;
  }

  /** How many people did it, as long as they are few. */
  get peopleIfFew(): number | undefined {
    return this.#sparse?.size;
  }

  get byteLength(): number {
    return (this.#sparse?.size ?? 0) * 40 + this.#seconds.byteLength + this.#millis.byteLength;
  }

  /** Raises the newest instant; an earlier one changes nothing. `next`: how many people exist. */
  touch(person: PersonOrdinal, atMs: Millis, next: PersonOrdinal): void {
    if (this.#sparse === undefined) {
      if (atMs > this.at(person)) this.#write(person, atMs);
    } else if (atMs > (this.#sparse.get(person) ?? 0)) this.#put(this.#sparse, person, atMs, next);
  }

  /** Replaces the newest instant and returns the old one, for `NewestTimes`. */
  push(person: PersonOrdinal, atMs: Millis, next: PersonOrdinal): Millis {
    const before = this.at(person);
    if (this.#sparse === undefined) this.#write(person, atMs);
    else this.#put(this.#sparse, person, atMs, next);
    return before;
  }

  /** The newest instant; 0 for never. */
  at(person: PersonOrdinal): Millis {
    if (this.#sparse !== undefined) return this.#sparse.get(person) ?? 0;
    const seconds = this.#seconds.values[person] ?? 0;
    return seconds === 0 ? 0 : seconds * 1000 + (this.#millis.values[person] as number);
  }

  forget(person: PersonOrdinal): void {
    this.#sparse?.delete(person);
    if (person < this.#seconds.values.length) {
      if (this.#seconds.values[person] !== 0) this.#people--;
      this.#seconds.values[person] = 0;
      this.#millis.values[person] = 0;
    }
  }

  /** When somebody last did it; 0 for never. */
  newest(): Millis {
    let newest = 0;
    if (this.#sparse !== undefined) {
      for (const atMs of this.#sparse.values()) if (atMs > newest) newest = atMs;
      return newest;
    }
    const seconds = this.#seconds.values;
    for (let person = 0; person < seconds.length; person++)
      if ((seconds[person] as number) > newest) newest = seconds[person] as number;
    if (newest === 0) return 0;
    let millis = 0;
    for (let person = seconds.indexOf(newest); person >= 0; ) {
      millis = Math.max(millis, this.#millis.values[person] as number);
      person = seconds.indexOf(newest, person + 1);
    }
    return newest * 1000 + millis;
  }

  /** Adds everyone who did it after `cutMs`. Overwrites `spare`. */
  addAfter(cutMs: Millis, into: ScratchSet, spare: ScratchSet): void {
    if (this.#sparse !== undefined) {
      for (const [person, atMs] of this.#sparse) if (atMs > cutMs) addWithin(person, into);
      return;
    }
    const cut = Math.max(0, Math.floor(cutMs / 1000));
    addGreater(this.#seconds, cut, into);
    if (cut === 0) return; // 0 is never
    // In the second of the cut itself, milliseconds decide.
    clear(spare);
    addEqual(this.#seconds, cut, spare);
    if (countMembers(spare) === 0) return;
    const { words } = spare;
    const millis = this.#millis.values;
    const cutMillis = cutMs - cut * 1000;
    for (let word = 0; word < words.length; word++) {
      for (let bits = words[word] as number; bits !== 0; bits &= bits - 1) {
        const person = word * 32 + 31 - Math.clz32(bits & -bits);
        if ((millis[person] as number) > cutMillis) add(into, person);
      }
    }
  }

  /** Adds everyone who did it in this second, which is not 0, or later. */
  addFrom(second: number, into: ScratchSet): void {
    if (this.#sparse === undefined) addGreater(this.#seconds, second - 1, into);
    else
      for (const [person, atMs] of this.#sparse) if (atMs >= second * 1000) addWithin(person, into);
  }

  /** Instants of the people from `from` up to `to`, 0 for never: a copy. */
  between(from: PersonOrdinal, to: PersonOrdinal): Float64Array {
    const instants = new Float64Array(to - from);
    for (let person = from; person < to; person++) instants[person - from] = this.at(person);
    return instants;
  }

  /** Equal columns give equal snapshots, whatever room they have. */
  snapshot(): LastSeenSnapshot {
    if (this.#sparse !== undefined) return { sparse: [...this.#sparse] };
    const seconds = this.#seconds.trimmed();
    return { seconds, millis: this.#millis.values.slice(0, seconds.length) };
  }

  static restore({ sparse, seconds, millis }: LastSeenSnapshot): LastSeen {
    const column = new LastSeen();
    if (seconds !== undefined && millis !== undefined) {
      column.#sparse = undefined;
      column.#seconds.fill(seconds);
      column.#millis.fill(millis);
      if (seconds.length > 0) column.#millis.reach(seconds.length - 1);
      for (let person = 0; person < seconds.length; person++)
        if (seconds[person] !== 0) column.#people++;
    } else column.#sparse = new Map(sparse);
    return column;
  }

  #put(
    sparse: Map<PersonOrdinal, Millis>,
    person: PersonOrdinal,
    atMs: Millis,
    next: PersonOrdinal,
  ): void {
    sparse.set(person, atMs);
    if (sparse.size <= denseFrom || sparse.size * denseShare <= next) return;
    this.#sparse = undefined;
    this.#seconds.reach(next);
    this.#millis.reach(next);
    for (const [one, oneMs] of sparse) this.#write(one, oneMs);
  }

  #write(person: PersonOrdinal, atMs: Millis): void {
    const seconds = Math.floor(atMs / 1000);
    this.#seconds.reach(person);
    this.#millis.reach(person);
    if (this.#seconds.values[person] === 0) this.#people++;
    this.#seconds.values[person] = seconds;
    this.#millis.values[person] = atMs - seconds * 1000;
  }
}

function addWithin(person: PersonOrdinal, into: ScratchSet): void {
  if (person < into.words.length * 32) add(into, person);
}
