// The people of one app as memory knows them: who has which external id, who was erased, and who is
// whom. Persons are numbers in order of creation, never reused; their records are in the
// `subscribers` table, what filters ask about them in `Traits`. Somebody who was merged into
// somebody else keeps their number as an alias: events at rest lie under it, and whoever reads
// events has to ask here.

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
}

/** All people of one app. */
export class People {
  /** The ordinal that the next new person gets. */
  next: PersonOrdinal = 0;
  readonly erased = new Set<PersonOrdinal>();
  #ids: StringTable;
  /** By index of the string table. */
  #personOfIndex = new Uint32Array(256);
  readonly #aliases = new Aliases();

  /**
   * `key` is this process's secret: it decides where strings lie in the table, never what is found.
   */
  constructor(key: HashKey) {
    this.#ids = new StringTable(key);
  }

  get count(): number {
    return this.next - this.erased.size - this.#aliases.count;
  }

  /** Bytes held, about. */
  get byteLength(): number {
    return this.#ids.byteLength + this.#personOfIndex.byteLength + this.#aliases.byteLength;
  }

  /** The person with this external id. */
  find(externalUserId: string): PersonOrdinal | undefined {
    const index = this.#ids.findText(externalUserId);
    return index < 0 ? undefined : this.#personAt(index);
  }

  /** The same for many, over bytes of a request, −1 for nobody; see `StringTable.findAll`. */
  findAllBytes(bytes: Uint8Array, texts: Slices, count: number, found: Int32Array): void {
    this.#ids.findAll(bytes, texts, count, found);
    for (let i = 0; i < count; i++) {
      const index = found[i] as number;
      if (index >= 0) found[i] = this.#personAt(index) ?? -1;
    }
  }

  add(person: PersonOrdinal, externalUserId: string | null): void {
    this.next = Math.max(this.next, person + 1);
    if (externalUserId === null) return;
    const index = this.#ids.addText(externalUserId);
    this.#personOfIndex = grown(this.#personOfIndex, index);
    this.#personOfIndex[index] = person;
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

  /**
   * Makes `from` and all aliases of theirs aliases of `into`, who must be somebody else and no
   * alias.
   */
  merge(from: PersonOrdinal, into: PersonOrdinal): void {
    this.#aliases.merge(from, into);
  }

  /**
   * Who somebody is now: themselves, or whom they were merged into. One step, whatever the merges
   * were.
   */
  canonical(person: PersonOrdinal): PersonOrdinal {
    return this.#aliases.canonical(person);
  }

  /** The other ordinals under which events of this person may lie, ascending. */
  aliasesOf(person: PersonOrdinal): readonly PersonOrdinal[] {
    return this.#aliases.of(person);
  }

  /**
   * Every alias and the person it stands for, as pairs, aliases ascending: for readers in other
   * threads.
   */
  merged(): Uint32Array {
    return this.#aliases.pairs();
  }

  /** The same of one person's aliases alone. */
  mergedInto(person: PersonOrdinal): Uint32Array {
    return Uint32Array.from(this.aliasesOf(person).flatMap((alias) => [alias, person]));
  }

  /** Who was erased of the people from `from` up to `to`, in no order. */
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
    };
  }

  static restore(from: PeopleSnapshot, key: HashKey): People {
    const people = new People(key);
    people.next = from.next;
    people.#ids = StringTable.restore(from.ids, key);
    people.#personOfIndex = grown(from.personOfIndex, Math.max(255, from.ids.nextIndex));
    for (const person of from.erased) people.erased.add(person);
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

/** The array, or a larger copy that has a place for `index`. */
function grown(array: Uint32Array, index: number): Uint32Array<ArrayBuffer> {
  if (index < array.length) return array as Uint32Array<ArrayBuffer>;
  const larger = new Uint32Array(Math.max(index + 1, array.length * 2));
  larger.set(array);
  return larger;
}
