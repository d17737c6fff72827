// Stored records: `[version u8][crc32 u32 LE of payload][payload]`, payload = msgpack array of
// fields in declared order. Without names a field list is append-only: readers accept shorter,
// older arrays. Absent fields are nil, so a top-level field is never null; nested ones may be.

import '../engine/base/plain-msgpack.ts';
import { crc32 } from 'node:zlib';
import { Packr, RESERVE_START_SPACE, Unpackr } from 'msgpackr';
import { assert } from '../engine/base/assert.ts';
import type { Bytes } from '../engine/base/brand.ts';

export const recordHeaderBytes = 5;

/** Documents are read whole, so a long list needs its own rows. */
const maxRecordBytes: Bytes = 4 * 1024 * 1024;

// No record definitions: each record must be readable without a dictionary.
const options = {
  useRecords: false,
  encodeUndefinedAsNil: true,
  moreTypes: true,
  copyBuffers: false,
};
const packr = new Packr(options);
const unpackr = new Unpackr(options);
const payloadOnly = { start: recordHeaderBytes };

/** A bad checksum, a cut record, or a newer program's. Never ignored. */
export class DamagedRecord extends Error {
  override readonly name = 'DamagedRecord';
  readonly table: string;
  /** The whole key in hexadecimal. */
  readonly key: string;
  constructor(table: string, key: Uint8Array, problem: string) {
    const hex = Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('hex');
    super(`record ${hex} of table ${table}: ${problem}`);
    this.table = table;
    this.key = hex;
  }
}

/** What was read, or the record that is damaged or of a newer release. */
export function orDamaged<Read>(read: () => Read): Read | DamagedRecord {
  try {
    return read();
  } catch (error) {
    if (error instanceof DamagedRecord) return error;
    throw error;
  }
}

/** `version` is 1 to 255. Trailing absent fields take no space. */
export function encodeRecord(version: number, fields: readonly unknown[]): Uint8Array {
  let length = fields.length;
  while (length > 0 && fields[length - 1] === undefined) length--;
  const record = packr.pack(
    length === fields.length ? fields : fields.slice(0, length),
    RESERVE_START_SPACE | recordHeaderBytes,
  );
  assert(record.length <= maxRecordBytes, `a record of ${record.length} bytes is too long`);
  sealRecord(version, record);
  return record;
}

/** Writes the header in front of a payload that begins at `recordHeaderBytes`. */
export function sealRecord(version: number, record: Buffer): void {
  record[0] = version;
  record.writeUInt32LE(crc32(record.subarray(recordHeaderBytes)), 1);
}

interface DecodedRecord {
  /** The writer's, at most the reader's. */
  readonly version: number;
  /** As many as written; nil if absent. Byte fields are views into the record. */
  readonly fields: readonly unknown[];
}

/** Checks and reads a record. `table` and `key` only name it in errors. */
export function decodeRecord(
  newest: number,
  record: Uint8Array,
  table: string,
  key: Uint8Array,
): DecodedRecord {
  const bytes = asBuffer(record);
  const version = checkRecord(newest, bytes, table, key);
  const fields: unknown = unpackr.unpack(bytes, payloadOnly);
  if (!Array.isArray(fields)) throw new DamagedRecord(table, key, 'is not a list of fields');
  return { version, fields };
}

/** A record's version, after its checksum. */
export function checkRecord(newest: number, bytes: Buffer, table: string, key: Uint8Array): number {
  if (bytes.length <= recordHeaderBytes) throw new DamagedRecord(table, key, 'is cut short');
  if (crc32(bytes.subarray(recordHeaderBytes)) !== bytes.readUInt32LE(1))
    throw new DamagedRecord(table, key, 'fails its checksum');
  const version = bytes[0] as number;
  if (version > newest)
    throw new DamagedRecord(
      table,
      key,
      `has version ${version}, this program reads up to ${newest}`,
    );
  return version;
}

export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
