// A block of history: some people's events of a day, by column. Columns are read on first use and
// texts per call, so a report never reads props, and a page of one row does not unpack others.

import type { Buffer } from 'node:buffer';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import { ByteReader } from '../columns/byte-cursor.ts';
import { type IntegerColumn, openIntegers, readIntegers } from '../columns/integers.ts';
import { readObjects } from '../columns/objects.ts';
import { readTexts, type TextColumn } from '../columns/texts.ts';
import type { ReferenceName } from '../log/event-rows.ts';
import { references } from '../log/event-rows.ts';
import type { StoredEvents } from '../log/stored-events.ts';

/**
 * Columns by use: whose rows, what finds and counts them, what shows them. Each section is read
 * separately. A new column goes to a section's end, with a new file version.
 */
export const sectionColumns = {
  person: ['person'],
  hot: ['rank', 'seq', 'receivedAt', 'lag', 'name'],
  cold: ['props', 'meta', 'channel', ...references, 'id'],
} as const;

export type SectionName = keyof typeof sectionColumns;
export type ColumnName = (typeof sectionColumns)[SectionName][number];

/** Returns a column's bytes; called once per needed column. */
export type ColumnSource = (column: ColumnName) => Buffer;

/** One person's rows [from, to). */
interface PersonRows {
  readonly person: PersonOrdinal;
  readonly from: number;
  readonly to: number;
}

/** Rows are sorted by person, then time. */
export class EventBlock implements StoredEvents {
  readonly count: number;
  readonly #columnOf: ColumnSource;
  readonly #hasTests: () => boolean;
  readonly #firstPerson: PersonOrdinal;
  readonly #numbers = new Map<ColumnName, IntegerColumn>();
  readonly #texts = new Map<ColumnName, TextColumn>();
  #person: Float64Array | undefined;
  #rank: IntegerColumn | undefined;
  #seq: IntegerColumn | undefined;
  #receivedAt: IntegerColumn | undefined;
  #lag: IntegerColumn | undefined;
  #name: TextColumn | undefined;

  /** People count from `firstPerson`. `hasTests`: as the file's index says. */
  constructor(
    count: number,
    firstPerson: PersonOrdinal,
    columnOf: ColumnSource,
    hasTests: () => boolean,
  ) {
    this.count = count;
    this.#firstPerson = firstPerson;
    this.#columnOf = columnOf;
    this.#hasTests = hasTests;
  }

  get mayHoldTests(): boolean {
    return this.#hasTests();
  }

  person(row: number): PersonOrdinal {
    return this.#firstPerson + (this.#people()[row] as number);
  }

  seq(row: number): number {
    this.#seq ??= this.#column('seq');
    return this.#seq(this.#rankOf(row));
  }

  receivedAtMs(row: number): Millis {
    return this.#receivedAtRank(this.#rankOf(row));
  }

  atMs(row: number): Millis {
    const rank = this.#rankOf(row);
    this.#lag ??= this.#column('lag');
    return this.#receivedAtRank(rank) + this.#lag(rank);
  }

  id(row: number): string | undefined {
    return this.#textColumn('id', readTexts)(this.#rankOf(row));
  }

  name(row: number): string {
    this.#name ??= this.#textColumn('name', readTexts);
    return this.#name(row) ?? '';
  }

  propsJson(row: number): string | undefined {
    return this.#textColumn('props', readObjects)(row);
  }

  metaJson(row: number): string | undefined {
    return this.#textColumn('meta', readObjects)(row);
  }

  channel(row: number): number {
    return this.#column('channel')(row);
  }

  reference(row: number, name: ReferenceName): string | undefined {
    return this.#textColumn(name, readTexts)(row);
  }

  /** By binary search; `from === to` if none. */
  rowsOf(person: PersonOrdinal): PersonRows {
    return { person, from: this.#lowerBound(person), to: this.#lowerBound(person + 1) };
  }

  #lowerBound(person: number): number {
    const people = this.#people();
    const step = person - this.#firstPerson;
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((people[middle] as number) < step) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #people(): Float64Array {
    this.#person ??= readIntegers(this.#reader('person'), this.count);
    return this.#person;
  }

  #rankOf(row: number): number {
    this.#rank ??= this.#column('rank');
    return this.#rank(row);
  }

  #receivedAtRank(rank: number): Millis {
    this.#receivedAt ??= this.#column('receivedAt');
    return this.#receivedAt(rank);
  }

  #column(name: ColumnName): IntegerColumn {
    let column = this.#numbers.get(name);
    if (column === undefined) {
      column = openIntegers(this.#reader(name), this.count);
      this.#numbers.set(name, column);
    }
    return column;
  }

  #textColumn(
    name: ColumnName,
    read: (reader: ByteReader, count: number) => TextColumn,
  ): TextColumn {
    let column = this.#texts.get(name);
    if (column === undefined) {
      column = read(this.#reader(name), this.count);
      this.#texts.set(name, column);
    }
    return column;
  }

  #reader(name: ColumnName): ByteReader {
    return new ByteReader(this.#columnOf(name));
  }
}
