// Owner's ordinal → slot → partition → shard. The slot is the ordinal's low 12 bits, forever; a
// table maps slots to partitions, evenly by default.

import { assert } from '../base/assert.ts';
import type { Ordinal } from '../base/brand.ts';

export const slotCount = 4096;
const slotBits = 12;

/** Of an owner, or a bare slot address that stands for all its owners. */
export function slotOf(ordinal: Ordinal): number {
  return ordinal & (slotCount - 1);
}

/** A slot's `n`-th ordinal from 1; 0 is its own address, never an owner. */
export function ordinalIn(slot: number, n: number): Ordinal {
  assert(slot >= 0 && slot < slotCount && n >= 0 && n < 2 ** 20, 'ordinal out of range');
  return n * slotCount + slot;
}

export function isSlotAddress(ordinal: Ordinal): boolean {
  return ordinal >>> slotBits === 0;
}

/** `partitions` is fixed when the data directory is made. */
export function partitionOf(ordinal: Ordinal, partitions: number): number {
  return slotOf(ordinal) % partitions;
}

export function shardOf(partition: number, shards: number): number {
  return partition % shards;
}
