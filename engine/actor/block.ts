// The log block of one turn: `[version u8][crc32 u32][msgpack {at, entries}]`. All tenants of the partition share it.

import { crc32 } from 'node:zlib';
import { Packr } from 'msgpackr';
import type { Millis } from '../base/brand.ts';
import type { Entry } from './message.ts';

const version = 1;
const headerBytes = 5;
// Plain maps, no records: entries may hold tenants' own keys, and a block must be readable by itself.
const packr = new Packr({ useRecords: false, moreTypes: true, int64AsType: 'number' });

/** What a block holds: the instant of the turn and its entries in the order they were applied. */
export interface Block {
  readonly atMs: Millis;
  readonly entries: readonly Entry[];
}

/** Thrown for a block that fails its checksum or was written by a newer version. */
export class DamagedBlock extends Error {
  override readonly name = 'DamagedBlock';
}

export function encodeBlock(block: Block): Uint8Array {
  const payload = packr.pack(block);
  const bytes = Buffer.allocUnsafe(headerBytes + payload.length);
  bytes[0] = version;
  bytes.writeUInt32LE(crc32(payload), 1);
  payload.copy(bytes, headerBytes);
  return bytes;
}

/** Reads a block back. The entries' byte members are views into `bytes`. */
export function decodeBlock(bytes: Uint8Array): Block {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length < headerBytes) throw new DamagedBlock('log block is cut short');
  if (buffer[0] !== version)
    throw new DamagedBlock(`log block has version ${buffer[0]}, this program reads ${version}`);
  const payload = buffer.subarray(headerBytes);
  if (crc32(payload) !== buffer.readUInt32LE(1))
    throw new DamagedBlock('log block fails its checksum');
  return packr.unpack(payload) as Block;
}
