// The people of one app as memory knows them: who has which external id, and who was erased. Persons are numbers in order
// of creation, never reused; their records are in the `subscribers` table, what filters ask about them in `Traits`.

import type { PersonOrdinal } from '../../engine/base/brand.ts';
import type { HashKey } from '../../engine/base/hash.ts';
import { StringTable, type StringTableSnapshot } from '../../engine/base/string-table.ts';

const nobody = 0xffffffff;

export interface PeopleSnapshot {
  readonly next: number;
  readonly ids: StringTableSnapshot;
  readonly personOfIndex: Uint32Array;
  readonly erased: readonly PersonOrdinal[];
}

/** All people of one app. */
export class People {
  /** The ordinal that the next new person gets. */
  next: PersonOrdinal = 0;
  readonly erased = new Set<PersonOrdinal>();
  #ids: StringTable;
  /** By index of the string table. */
  #personOfIndex = new Uint32Array(256);

  /** `key` is this process's secret: it decides where strings lie in the table, never what is found. */
  constructor(key: HashKey) {
    this.#ids = new StringTable(key);
  }

  get count(): number {
    return this.next - this.erased.size;
  }

  /** Bytes held, about. */
  get byteLength(): number {
    return this.#ids.byteLength + this.#personOfIndex.byteLength;
  }

  /** The person with this external id. */
  find(externalUserId: string): PersonOrdinal | undefined {
    const index = this.#ids.findText(externalUserId);
    return index < 0 ? undefined : this.#personAt(index);
  }

  /** The same, over bytes of a request; −1 for nobody. */
  findBytes(bytes: Uint8Array, start: number, end: number): PersonOrdinal | -1 {
    const index = this.#ids.find(bytes, start, end);
    return index < 0 ? -1 : (this.#personAt(index) ?? -1);
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
    if (externalUserId === null) return;
    const index = this.#ids.findText(externalUserId);
    if (index < 0 || this.#personOfIndex[index] !== person) return;
    this.#ids.remove(index);
    this.#personOfIndex[index] = nobody;
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
    };
  }

  static restore(from: PeopleSnapshot, key: HashKey): People {
    const people = new People(key);
    people.next = from.next;
    people.#ids = StringTable.restore(from.ids, key);
    people.#personOfIndex = grown(from.personOfIndex, Math.max(255, from.ids.nextIndex));
    for (const person of from.erased) people.erased.add(person);
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
