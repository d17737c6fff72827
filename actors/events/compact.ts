// Packs a block of history: many batches as one, sorted by person and time, each column compressed by itself.
// Two orders are kept. What belongs to a person (name, props, devices) lies in person order; what the clock and the
// senders' counters decide (seq, times, ids) lies in order of arrival, where neighbours differ by little. The arrival rank
// of every row joins the two: two bytes that save four.
//
//   version u8 · crc32 of the rest · count varint · for each column its length as varint · the columns

import { Buffer } from 'node:buffer';
import { crc32 } from 'node:zlib';
import { assert } from '../../engine/base/assert.ts';
import { ByteWriter } from './columns/byte-writer.ts';
import { writeIntegers } from './columns/integers.ts';
import { writeObjects } from './columns/objects.ts';
import { writeTexts } from './columns/texts.ts';
import { type ColumnName, columnNames, compactHeadBytes, compactVersion } from './compact-block.ts';
import type { ReferenceName } from './event-rows.ts';
import type { StoredEvents } from './stored-events.ts';

/** Rows of one block, at most: a column of them in memory takes 8 MiB. */
export const compactRowsMax = 1 << 20;

/** Which rows to take: the events of one day, all but the erased people. */
export type RowChoice = (source: StoredEvents, row: number) => boolean;

/**
 * Packs the chosen rows of batches and of other blocks into one block, 1 to `compactRowsMax` rows; `undefined` when none
 * is chosen. Rows with the same person and time keep the order of their seqs. About 6 µs an event: work for the pool.
 */
export function compactEvents(
  sources: readonly StoredEvents[],
  choose: RowChoice = () => true,
): Buffer | undefined {
  const gathered = gather(sources, choose);
  const count = gathered.rows.length;
  if (count === 0) return undefined;
  assert(count <= compactRowsMax, `a block of history has at most ${compactRowsMax} events`);
  const columns = writeColumns(gathered);
  const writer = new ByteWriter(columns.reduce((sum, column) => sum + column.length, 256));
  writer.varint(count);
  for (const column of columns) writer.varint(column.length);
  for (const column of columns) writer.run(column);
  const rest = writer.finish();
  const out = Buffer.allocUnsafe(compactHeadBytes + rest.length);
  out[0] = compactVersion;
  out.writeUInt32LE(crc32(rest), 1);
  rest.copy(out, compactHeadBytes);
  return out;
}

interface Gathered {
  readonly sources: readonly StoredEvents[];
  /** Source and row of the k-th chosen event, in the order of the sources. */
  readonly source: Uint32Array;
  readonly rows: Uint32Array;
}

function gather(sources: readonly StoredEvents[], choose: RowChoice): Gathered {
  const source: number[] = [];
  const rows: number[] = [];
  sources.forEach((events, index) => {
    for (let row = 0; row < events.count; row++) {
      if (!choose(events, row)) continue;
      source.push(index);
      rows.push(row);
    }
  });
  return { sources, source: Uint32Array.from(source), rows: Uint32Array.from(rows) };
}

function writeColumns(gathered: Gathered): Buffer[] {
  const { sources, source, rows } = gathered;
  const count = rows.length;
  const numbers = (read: (events: StoredEvents, row: number) => number, order: Uint32Array) =>
    Float64Array.from(order, (k) =>
      read(sources[source[k] as number] as StoredEvents, rows[k] as number),
    );
  const texts = (
    read: (events: StoredEvents, row: number) => string | undefined,
    order: Uint32Array,
  ) =>
    Array.from(order, (k) => read(sources[source[k] as number] as StoredEvents, rows[k] as number));

  const gatheredOrder = Uint32Array.from({ length: count }, (_, k) => k);
  const seqs = numbers((events, row) => events.seq(row), gatheredOrder);
  const arrival = orderedBy(gatheredOrder, seqs);
  const rank = new Uint32Array(count);
  arrival.forEach((k, place) => {
    rank[k] = place;
  });
  const people = numbers((events, row) => events.person(row), gatheredOrder);
  const times = numbers((events, row) => events.atMs(row), gatheredOrder);
  const byPerson = orderedBy(orderedBy(arrival, times), people);

  const received = numbers((events, row) => events.receivedAtMs(row), arrival);
  const lags = Float64Array.from(
    arrival,
    (k, place) => (times[k] as number) - (received[place] as number),
  );
  const referenceColumn = (name: ReferenceName) =>
    pack((writer) =>
      writeTexts(
        writer,
        texts((events, row) => events.reference(row, name), byPerson),
      ),
    );
  const columns: Record<ColumnName, Buffer> = {
    person: pack((writer) =>
      writeIntegers(
        writer,
        Float64Array.from(byPerson, (k) => people[k] as number),
        'steps',
      ),
    ),
    rank: pack((writer) =>
      writeIntegers(
        writer,
        Float64Array.from(byPerson, (k) => rank[k] as number),
        'values',
      ),
    ),
    name: pack((writer) =>
      writeTexts(
        writer,
        texts((events, row) => events.name(row), byPerson),
      ),
    ),
    props: pack((writer) =>
      writeObjects(
        writer,
        texts((events, row) => events.propsJson(row), byPerson),
      ),
    ),
    meta: pack((writer) =>
      writeObjects(
        writer,
        texts((events, row) => events.metaJson(row), byPerson),
      ),
    ),
    channel: pack((writer) =>
      writeIntegers(
        writer,
        numbers((events, row) => events.channel(row), byPerson),
        'values',
      ),
    ),
    deviceId: referenceColumn('deviceId'),
    sendId: referenceColumn('sendId'),
    campaignId: referenceColumn('campaignId'),
    messageId: referenceColumn('messageId'),
    journeyId: referenceColumn('journeyId'),
    seq: pack((writer) =>
      writeIntegers(
        writer,
        Float64Array.from(arrival, (k) => seqs[k] as number),
        'steps',
      ),
    ),
    receivedAt: pack((writer) => writeIntegers(writer, received, 'steps')),
    lag: shorter(
      pack((writer) => writeIntegers(writer, lags, 'values')),
      pack((writer) => writeIntegers(writer, lags, 'steps')),
    ),
    id: pack((writer) =>
      writeTexts(
        writer,
        texts((events, row) => events.id(row), arrival),
      ),
    ),
  };
  return columnNames.map((name) => columns[name]);
}

/**
 * The order with the smaller keys first, and as before among equal keys. Key and place go into one number where they
 * fit, as they do but for the oddest blocks: sorting numbers is six times as fast as calling back for each comparison.
 */
function orderedBy(order: Uint32Array, keys: Float64Array): Uint32Array {
  const count = order.length;
  const min = keys.reduce((a, b) => Math.min(a, b));
  const max = keys.reduce((a, b) => Math.max(a, b));
  if ((max - min + 1) * count > Number.MAX_SAFE_INTEGER) {
    return order.slice().sort((a, b) => (keys[a] as number) - (keys[b] as number));
  }
  const joined = Float64Array.from(
    order,
    (k, place) => ((keys[k] as number) - min) * count + place,
  );
  joined.sort();
  return Uint32Array.from(joined, (value) => order[value % count] as number);
}

function pack(write: (writer: ByteWriter) => void): Buffer {
  const writer = new ByteWriter();
  write(writer);
  return writer.finish();
}

function shorter(a: Buffer, b: Buffer): Buffer {
  return b.length < a.length ? b : a;
}
