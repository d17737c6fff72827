// Records at rest: `[version u8][crc32 u32 LE of payload][payload]`, payload = msgpack array of the
// table's fields in declared order. Names are not stored, so a field list is append-only: a reader
// accepts any older, shorter array. An absent field is nil, so a top-level field is never null;
// nested values may be.

import { crc32 } from 'node:zlib';
import { Packr, RESERVE_START_SPACE, Unpackr } from 'msgpackr';
import { assert } from '../engine/base/assert.ts';
import type { Bytes } from '../engine/base/brand.ts';

/** Bytes before the payload. */
export const recordHeaderBytes = 5;

/** The longest record. A document is read whole, so a long list belongs in rows of its own. */
const maxRecordBytes: Bytes = 4 * 1024 * 1024;

// Our own pair, without record definitions: each record must be readable without a dictionary
// beside it.
const options = {
  useRecords: false,
  encodeUndefinedAsNil: true,
  moreTypes: true,
  copyBuffers: false,
};
const packr = new Packr(options);
const unpackr = new Unpackr(options);
const payloadOnly = { start: recordHeaderBytes };

/**
 * Thrown for a record that fails its checksum, is cut short, or was written by a newer program.
 * Never ignored.
 */
export class DamagedRecord extends Error {
  override readonly name = 'DamagedRecord';
  /** The table's name. */
  readonly table: string;
  /** The whole key, in hexadecimal. */
  readonly key: string;
  constructor(table: string, key: Uint8Array, problem: string) {
    const hex = Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('hex');
    super(`record ${hex} of table ${table}: ${problem}`);
    this.table = table;
    this.key = hex;
  }
}

/** Writes the fields as one record. `version` is 1 to 255. Trailing absent fields take no space. */
export function encodeRecord(version: number, fields: readonly unknown[]): Uint8Array {
  let length = fields.length;
  while (length > 0 && fields[length - 1] === undefined) length--;
  const record = packr.pack(
    length === fields.length ? fields : fields.slice(0, length),
    RESERVE_START_SPACE | recordHeaderBytes,
  );
  assert(record.length <= maxRecordBytes, `a record of ${record.length} bytes is too long`);
  record[0] = version;
  record.writeUInt32LE(crc32(record.subarray(recordHeaderBytes)), 1);
  return record;
}

/** The result of `decodeRecord`. */
interface DecodedRecord {
  /** The version that wrote it, at most the reader's. */
  readonly version: number;
  /** As many as were written; nil for an absent one. Byte members are views into the record. */
  readonly fields: readonly unknown[];
}

/** Reads a record back, after its checksum. `table` and `key` only name it in a `DamagedRecord`. */
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

/** The version that wrote a record, once its checksum says that it is whole. */
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

/** The same bytes, with the methods of a Buffer. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
