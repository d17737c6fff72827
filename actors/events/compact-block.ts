// Reads the blocks of history that compact.ts packs. Opening one checks it and reads only the people; every other column
// is inflated when it is first asked for, whole, and kept. Texts and props are put together per call.

import { Buffer } from 'node:buffer';
import { crc32 } from 'node:zlib';
import type { Millis, PersonOrdinal } from '../../engine/base/brand.ts';
import { ByteReader, DamagedEvents } from './byte-cursor.ts';
import { readIntegers } from './columns/integers.ts';
import { readObjects } from './columns/objects.ts';
import { readTexts, type TextColumn } from './columns/texts.ts';
import type { ReferenceName } from './event-rows.ts';
import { references } from './event-rows.ts';
import type { StoredEvents } from './stored-events.ts';

export const compactVersion = 1;
/** Bytes before what the checksum covers: the version, and the checksum. */
export const compactHeadBytes = 5;

/** The columns of a block in their order. A new one goes to the end, under a new version. */
export const columnNames = [
  'person',
  'rank',
  'name',
  'props',
  'meta',
  'channel',
  ...references,
  'seq',
  'receivedAt',
  'lag',
  'id',
] as const;
export type ColumnName = (typeof columnNames)[number];

/** Opens a block; throws `DamagedEvents` if its checksum or version is wrong. The bytes are kept and must not change. */
export function openCompact(bytes: Uint8Array): CompactBlock {
  return new CompactBlock(bytes);
}

/** The rows [from, to) of one person. */
export interface PersonRows {
  readonly person: PersonOrdinal;
  readonly from: number;
  readonly to: number;
}

/** One block of history; rows are sorted by person, then time. Made by `openCompact`. */
export class CompactBlock implements StoredEvents {
  readonly count: number;
  readonly #columns = new Map<ColumnName, Buffer>();
  readonly #person: Float64Array;
  #rank: Float64Array | undefined;
  readonly #numbers = new Map<ColumnName, Float64Array>();
  readonly #texts = new Map<ColumnName, TextColumn>();

  constructor(bytes: Uint8Array) {
    const reader = new ByteReader(bytes);
    const version = reader.u8();
    if (version !== compactVersion) {
      throw new DamagedEvents(
        `history has version ${version}, this program reads ${compactVersion}`,
      );
    }
    if (crc32(reader.bytes.subarray(compactHeadBytes)) !== reader.u32()) {
      throw new DamagedEvents('history fails its checksum');
    }
    this.count = reader.varint();
    const lengths = columnNames.map(() => reader.varint());
    columnNames.forEach((name, i) => {
      this.#columns.set(name, reader.run(lengths[i] as number));
    });
    this.#person = this.#column('person');
  }

  person(row: number): PersonOrdinal {
    return this.#person[row] as number;
  }

  seq(row: number): number {
    return this.#column('seq')[this.#rankOf(row)] as number;
  }

  receivedAtMs(row: number): Millis {
    return this.#column('receivedAt')[this.#rankOf(row)] as number;
  }

  atMs(row: number): Millis {
    return this.receivedAtMs(row) + (this.#column('lag')[this.#rankOf(row)] as number);
  }

  id(row: number): string | undefined {
    return this.#textColumn('id', readTexts)(this.#rankOf(row));
  }

  name(row: number): string {
    return this.#textColumn('name', readTexts)(row) ?? '';
  }

  propsJson(row: number): string | undefined {
    return this.#textColumn('props', readObjects)(row);
  }

  metaJson(row: number): string | undefined {
    return this.#textColumn('meta', readObjects)(row);
  }

  channel(row: number): number {
    return this.#column('channel')[row] as number;
  }

  reference(row: number, name: ReferenceName): string | undefined {
    return this.#textColumn(name, readTexts)(row);
  }

  /** The rows of one person, by binary search; `from === to` where there are none. */
  rowsOf(person: PersonOrdinal): PersonRows {
    return { person, from: this.#lowerBound(person), to: this.#lowerBound(person + 1) };
  }

  /** Every person with events here, in the order of their ordinals. */
  *people(): Generator<PersonRows> {
    for (let from = 0, to = 0; from < this.count; from = to) {
      const person = this.#person[from] as number;
      while (to < this.count && this.#person[to] === person) to++;
      yield { person, from, to };
    }
  }

  #lowerBound(person: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#person[middle] as number) < person) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #rankOf(row: number): number {
    this.#rank ??= this.#column('rank');
    return this.#rank[row] as number;
  }

  #column(name: ColumnName): Float64Array {
    let column = this.#numbers.get(name);
    if (column === undefined) {
      column = readIntegers(this.#reader(name), this.count);
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
    return new ByteReader(this.#columns.get(name) ?? Buffer.alloc(0));
  }
}
