// Packs a block of history by column, in two orders. Columns that depend on the person (name,
// props, devices) are in person order; those on clocks and counters (seq, times, ids) in arrival
// order, where neighbors differ little. A row's arrival rank connects them: ten bits that save
// thirty.
//
//   a section: the length of each column but the last as varint, then the columns

import type { Buffer } from 'node:buffer';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import { ByteReader } from '../columns/byte-cursor.ts';
import { ByteWriter } from '../columns/byte-writer.ts';
import { writeIntegers } from '../columns/integers.ts';
import { writeObjects } from '../columns/objects.ts';
import { writeTexts } from '../columns/texts.ts';
import type { ReferenceName } from '../log/event-rows.ts';
import type { StoredEvents } from '../log/stored-events.ts';
import { isMarkedTest, testsName } from '../log/test-mark.ts';
import { type ColumnName, type SectionName, sectionColumns } from './event-block.ts';
import { orderedBy, type RowList } from './sorted-rows.ts';

/** A block in a file's directory. */
export interface BlockSummary {
  readonly count: number;
  readonly firstPerson: PersonOrdinal;
  readonly lastPerson: PersonOrdinal;
  readonly minSeq: number;
  readonly maxSeq: number;
  readonly minAtMs: Millis;
  readonly maxAtMs: Millis;
}

interface EncodedBlock extends BlockSummary {
  readonly sections: Readonly<Record<SectionName, Buffer>>;
  /** With `testsName` if rows are of test sends. */
  readonly names: ReadonlySet<string>;
}

/** At least one row, sorted by person and time. About 6 µs per event: use the pool. */
export function encodeEventBlock(list: RowList): EncodedBlock {
  const firstPerson = (list.events[0] as StoredEvents).person(list.rows[0] as number);
  const { columns, ...rest } = encodeColumns(list, firstPerson);
  return {
    ...rest,
    firstPerson,
    sections: {
      person: columns.person,
      hot: joined(sectionColumns.hot.map((name) => columns[name])),
      cold: joined(sectionColumns.cold.map((name) => columns[name])),
    },
  };
}

export function splitSection(section: SectionName, bytes: Buffer): Map<ColumnName, Buffer> {
  const names: readonly ColumnName[] = sectionColumns[section];
  const reader = new ByteReader(bytes);
  const lengths = names.slice(1).map(() => reader.varint());
  const columns = new Map<ColumnName, Buffer>();
  names.forEach((name, i) => {
    columns.set(name, reader.run(lengths[i] ?? bytes.length - reader.at));
  });
  return columns;
}

/** Sorted rows as columns and summary. People are steps from `firstPerson`. */
function encodeColumns(
  { events, rows }: RowList,
  firstPerson: PersonOrdinal,
): Omit<EncodedBlock, 'sections' | 'firstPerson'> & {
  readonly columns: Readonly<Record<ColumnName, Buffer>>;
} {
  const count = rows.length;
  const places = Uint32Array.from({ length: count }, (_, k) => k);
  const numbers = (read: (events: StoredEvents, row: number) => number, order: Uint32Array) =>
    Float64Array.from(order, (k) => read(events[k] as StoredEvents, rows[k] as number));
  const texts = (
    read: (events: StoredEvents, row: number) => string | undefined,
    order: Uint32Array,
  ) => Array.from(order, (k) => read(events[k] as StoredEvents, rows[k] as number));

  const seqs = numbers((some, row) => some.seq(row), places);
  const arrival = orderedBy(places, seqs);
  const rank = new Uint32Array(count);
  for (let place = 0; place < count; place++) rank[arrival[place] as number] = place;
  const people = numbers((some, row) => some.person(row) - firstPerson, places);
  const times = numbers((some, row) => some.atMs(row), places);
  const received = numbers((some, row) => some.receivedAtMs(row), arrival);
  const lags = new Float64Array(count);
  for (let place = 0; place < count; place++)
    lags[place] = (times[arrival[place] as number] as number) - (received[place] as number);
  const names = texts((some, row) => some.name(row), places);
  const allNames = names as readonly string[];
  const metas = texts((some, row) => some.metaJson(row), places);
  const reference = (name: ReferenceName) =>
    textColumn(texts((some, row) => some.reference(row, name), places));
  const columns: Record<ColumnName, Buffer> = {
    person: pack((writer) => writeIntegers(writer, people, 'steps')),
    rank: pack((writer) => writeIntegers(writer, rank, 'values')),
    seq: pack((writer) => writeIntegers(writer, inOrder(seqs, arrival), 'steps')),
    receivedAt: pack((writer) => writeIntegers(writer, received, 'steps')),
    lag: shorter(
      pack((writer) => writeIntegers(writer, lags, 'values')),
      pack((writer) => writeIntegers(writer, lags, 'steps')),
    ),
    name: textColumn(names),
    props: objectColumn(texts((some, row) => some.propsJson(row), places)),
    meta: objectColumn(metas),
    channel: pack((writer) =>
      writeIntegers(
        writer,
        numbers((some, row) => some.channel(row), places),
        'values',
      ),
    ),
    deviceId: reference('deviceId'),
    sendId: reference('sendId'),
    campaignId: reference('campaignId'),
    messageId: reference('messageId'),
    journeyId: reference('journeyId'),
    id: textColumn(texts((some, row) => some.id(row), arrival)),
  };
  return {
    columns,
    count,
    lastPerson: firstPerson + (people[count - 1] as number),
    minSeq: least(seqs),
    maxSeq: most(seqs),
    minAtMs: least(times),
    maxAtMs: most(times),
    names: new Set(metas.some(isMarkedTest) ? [...allNames, testsName] : allNames),
  };
}

function textColumn(texts: readonly (string | undefined)[]): Buffer {
  return pack((writer) => writeTexts(writer, texts));
}

function objectColumn(texts: readonly (string | undefined)[]): Buffer {
  return pack((writer) => writeObjects(writer, texts));
}

function pack(write: (writer: ByteWriter) => void): Buffer {
  const writer = new ByteWriter();
  write(writer);
  return writer.finish();
}

function joined(columns: readonly Buffer[]): Buffer {
  const writer = new ByteWriter(columns.reduce((sum, column) => sum + column.length, 64));
  for (const column of columns.slice(0, -1)) writer.varint(column.length);
  for (const column of columns) writer.run(column);
  return writer.finish();
}

function inOrder(values: Float64Array, order: Uint32Array): Float64Array {
  return Float64Array.from(order, (k) => values[k] as number);
}

function least(values: Float64Array): number {
  return values.reduce((a, b) => Math.min(a, b));
}

function most(values: Float64Array): number {
  return values.reduce((a, b) => Math.max(a, b));
}

function shorter(a: Buffer, b: Buffer): Buffer {
  return b.length < a.length ? b : a;
}
