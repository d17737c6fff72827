// One tag of all people of an app: a code per person, and a value per code. Dense for what many
// have, a map for what few do. Lists of strings are kept by element, because a filter matches any
// element. Values are never coerced: `1`, `"1"` and `true` are three dictionary keys.

import type { Bitset } from '../../../engine/base/bitset.ts';
import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { Column, type Width } from '../../../engine/columns/column.ts';
import { add, addEqual, addOther, type ScratchSet } from '../../../engine/columns/sets.ts';
import type { TagValue } from '../../../storage/tables/subscriber.ts';
import type { TagScalar, TagType } from './filter.ts';
import { FoldedNames } from './folded-names.ts';

/** Dense once many people, by count and share, have it: a map takes about 40 bytes an entry. */
const denseFrom = 64;
const denseShare = 16;

const absent = 0;
/** The code of everyone with a list. */
const isList = 1;
const firstCode = 2;
/** Scans of the column per question; with more codes it looks each person up instead. */
const scansMax = 8;

const scalarTypes = ['string', 'number', 'boolean'] as const;

/** Equal columns give equal snapshots, whatever room they have. */
export interface TagColumnSnapshot {
  /** Pairs of person and code, or codes up to the last person who has the tag. */
  readonly sparse?: readonly (readonly [PersonOrdinal, number])[];
  readonly codes?: Uint8Array | Uint16Array | Uint32Array;
  /** By code, from `firstCode`; `null` for an unused code. */
  readonly values: readonly (TagScalar | null)[];
  /** Unused codes, the next one last. */
  readonly free: readonly number[];
  readonly lists: readonly (readonly [PersonOrdinal, readonly string[]])[];
}

/** A dense column takes one, two or four bytes a person, by the number of values. */
export class TagColumn {
  /** By person; `undefined` once the column is dense, for good. */
  #sparse: Map<PersonOrdinal, number> | undefined = new Map();
  #codes = new Column(1);
  readonly #codeOf = new Map<TagScalar, number>();
  /** By code; the first two are reserved. */
  readonly #values: (TagScalar | undefined)[] = [undefined, undefined];
  /** How many people have a code. */
  readonly #counts: number[] = [0, 0];
  /** How many values are of a type, as in `scalarTypes`. */
  readonly #ofType = [0, 0, 0];
  #people = 0;
  readonly #free: number[] = [];
  readonly #lists = new Map<PersonOrdinal, readonly string[]>();
  readonly #holders = new Map<string, Set<PersonOrdinal>>();
  /** Once people were searched by this tag. */
  #names: FoldedNames | undefined;

  /** How many people have the tag. */
  get people(): number {
    return this.#people;
  }

  /** Of the values that people have now. */
  get types(): readonly TagType[] {
    const types: TagType[] = scalarTypes.filter((_type, nth) => this.#ofType[nth] !== 0);
    if (this.#lists.size > 0) types.push('list');
    return types;
  }

  /** Different values and elements of lists, as many as `forEachValue` visits. */
  get valuesHeld(): number {
    return this.#values.length + this.#holders.size;
  }

  /** Visits each value and each element of lists, with how many people have it. */
  forEachValue(visit: (value: TagScalar, people: number) => void): void {
    for (let code = firstCode; code < this.#values.length; code++) {
      const value = this.#values[code];
      if (value === undefined) continue;
      const held = typeof value === 'string' ? (this.#holders.get(value)?.size ?? 0) : 0;
      visit(value, (this.#counts[code] as number) + held);
    }
    for (const [value, { size }] of this.#holders) if (!this.#codeOf.has(value)) visit(value, size);
  }

  /** How many different values there are, without lists. */
  get valueCount(): number {
    return this.#codeOf.size;
  }

  get isEmpty(): boolean {
    return this.#codeOf.size === 0 && this.#lists.size === 0;
  }

  /** Some people who have the tag, at most `limit`. */
  firstHaving(limit: number): readonly PersonOrdinal[] {
    const found: PersonOrdinal[] = [];
    const people = this.#sparse?.keys() ?? this.#codes.values.keys();
    for (const person of people) {
      if (found.length === limit) break;
      if (this.has(person)) found.push(person);
    }
    return found;
  }

  /** Without the dictionary's values. */
  get byteLength(): number {
    const names = this.#names?.byteLength ?? 0;
    return this.#codes.byteLength + (this.#sparse?.size ?? 0) * 40 + names;
  }

  /** Sets the person's value; `null` removes it. `next`: how many people exist. */
  set(person: PersonOrdinal, value: TagValue | null, next: PersonOrdinal): void {
    this.#forget(person);
    if (value === null) return;
    this.#people++;
    if (typeof value === 'object') {
      this.#write(person, isList, next);
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
    this.#write(person, code, next);
  }

  has(person: PersonOrdinal): boolean {
    return this.#codeAt(person) !== absent;
  }

  equals(person: PersonOrdinal, value: TagScalar): boolean {
    const code = this.#codeAt(person);
    if (code === absent) return false;
    if (code === isList)
      return typeof value === 'string' && this.#holders.get(value)?.has(person) === true;
    return this.#values[code] === value;
  }

  addHaving(into: ScratchSet): void {
    if (this.#sparse !== undefined) {
      for (const person of this.#sparse.keys()) addWithin(person, into);
      return;
    }
    addOther(this.#codes, absent, into);
  }

  /** Adds everyone whose value, or an element of it, is one of these. */
  addEqual(values: readonly TagScalar[], into: ScratchSet): void {
    const wanted = new Set<number>();
    for (const value of values) {
      const code = this.#codeOf.get(value);
      if (code !== undefined) wanted.add(code);
      if (typeof value === 'string')
        for (const person of this.#holders.get(value) ?? []) addWithin(person, into);
    }
    if (this.#sparse !== undefined) {
      for (const [person, code] of this.#sparse) if (wanted.has(code)) addWithin(person, into);
      return;
    }
    if (wanted.size <= scansMax) {
      for (const code of wanted) addEqual(this.#codes, code, into);
      return;
    }
    const isWanted = new Uint8Array(this.#values.length);
    for (const code of wanted) isWanted[code] = 1;
    this.#eachCoded(isWanted, into.words.length * 32, (person) => add(into, person));
  }

  /**
   * Prepares at most so many values for `addNamed`; how many wait after that. Whoever asks first
   * has all of them to wait for.
   */
  foldNames(max: number): number {
    this.#names ??= new FoldedNames(this.#values);
    this.#names.fold(this.#values, max);
    return this.#names.waiting;
  }

  /** Adds whoever has a text with a word that begins so. `word` is folded by `foldedName`. */
  addNamed(word: string, into: Bitset): void {
    const isWanted = new Uint8Array(this.#values.length);
    if ((this.#names?.mark(word, isWanted) ?? 0) === 0) return;
    if (this.#sparse === undefined)
      this.#eachCoded(isWanted, this.#codes.values.length, (person) => into.set(person));
    else for (const [person, code] of this.#sparse) if (isWanted[code] === 1) into.set(person);
  }

  #eachCoded(isWanted: Uint8Array, people: number, visit: (person: PersonOrdinal) => void): void {
    const codes = this.#codes.values;
    const end = Math.min(codes.length, people);
    for (let person = 0; person < end; person++)
      if (isWanted[codes[person] as number] === 1) visit(person);
  }

  snapshot(): TagColumnSnapshot {
    return {
      ...(this.#sparse === undefined
        ? { codes: this.#codes.trimmed() }
        : { sparse: [...this.#sparse] }),
      free: [...this.#free],
      values: this.#values.slice(firstCode).map((value) => value ?? null),
      lists: [...this.#lists],
    };
  }

  static restore(from: TagColumnSnapshot): TagColumn {
    const column = new TagColumn();
    from.values.forEach((value, i) => {
      const code = firstCode + i;
      column.#values[code] = value ?? undefined;
      column.#counts[code] = 0;
      if (value !== null) column.#addCode(value, code);
    });
    column.#free.push(...from.free);
    column.#widen(column.#values.length - 1);
    const { codes, sparse = [] } = from;
    const take = (person: PersonOrdinal, code: number) => {
      if (code === absent || code === isList) return;
      column.#people++;
      column.#put(person, code);
      column.#counts[code] = (column.#counts[code] as number) + 1;
    };
    if (codes !== undefined) {
      column.#sparse = undefined;
      for (let person = codes.length - 1; person >= 0; person--)
        take(person, codes[person] as number);
    }
    for (const [person, code] of sparse) take(person, code);
    for (const [person, list] of from.lists) column.set(person, list, 0);
    return column;
  }

  #forget(person: PersonOrdinal): void {
    const code = this.#codeAt(person);
    if (code === absent) return;
    this.#people--;
    if (this.#sparse === undefined) this.#codes.values[person] = absent;
    else this.#sparse.delete(person);
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
    const value = this.#values[code] as TagScalar;
    this.#codeOf.delete(value);
    this.#countType(value, -1);
    this.#values[code] = undefined;
    this.#names?.removed(code);
    this.#free.push(code);
  }

  #newCode(value: TagScalar): number {
    const code = this.#free.pop() ?? this.#values.length;
    this.#values[code] = value;
    this.#counts[code] = 0;
    this.#addCode(value, code);
    this.#widen(code);
    this.#names?.added(code, value);
    return code;
  }

  #addCode(value: TagScalar, code: number): void {
    this.#codeOf.set(value, code);
    this.#countType(value, 1);
  }

  #countType(value: TagScalar, by: number): void {
    const nth = scalarTypes.indexOf(typeof value as (typeof scalarTypes)[number]);
    this.#ofType[nth] = (this.#ofType[nth] as number) + by;
  }

  /** Widens the codes if needed. They never narrow, so that a column does not alternate. */
  #widen(code: number): void {
    const width: Width = code < 0x100 ? 1 : code < 0x10000 ? 2 : 4;
    if (width <= this.#codes.width) return;
    const wider = new Column(width);
    wider.fill(this.#codes.values);
    this.#codes = wider;
  }

  #codeAt(person: PersonOrdinal): number {
    if (this.#sparse !== undefined) return this.#sparse.get(person) ?? absent;
    return this.#codes.values[person] ?? absent;
  }

  #write(person: PersonOrdinal, code: number, next: PersonOrdinal): void {
    this.#put(person, code);
    const sparse = this.#sparse;
    if (sparse === undefined || sparse.size < denseFrom || sparse.size * denseShare <= next) return;
    this.#sparse = undefined;
    this.#codes.reach(next);
    for (const [one, theirs] of sparse) this.#put(one, theirs);
  }

  #put(person: PersonOrdinal, code: number): void {
    if (this.#sparse !== undefined) {
      this.#sparse.set(person, code);
      return;
    }
    this.#codes.reach(person);
    this.#codes.values[person] = code;
  }
}

function addWithin(person: PersonOrdinal, into: ScratchSet): void {
  if (person < into.words.length * 32) add(into, person);
}
