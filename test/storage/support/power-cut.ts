// Replays a record of writes up to a power cut and builds what the disk may then hold: everything
// synced, and of what was not, any 512-byte sector or none. A disk may lose, keep and reorder; it
// may not tear a sector.

import { below, type Rng } from '../../../engine/base/rng.ts';

const headBytes = 24;
const sectorBytes = 512;
const kinds = { write: 1, syncBegin: 3, syncDone: 4, acknowledged: 9 };

/** One thing that happened, in order. `offset` of an acknowledgment is its seq. */
interface RecordEntry {
  readonly kind: number;
  /** A write that was on the disk when it returned. */
  readonly synced: boolean;
  readonly offset: number;
  readonly bytes: Buffer;
}

/** The bytes of an acknowledgment, for the process to append to its record. */
export function acknowledgement(seq: number): Buffer {
  const entry = Buffer.alloc(headBytes);
  entry.writeUInt32LE(kinds.acknowledged, 0);
  entry.writeBigUInt64LE(BigInt(seq), 8);
  return entry;
}

/** Reads what `recorder.c` wrote. */
export function readRecord(record: Buffer): RecordEntry[] {
  const entries: RecordEntry[] = [];
  for (let at = 0; at + headBytes <= record.length; ) {
    const kind = record.readUInt32LE(at);
    const length = Number(record.readBigUInt64LE(at + 16));
    const start = at + headBytes;
    entries.push({
      kind,
      synced: record.readUInt32LE(at + 4) === 1,
      offset: Number(record.readBigUInt64LE(at + 8)),
      bytes: record.subarray(start, start + length),
    });
    at = start + length;
  }
  return entries;
}

/** The first moment a cut makes sense: when the first turn has been acknowledged. */
export function firstAcknowledgement(entries: readonly RecordEntry[]): number {
  return entries.findIndex(({ kind }) => kind === kinds.acknowledged);
}

/** A disk after a cut just before `entries[cut]`. */
interface DiskImage {
  readonly bytes: Buffer;
  /** The newest turn that was acknowledged before the cut. */
  readonly acknowledged: number;
}

/**
 * Builds one of the images that a cut at `cut` may leave; `rng` decides about each sector that was
 * not synced.
 */
export function imageAt(entries: readonly RecordEntry[], cut: number, rng: Rng): DiskImage {
  const covered = coveredBefore(entries, cut);
  const size = Math.max(
    ...entries.map(({ kind, offset, bytes }) => (kind === kinds.write ? offset + bytes.length : 0)),
  );
  const image = Buffer.alloc(size);
  let end = 0;
  let acknowledged = 0;
  for (let i = 0; i < cut; i++) {
    const { kind, synced, offset, bytes } = entries[i] as RecordEntry;
    if (kind === kinds.acknowledged) acknowledged = Math.max(acknowledged, offset);
    if (kind !== kinds.write) continue;
    const whole = synced || i < covered;
    for (let at = 0; at < bytes.length; at += sectorBytes) {
      if (!whole && below(rng, 2) === 0) continue;
      const until = Math.min(at + sectorBytes, bytes.length);
      bytes.copy(image, offset + at, at, until);
      end = Math.max(end, offset + until);
    }
  }
  return { bytes: image.subarray(0, end), acknowledged };
}

/**
 * Writes before this index are on the disk: the beginning of the newest sync that had ended before
 * the cut.
 */
function coveredBefore(entries: readonly RecordEntry[], cut: number): number {
  let covered = 0;
  let begun = 0;
  for (let i = 0; i < cut; i++) {
    const { kind } = entries[i] as RecordEntry;
    if (kind === kinds.syncBegin) begun = i;
    if (kind === kinds.syncDone) covered = begun;
  }
  return covered;
}
