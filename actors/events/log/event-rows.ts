// A request's events between parsing and storing: arrays over one run of bytes. Reused per thread:
// valid until the next request, while the body does not change.

import { Buffer } from 'node:buffer';
import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import type { Slices } from '../../../engine/base/string-table.ts';
import { limits } from '../../limits.ts';
import { writeRun, writeVarint } from '../columns/byte-cursor.ts';

export const rowsMax = limits.ingestEventsMax;

/** In the bit order of `refs`. Clients never set `journeyId`. */
export const references = ['deviceId', 'sendId', 'campaignId', 'messageId', 'journeyId'] as const;
export type ReferenceName = (typeof references)[number];

export interface IngestLimits {
  /** Another app's `subscriberId` is an error. */
  readonly appOrdinal: Ordinal;
  readonly nowMs: Millis;
  /** How far `at` may be in the past. */
  readonly retentionMs: Millis;
  /** The app's retention: more than `retentionMs` while a shorter one still has an effect. */
  readonly keptDays: number;
}

/** Columns are valid below `count`, dictionary columns below `nameCount`. */
export interface EventRows {
  /** The request's body, or the slow path's text. */
  bytes: Uint8Array;
  count: number;
  /** The body's `appId`; `appIdEnd` is 0 without it. */
  appIdStart: number;
  appIdEnd: number;
  /** Place in the request's `events`, for later errors. */
  readonly index: Uint16Array;
  /** Into `names`: look up a name once per request. */
  readonly name: Uint16Array;
  nameCount: number;
  /** Distinct names by first appearance. */
  readonly names: Slices;
  /** `externalUserId`; absent if the event has a subscriber id. */
  readonly external: Slices;
  /** Otherwise the parts of `subscriberId`, which must all match the stored person. */
  readonly person: Uint32Array;
  readonly personHigh16: Uint16Array;
  readonly personCreatedMs: Float64Array;
  readonly id: Slices;
  readonly atMs: Float64Array;
  readonly props: Slices;
  /** Bit `i` for `references[i]`; slices are valid only where it is set. */
  readonly refs: Uint8Array;
  readonly reference: readonly Slices[];
  anyRefs: boolean;
}

/** About 100 KB: make one per thread. */
export function createEventRows(): EventRows {
  return {
    bytes: Buffer.alloc(0),
    count: 0,
    appIdStart: 0,
    appIdEnd: 0,
    index: new Uint16Array(rowsMax),
    name: new Uint16Array(rowsMax),
    nameCount: 0,
    names: slices(),
    external: slices(),
    person: new Uint32Array(rowsMax),
    personHigh16: new Uint16Array(rowsMax),
    personCreatedMs: new Float64Array(rowsMax),
    id: slices(),
    atMs: new Float64Array(rowsMax),
    props: slices(),
    refs: new Uint8Array(rowsMax),
    reference: references.map(slices),
    anyRefs: false,
  };
}

export function clearEventRows(rows: EventRows, bytes: Uint8Array): void {
  rows.bytes = bytes;
  rows.count = 0;
  rows.nameCount = 0;
  rows.appIdStart = 0;
  rows.appIdEnd = 0;
  rows.anyRefs = false;
}

/** A slice's text, or `undefined`. Allocates, so not for every event. */
export function sliceText(rows: EventRows, column: Slices, row: number): string | undefined {
  const end = column.end[row] as number;
  if (end === 0) return undefined;
  return Buffer.from(rows.bytes.buffer, rows.bytes.byteOffset, rows.bytes.length).toString(
    'utf8',
    column.start[row],
    end,
  );
}

/** A text's length; 0 if absent (its start may then be anything). */
export function lengthAt(start: Uint32Array, end: Uint32Array, row: number): number {
  const last = end[row] as number;
  return last === 0 ? 0 : last - (start[row] as number);
}

/** Writes a varint length and the text; returns the end. */
export function writeText(
  out: Uint8Array,
  at: number,
  bytes: Uint8Array,
  column: Slices,
  row: number,
): number {
  const length = lengthAt(column.start, column.end, row);
  const start = column.start[row] as number;
  return writeRun(out, writeVarint(out, at, length), bytes, start, start + length);
}

function slices(): Slices {
  return { start: new Uint32Array(rowsMax), end: new Uint32Array(rowsMax) };
}
