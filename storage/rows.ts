// LMDB rows and log blocks, for the writer and other threads. Reads everything at once: an open
// cursor holds a snapshot, which makes the file grow.

import type { Database } from 'lmdb';
import type { KeyRange, StoredRow } from '../engine/actor/store.ts';
import { assert } from '../engine/base/assert.ts';
import type { Seq } from '../engine/base/brand.ts';

/** Rows per read: more would delay the reuse of old pages. */
export const maxRows = 10_000;

export type Rows = Database<Buffer, Uint8Array>;

/** The caller owns the bytes. */
export interface StoredBlock {
  readonly seq: Seq;
  readonly block: Uint8Array;
}

/** In key order, at most 10,000. */
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

/** Blocks from `first` up to `last`, at most `limit`. Throws if one is missing, naming `path`. */
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

export function newestSeq(log: Rows): Seq | undefined {
  for (const key of log.getKeys({
    start: seqKey(Number.MAX_SAFE_INTEGER),
    reverse: true,
    limit: 1,
  }))
    return seqOf(key);
  return;
}

export function oldestSeq(log: Rows): Seq | undefined {
  for (const key of log.getKeys({ start: seqKey(0), limit: 1 })) return seqOf(key);
  return;
}

/** Kept by LMDB, so free. */
export function entryCount(database: Rows): number {
  return (database.getStats() as { readonly entryCount: number }).entryCount;
}

/** Seq in eight bytes, big-endian. */
export function seqKey(seq: Seq): Buffer {
  const key = Buffer.allocUnsafe(8);
  key.writeUInt32BE(Math.floor(seq / 4294967296), 0);
  key.writeUInt32BE(seq >>> 0, 4);
  return key;
}

export function seqOf(key: Uint8Array): Seq {
  const bytes = Buffer.from(key.buffer, key.byteOffset, key.byteLength);
  return bytes.readUInt32BE(0) * 4294967296 + bytes.readUInt32BE(4);
}
