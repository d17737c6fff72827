// A batch's optional sections, each with a flag and a length, so that readers can skip it.

import type { Millis } from '../../../engine/base/brand.ts';
import type { Slices } from '../../../engine/base/string-table.ts';
import { varintBytesMax, writeU16, writeU32, writeVarint } from '../columns/byte-cursor.ts';
import type { EventRows } from './event-rows.ts';
import { lengthAt, writeText } from './event-rows.ts';

export const batchFlags = { references: 1, channels: 2, meta: 4, people: 8 } as const;

/** People created with this batch, by request row. */
interface CreatedRows {
  count: number;
  /** The first row with this `externalUserId`. */
  readonly row: Uint16Array;
  /** Random bits of the subscriber id; its time is `receivedAtMs`. */
  readonly high16: Uint16Array;
}

/** The app's decisions about a request, by row. */
export interface BatchColumns {
  /** 1 for rows to store, at least one. */
  readonly accepted: Uint8Array;
  /** Existing or new. */
  readonly person: Uint32Array;
  readonly receivedAtMs: Millis;
  /** The first stored row's seq; others follow without a gap. */
  readonly firstSeq: number;
  /** The least number that an unnumbered batch can get: room for it is left in place. */
  readonly expectedSeq?: number;
  readonly created?: CreatedRows;
  /** See `StoredEvents.channel`. */
  readonly channel?: Uint8Array;
  readonly meta?: Slices;
}

/** Upper bound of the sections' bytes. */
export function sectionBytesMax(rows: EventRows, columns: BatchColumns, flags: number): number {
  let bytes = 16;
  for (let row = 0; row < rows.count; row++) {
    bytes += 2;
    for (let mask = rows.refs[row] as number; mask !== 0; mask &= mask - 1) {
      const column = rows.reference[31 - Math.clz32(mask & -mask)] as Slices;
      bytes += varintBytesMax + lengthAt(column.start, column.end, row);
    }
    if (columns.meta !== undefined) {
      bytes += varintBytesMax + lengthAt(columns.meta.start, columns.meta.end, row);
    }
  }
  if (columns.created !== undefined && (flags & batchFlags.people) !== 0) {
    bytes += varintBytesMax;
    for (let i = 0; i < columns.created.count; i++) {
      const row = columns.created.row[i] as number;
      bytes += 2 * varintBytesMax + 2 + lengthAt(rows.external.start, rows.external.end, row);
    }
  }
  return bytes;
}

/** Writes the announced sections; returns the end. */
export function writeSections(
  out: Uint8Array,
  start: number,
  rows: EventRows,
  columns: BatchColumns,
  flags: number,
): number {
  let p = start;
  if ((flags & batchFlags.references) !== 0) {
    p = section(out, p, writeReferences(out, p + 4, rows, columns.accepted));
  }
  if (columns.channel !== undefined) {
    let end = p + 4;
    for (let row = 0; row < rows.count; row++) {
      if (columns.accepted[row] !== 0) out[end++] = columns.channel[row] as number;
    }
    p = section(out, p, end);
  }
  if (columns.meta !== undefined) {
    let end = p + 4;
    for (let row = 0; row < rows.count; row++) {
      if (columns.accepted[row] !== 0) end = writeText(out, end, rows.bytes, columns.meta, row);
    }
    p = section(out, p, end);
  }
  if (columns.created !== undefined && (flags & batchFlags.people) !== 0) {
    p = section(out, p, writePeople(out, p + 4, rows, columns.created, columns.person));
  }
  return p;
}

function section(out: Uint8Array, start: number, end: number): number {
  writeU32(out, start, end - start - 4);
  return end;
}

/** Per row a mask and a text per bit; length 0 repeats the previous, such as a campaign's id. */
function writeReferences(
  out: Uint8Array,
  start: number,
  rows: EventRows,
  accepted: Uint8Array,
): number {
  const last = rows.reference.map(() => -1);
  let p = start;
  for (let row = 0; row < rows.count; row++) {
    if (accepted[row] === 0) continue;
    out[p++] = rows.refs[row] as number;
    for (let mask = rows.refs[row] as number; mask !== 0; mask &= mask - 1) {
      const which = 31 - Math.clz32(mask & -mask);
      const column = rows.reference[which] as Slices;
      const before = last[which] as number;
      if (before >= 0 && sameText(rows.bytes, column, before, row)) out[p++] = 0;
      else p = writeText(out, p, rows.bytes, column, row);
      last[which] = row;
    }
  }
  return p;
}

function writePeople(
  out: Uint8Array,
  start: number,
  rows: EventRows,
  created: CreatedRows,
  person: Uint32Array,
): number {
  let p = writeVarint(out, start, created.count);
  for (let i = 0; i < created.count; i++) {
    const row = created.row[i] as number;
    p = writeVarint(out, p, person[row] as number);
    p = writeU16(out, p, created.high16[i] as number);
    p = writeText(out, p, rows.bytes, rows.external, row);
  }
  return p;
}

function sameText(bytes: Uint8Array, column: Slices, a: number, b: number): boolean {
  const length = lengthAt(column.start, column.end, b);
  if (lengthAt(column.start, column.end, a) !== length) return false;
  const aStart = column.start[a] as number;
  const bStart = column.start[b] as number;
  for (let i = 0; i < length; i++) if (bytes[aStart + i] !== bytes[bStart + i]) return false;
  return true;
}
