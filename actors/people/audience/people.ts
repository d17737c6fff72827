// An app's people in memory: external ids, merges, and who was erased or expired. Persons are
// ordinals in order of creation, never reused; the `subscribers` table has their records. A merged
// person's ordinal stays as an alias, under which stored events lie: readers of events must ask
// here. Events of an erased person are hidden; those of one who expired stay, of nobody.

import { Bitset } from '../../../engine/base/bitset.ts';
import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import type { HashKey } from '../../../engine/base/hash.ts';
import {
  type Slices,
  StringTable,
  type StringTableSnapshot,
} from '../../../engine/base/string-table.ts';
import { Aliases } from './aliases.ts';

const nobody = 0xffffffff;

export interface PeopleSnapshot {
  readonly next: number;
  readonly ids: StringTableSnapshot;
  readonly personOfIndex: Uint32Array;
  readonly erased: readonly PersonOrdinal[];
  /** Pairs of an alias and the person, aliases ascending. */
  readonly merged: Uint32Array;
  /** Absent in checkpoints of earlier builds. */
  readonly expired?: Uint8Array;
}

export class People {
  /** The next new person's ordinal. */
  next: PersonOrdinal = 0;
  readonly erased = new Set<PersonOrdinal>();
  #expired = new Bitset(0);
  #expiredCount = 0;
  /** Derived from the ids. */
  readonly #named = new Bitset(0);
  #ids: StringTable;
  /** By index of the string table. */
  #personOfIndex = new Uint32Array(256);
  readonly #aliases = new Aliases();

  /** `key` is secret and per process: it affects where strings lie in the table, not results. */
  constructor(key: HashKey) {
    this.#ids = new StringTable(key);
  }

  get count(): number {
    return this.next - this.erased.size - this.#expiredCount - this.#aliases.count;
  }

  get byteLength(): number {
    const sets = this.#expired.byteLength + this.#named.byteLength;
    const ids = this.#ids.byteLength + this.#personOfIndex.byteLength;
    return ids + sets + this.#aliases.byteLength;
  }

  /** Whether a person has an external id, or once had one. */
  isNamed(person: PersonOrdinal): boolean {
    return this.#named.test(person);
  }

  /** Whether a person was erased or has expired. */
  isGone(person: PersonOrdinal): boolean {
    return this.erased.has(person) || this.#expired.test(person);
  }

  find(externalUserId: string): PersonOrdinal | undefined {
    const index = this.#ids.findText(externalUserId);
    return index < 0 ? undefined : this.#personAt(index);
  }

  /** The same for many, over bytes of a request; −1 for none. See `StringTable.findAll`. */
  findAllBytes(bytes: Uint8Array, texts: Slices, count: number, found: Int32Array): void {
    this.#ids.findAll(bytes, texts, count, found);
    for (let i = 0; i < count; i++) {
      const index = found[i] as number;
      if (index >= 0) found[i] = this.#personAt(index) ?? -1;
    }
  }

  /** Adds whoever has an external id that begins so. Reads all ids: some milliseconds a million. */
  addNamed(prefix: string, into: Bitset): void {
    this.#ids.eachWithPrefix(Buffer.from(prefix), (index) => {
      const person = this.#personAt(index);
      if (person !== undefined) into.set(person);
    });
  }

  add(person: PersonOrdinal, externalUserId: string | null): void {
    this.next = Math.max(this.next, person + 1);
    if (externalUserId !== null) this.#name(person, this.#ids.addText(externalUserId));
  }

  /** The same with the external id in UTF-8 as `bytes[start, end)`; empty for none. */
  addBytes(person: PersonOrdinal, bytes: Uint8Array, start: number, end: number): void {
    this.next = Math.max(this.next, person + 1);
    if (end > start) this.#name(person, this.#ids.add(bytes, start, end));
  }

  #name(person: PersonOrdinal, index: number): void {
    this.#personOfIndex = grown(this.#personOfIndex, index);
    this.#personOfIndex[index] = person;
    this.#named.set(person);
  }

  /** Forgets people without an external id; their ordinals stay used. */
  expire(people: Iterable<PersonOrdinal>): void {
    for (const person of people) {
      if (this.#expired.test(person)) continue;
      this.#expired.set(person);
      this.#expiredCount++;
    }
  }

  /** Forgets a person; the ordinal stays used. */
  erase(person: PersonOrdinal, externalUserId: string | null): void {
    this.erased.add(person);
    this.#aliases.forget(person);
    if (externalUserId === null) return;
    const index = this.#ids.findText(externalUserId);
    if (index < 0 || this.#personOfIndex[index] !== person) return;
    this.#ids.remove(index);
    this.#personOfIndex[index] = nobody;
  }

  /** Makes `from` and its aliases aliases of `into`, which must be someone else and no alias. */
  merge(from: PersonOrdinal, into: PersonOrdinal): void {
    this.#aliases.merge(from, into);
  }

  /** The current person: themselves, or the one they were merged into. One step. */
  canonical(person: PersonOrdinal): PersonOrdinal {
    return this.#aliases.canonical(person);
  }

  /** The other ordinals under which this person's events may lie, ascending. */
  aliasesOf(person: PersonOrdinal): readonly PersonOrdinal[] {
    return this.#aliases.of(person);
  }

  /** Pairs of alias and person, aliases ascending, for readers in other threads. */
  merged(): Uint32Array {
    return this.#aliases.pairs();
  }

  /** The same for one person's aliases. */
  mergedInto(person: PersonOrdinal): Uint32Array {
    return Uint32Array.from(this.aliasesOf(person).flatMap((alias) => [alias, person]));
  }

  /** Erased people from `from` up to `to`, in no order. */
  erasedWithin(from: PersonOrdinal, to: PersonOrdinal): PersonOrdinal[] {
    const found: PersonOrdinal[] = [];
    if (this.erased.size < to - from) {
      for (const person of this.erased) if (person >= from && person < to) found.push(person);
    } else {
      for (let person = from; person < to; person++)
        if (this.erased.has(person)) found.push(person);
    }
    return found;
  }

  snapshot(): PeopleSnapshot {
    return {
      next: this.next,
      ids: this.#ids.snapshot(),
      personOfIndex: this.#personOfIndex.slice(0, this.#ids.nextIndex),
      erased: [...this.erased],
      merged: this.#aliases.pairs(),
      ...(this.#expiredCount > 0 ? { expired: this.#expired.snapshot() } : {}),
    };
  }

  static restore(from: PeopleSnapshot, key: HashKey): People {
    const people = new People(key);
    people.next = from.next;
    people.#ids = StringTable.restore(from.ids, key);
    people.#personOfIndex = grown(from.personOfIndex, Math.max(255, from.ids.nextIndex));
    for (let index = 0; index < from.ids.nextIndex; index++) {
      const person = people.#personAt(index);
      if (person !== undefined) people.#named.set(person);
    }
    for (const person of from.erased) people.erased.add(person);
    if (from.expired !== undefined) people.#expired = Bitset.restore(from.expired);
    people.#expiredCount = people.#expired.count();
    const merged = from.merged;
    for (let i = 0; i < merged.length; i += 2)
      people.#aliases.merge(merged[i] as PersonOrdinal, merged[i + 1] as PersonOrdinal);
    return people;
  }

  #personAt(index: number): PersonOrdinal | undefined {
    const person = this.#personOfIndex[index];
    return person === nobody ? undefined : person;
  }
}

/** The array, or a larger copy with a place for `index`. */
function grown(array: Uint32Array, index: number): Uint32Array<ArrayBuffer> {
  if (index < array.length) return array as Uint32Array<ArrayBuffer>;
  const larger = new Uint32Array(Math.max(index + 1, array.length * 2));
  larger.set(array);
  return larger;
}
