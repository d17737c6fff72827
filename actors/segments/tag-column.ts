// One tag of all people of an app: a code a person, and the value of each code. A list of strings is kept by its elements,
// since a filter asks whether any element equals. What a reader would get wrong: values are never coerced, so the keys of
// the dictionary are the values themselves: `1`, `"1"` and `true` are three.

import type { Bitset } from '../../engine/base/bitset.ts';
import type { PersonOrdinal } from '../../engine/base/brand.ts';
import type { TagValue } from '../../storage/tables/subscriber.ts';
import type { TagScalar } from './filter.ts';

const absent = 0;
/** The code of whoever has a list. */
const isList = 0xffffffff;

/** Equal columns give equal snapshots, however much room each of them has. */
export interface TagColumnSnapshot {
  /** Up to the last person who has the tag. */
  readonly codes: Uint32Array;
  /** By code − 1; `null` for a code that nobody has any more. */
  readonly values: readonly (TagScalar | null)[];
  /** Codes that nobody has, the next to be given out last. */
  readonly free: readonly number[];
  readonly lists: readonly (readonly [PersonOrdinal, readonly string[]])[];
}

/** See the head of this file. 4 bytes a person, and each value once. */
export class TagColumn {
  #codes = new Uint32Array(256);
  readonly #codeOf = new Map<TagScalar, number>();
  /** By code; code 0 is nobody's. */
  readonly #values: (TagScalar | undefined)[] = [undefined];
  /** How many people have a code. */
  readonly #counts: number[] = [0];
  readonly #free: number[] = [];
  readonly #lists = new Map<PersonOrdinal, readonly string[]>();
  readonly #holders = new Map<string, Set<PersonOrdinal>>();

  /** How many different values there are, lists apart. */
  get valueCount(): number {
    return this.#codeOf.size;
  }

  /** Whether nobody has the tag. */
  get isEmpty(): boolean {
    return this.#codeOf.size === 0 && this.#lists.size === 0;
  }

  /** Bytes of the column; the dictionary's values come on top. */
  get byteLength(): number {
    return this.#codes.byteLength;
  }

  /** The person's value from now on; `null` for none. */
  set(person: PersonOrdinal, value: TagValue | null): void {
    this.#forget(person);
    if (value === null) return;
    this.#grow(person);
    if (typeof value === 'object') {
      this.#codes[person] = isList;
      this.#lists.set(person, value);
      for (const element of value) {
        const holders = this.#holders.get(element) ?? new Set();
        holders.add(person);
        this.#holders.set(element, holders);
      }
      return;
    }
    const code = this.#codeOf.get(value) ?? this.#newCode(value);
    this.#counts[code] = (this.#counts[code] as number) + 1;
    this.#codes[person] = code;
  }

  has(person: PersonOrdinal): boolean {
    return (this.#codes[person] ?? absent) !== absent;
  }

  equals(person: PersonOrdinal, value: TagScalar): boolean {
    const code = this.#codes[person] ?? absent;
    if (code === absent) return false;
    if (code === isList)
      return typeof value === 'string' && this.#holders.get(value)?.has(person) === true;
    return this.#values[code] === value;
  }

  /** Adds everybody who has the tag. */
  addHaving(into: Bitset, next: PersonOrdinal): void {
    const codes = this.#codes;
    const end = Math.min(next, codes.length);
    for (let person = 0; person < end; person++) if (codes[person] !== absent) into.set(person);
  }

  /** Adds everybody whose value, or an element of it, is one of these. */
  addEqual(values: readonly TagScalar[], into: Bitset, next: PersonOrdinal): void {
    const wanted = new Set<number>();
    for (const value of values) {
      const code = this.#codeOf.get(value);
      if (code !== undefined) wanted.add(code);
      if (typeof value === 'string')
        for (const person of this.#holders.get(value) ?? []) into.set(person);
    }
    const codes = this.#codes;
    const end = Math.min(next, codes.length);
    const [only] = wanted;
    if (wanted.size === 1) {
      for (let person = 0; person < end; person++) if (codes[person] === only) into.set(person);
      return;
    }
    if (wanted.size === 0) return;
    const isWanted = new Uint8Array(this.#values.length);
    for (const code of wanted) isWanted[code] = 1;
    for (let person = 0; person < end; person++) {
      const code = codes[person] as number;
      if (code < isWanted.length && isWanted[code] === 1) into.set(person);
    }
  }

  snapshot(): TagColumnSnapshot {
    return {
      codes: trimmed(this.#codes),
      free: [...this.#free],
      values: this.#values.slice(1).map((value) => value ?? null),
      lists: [...this.#lists],
    };
  }

  static restore({ codes, values, free, lists }: TagColumnSnapshot): TagColumn {
    const column = new TagColumn();
    column.#codes = new Uint32Array(Math.max(256, codes.length));
    column.#codes.set(codes);
    values.forEach((value, i) => {
      const code = i + 1;
      column.#values[code] = value ?? undefined;
      column.#counts[code] = 0;
      if (value !== null) column.#codeOf.set(value, code);
    });
    column.#free.push(...free);
    for (const code of codes)
      if (code !== absent && code !== isList)
        column.#counts[code] = (column.#counts[code] as number) + 1;
    for (const [person, list] of lists) column.set(person, list);
    return column;
  }

  #forget(person: PersonOrdinal): void {
    const code = this.#codes[person] ?? absent;
    if (code === absent) return;
    this.#codes[person] = absent;
    if (code === isList) {
      for (const element of this.#lists.get(person) ?? []) {
        const holders = this.#holders.get(element);
        holders?.delete(person);
        if (holders?.size === 0) this.#holders.delete(element);
      }
      this.#lists.delete(person);
      return;
    }
    const left = (this.#counts[code] as number) - 1;
    this.#counts[code] = left;
    if (left > 0) return;
    this.#codeOf.delete(this.#values[code] as TagScalar);
    this.#values[code] = undefined;
    this.#free.push(code);
  }

  #newCode(value: TagScalar): number {
    const code = this.#free.pop() ?? this.#values.length;
    this.#values[code] = value;
    this.#counts[code] = 0;
    this.#codeOf.set(value, code);
    return code;
  }

  #grow(person: PersonOrdinal): void {
    if (person < this.#codes.length) return;
    const larger = new Uint32Array(Math.max(person + 1, this.#codes.length * 2));
    larger.set(this.#codes);
    this.#codes = larger;
  }
}

/** A copy without the zeros at its end. */
function trimmed(codes: Uint32Array): Uint32Array {
  let length = codes.length;
  while (length > 0 && codes[length - 1] === absent) length--;
  return codes.slice(0, length);
}
