// Which blocks of a file have events of a name. Names are 32-bit hashes: a collision costs an
// unnecessary read, never an event. Most names are in all blocks or few: an empty list means all.
//
//   count u32 · the hashes u32, ascending · where each list ends u32
//   the lists: steps from block to block as varints

import { Buffer } from 'node:buffer';
import { crc32 } from 'node:zlib';
import type { Bytes } from '../../../engine/base/brand.ts';
import { ByteReader, DamagedEvents } from '../columns/byte-cursor.ts';
import { ByteWriter } from '../columns/byte-writer.ts';

export function nameHash(name: string): number {
  return crc32(name);
}

/** The blocks of each hash, ascending, of `blocks` blocks. */
export function encodeNames(
  blocksByHash: ReadonlyMap<number, readonly number[]>,
  blocks: number,
): Buffer {
  const hashes = [...blocksByHash.keys()].sort((a, b) => a - b);
  const lists = new ByteWriter();
  const ends = new Uint32Array(hashes.length);
  let bytes = 0;
  hashes.forEach((hash, index) => {
    const list = blocksByHash.get(hash) ?? [];
    if (list.length < blocks) {
      const one = new ByteWriter();
      let last = -1;
      for (const block of list) {
        one.varint(block - last - 1);
        last = block;
      }
      const run = one.finish();
      lists.run(run);
      bytes += run.length;
    }
    ends[index] = bytes;
  });
  const head = Buffer.alloc(4 + 8 * hashes.length);
  head.writeUInt32LE(hashes.length, 0);
  hashes.forEach((hash, index) => {
    head.writeUInt32LE(hash, 4 + 4 * index);
    head.writeUInt32LE(ends[index] as number, 4 + 4 * (hashes.length + index));
  });
  return Buffer.concat([head, lists.finish()]);
}

export class NameIndex {
  readonly #bytes: Buffer;
  readonly #blocks: number;
  readonly #count: number;

  /** Verified `bytes`, which must not change. Throws `DamagedEvents`. */
  constructor(bytes: Buffer, blocks: number) {
    this.#bytes = bytes;
    this.#blocks = blocks;
    this.#count = bytes.length < 4 ? 0 : bytes.readUInt32LE(0);
    if (bytes.length < 4 + 8 * this.#count)
      throw new DamagedEvents('an index of names has the wrong length');
  }

  get bytes(): Bytes {
    return this.#bytes.length;
  }

  /** Blocks that may have one of the names, ascending. */
  blocksOf(names: readonly string[]): readonly number[] {
    const found = new Set<number>();
    for (const name of names) {
      const index = this.#find(nameHash(name));
      if (index < 0) continue;
      for (const block of this.#list(index)) found.add(block);
    }
    return [...found].sort((a, b) => a - b);
  }

  /** Name hashes per block, for copying. */
  hashesByBlock(): readonly (readonly number[])[] {
    const hashes: number[][] = Array.from({ length: this.#blocks }, () => []);
    for (let index = 0; index < this.#count; index++)
      for (const block of this.#list(index)) hashes[block]?.push(this.#hash(index));
    return hashes;
  }

  #hash(index: number): number {
    return this.#bytes.readUInt32LE(4 + 4 * index);
  }

  #find(hash: number): number {
    let low = 0;
    let high = this.#count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#hash(middle) < hash) low = middle + 1;
      else high = middle;
    }
    return low < this.#count && this.#hash(low) === hash ? low : -1;
  }

  #list(index: number): readonly number[] {
    const start = index === 0 ? 0 : this.#end(index - 1);
    const end = this.#end(index);
    if (start === end) return Array.from({ length: this.#blocks }, (_, block) => block);
    const lists = 4 + 8 * this.#count;
    const reader = new ByteReader(this.#bytes.subarray(lists + start, lists + end));
    const blocks: number[] = [];
    for (let last = -1; reader.at < end - start; ) {
      last += reader.varint() + 1;
      blocks.push(last);
    }
    return blocks;
  }

  #end(index: number): number {
    return this.#bytes.readUInt32LE(4 + 4 * (this.#count + index));
  }
}
