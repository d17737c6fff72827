// One turn's log block, for all tenants: `[version u8][crc32 u32][msgpack {at, entries}]`.

import '../base/plain-msgpack.ts';
import { crc32 } from 'node:zlib';
import { Packr, RESERVE_START_SPACE, REUSE_BUFFER_MODE } from 'msgpackr';
import type { Millis } from '../base/brand.ts';
import type { Entry } from './message.ts';

const version = 1;
const headerBytes = 5;
// Plain maps, no records: entries may hold tenants' keys, and each block must be readable alone.
const packr = new Packr({ useRecords: false, moreTypes: true, int64AsType: 'number' });

/** A turn's instant, and its entries in the order applied. */
export interface Block {
  readonly atMs: Millis;
  readonly entries: readonly Entry[];
}

/** A bad checksum or a newer version. */
class DamagedBlock extends Error {
  override readonly name = 'DamagedBlock';
}

const bufferBytes = 64 * 1024;
const keptBytesMax = 4 * 1024 * 1024;

/**
 * Packs blocks into reused buffers: new ones would be most of a thread's garbage at hundreds of
 * blocks a second. Bytes are valid until returned; a block never returned stays valid.
 */
export class BlockPacker {
  /** As many as blocks on loan at once. */
  readonly #free: Buffer[] = [];

  pack(block: Block): Uint8Array {
    // All packers of a thread share a buffer; records waiting for this commit hold its end.
    const shared = packr.pack(null, REUSE_BUFFER_MODE) as Buffer;
    const { position } = packr;
    packr.useBuffer(this.#free.pop() ?? Buffer.allocUnsafeSlow(bufferBytes));
    const bytes = packr.pack(block, RESERVE_START_SPACE | headerBytes);
    packr.useBuffer(shared);
    packr.position = position;
    bytes[0] = version;
    bytes.writeUInt32LE(crc32(bytes.subarray(headerBytes)), 1);
    return bytes;
  }

  /** These bytes are no longer needed. */
  giveBack({ buffer }: Uint8Array): void {
    // A large buffer grew for an exceptional block.
    if (buffer.byteLength <= keptBytesMax) this.#free.push(Buffer.from(buffer));
  }
}

const packer = new BlockPacker();

/** In separate bytes, for tools that write a log and return nothing. */
export function encodeBlock(block: Block): Uint8Array {
  const bytes = packer.pack(block);
  const own = Buffer.from(bytes);
  packer.giveBack(bytes);
  return own;
}

/** Byte fields of entries are views into `bytes`. */
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
