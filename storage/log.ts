// Reads a partition's log in short reads, bounded by blocks and bytes: a read holds a snapshot of
// the environment, and a long one makes the file grow permanently.

import type { PartitionStore } from '../engine/actor/store.ts';
import type { Bytes, Seq } from '../engine/base/brand.ts';
import type { StoredBlock } from './rows.ts';

/** Per read. The bytes are a target: a block's size is known only once read. */
const readBlocksMax = 1000;
const readBytesAim: Bytes = 8 * 1024 * 1024;

const firstRead = 16;

/** Oldest first. Throws if a block is missing. */
export function* logBlocks(
  source: Pick<PartitionStore, 'blocks'>,
  from: Seq,
  through: Seq,
): Generator<StoredBlock> {
  let count = firstRead;
  for (let next = from; next <= through; ) {
    const blocks = source.blocks(next, Math.min(count, through - next + 1));
    let bytes = 0;
    for (const found of blocks) {
      if (found.seq !== next) break;
      bytes += found.block.length;
      yield found;
      next++;
    }
    if (bytes === 0)
      throw new Error(`log block ${next} is missing, although it should have been kept`);
    count = nextCount(count, bytes);
  }
}

/** Blocks to read next, after `count` blocks of `bytes`. */
export function nextCount(count: number, bytes: Bytes): number {
  const fitting = Math.floor((count * readBytesAim) / Math.max(1, bytes));
  return Math.max(1, Math.min(readBlocksMax, count * 2, fitting));
}
