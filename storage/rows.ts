// Reading LMDB: ordered rows and log blocks, shared by the one writer and by readers in other
// threads. Everything is read to the end at once, because a cursor left open between events holds a
// snapshot, and a held snapshot makes the file grow.

import type { Database } from 'lmdb';
import type { KeyRange, StoredRow } from '../engine/actor/store.ts';
import { assert } from '../engine/base/assert.ts';
import type { Seq } from '../engine/base/brand.ts';

/** The most rows of one read: a longer one would hold back the reuse of old pages. */
export const maxRows = 10_000;

/** One named database of a partition; keys and values are bytes. */
export type Rows = Database<Buffer, Uint8Array>;

/** A log block and its place. The bytes are the caller's to keep. */
export interface StoredBlock {
  readonly seq: Seq;
  readonly block: Uint8Array;
}

/** The rows of a range in key order, at most 10,000. */
export function readRows(
  database: Rows,
  { start, end, reverse = false, limit = maxRows }: KeyRange,
): StoredRow[] {
  assert(limit <= maxRows, 'a range reads at most 10,000 rows');
  if (limit <= 0 || Buffer.compare(start, end) >= 0) return [];
  const bounds = reverse
    ? { start: end, exclusiveStart: true, end: start, inclusiveEnd: true, reverse }
    : { start, end };
  const rows: StoredRow[] = [];
  for (const { key, value } of database.getRange({ ...bounds, limit })) rows.push({ key, value });
  return rows;
}

/**
 * Blocks from `first` up to `last`, at most `limit`. Throws when one of them is missing; `path`
 * names the partition.
 */
export function readBlocks(
  log: Rows,
  first: Seq,
  last: Seq,
  limit: number,
  path: string,
): StoredBlock[] {
  const found: StoredBlock[] = [];
  if (limit <= 0 || first > last) return found;
  let expected = first;
  for (const { key, value } of log.getRange({
    start: seqKey(first),
    end: seqKey(last + 1),
    limit,
  })) {
    const seq = seqOf(key);
    if (seq !== expected) break;
    found.push({ seq, block: value });
    expected++;
  }
  if (expected <= last && found.length < limit)
    throw new Error(`${path}: log block ${expected} is missing: it is damaged.`);
  return found;
}

/** The newest block's seq, or `undefined` in an empty log. */
export function newestSeq(log: Rows): Seq | undefined {
  for (const key of log.getKeys({
    start: seqKey(Number.MAX_SAFE_INTEGER),
    reverse: true,
    limit: 1,
  }))
    return seqOf(key);
  return;
}

/** The oldest block's seq, or `undefined` in an empty log. */
export function oldestSeq(log: Rows): Seq | undefined {
  for (const key of log.getKeys({ start: seqKey(0), limit: 1 })) return seqOf(key);
  return;
}

/** How many rows there are. Kept by LMDB, so it costs nothing. */
export function entryCount(database: Rows): number {
  return (database.getStats() as { readonly entryCount: number }).entryCount;
}

/** The log's key: seq in eight bytes, big-endian. */
export function seqKey(seq: Seq): Buffer {
  const key = Buffer.allocUnsafe(8);
  key.writeUInt32BE(Math.floor(seq / 4294967296), 0);
  key.writeUInt32BE(seq >>> 0, 4);
  return key;
}

/** The seq of a log key. */
export function seqOf(key: Uint8Array): Seq {
  const bytes = Buffer.from(key.buffer, key.byteOffset, key.byteLength);
  return bytes.readUInt32BE(0) * 4294967296 + bytes.readUInt32BE(4);
}
