// Where an owner lives: ordinal → slot → partition → shard. The slot is the ordinal's low 12 bits,
// forever. A table says which partition holds a slot; its default spreads slots evenly.

import { assert } from '../base/assert.ts';
import type { Ordinal } from '../base/brand.ts';

const slotCount = 4096;
const slotBits = 12;

/** The slot of an owner, and of the bare slot address that stands for every owner in it. */
export function slotOf(ordinal: Ordinal): number {
  return ordinal & (slotCount - 1);
}

/**
 * The `n`-th ordinal allocated in a slot, from 1. `n` 0 is the slot's own address and never an
 * owner.
 */
export function ordinalIn(slot: number, n: number): Ordinal {
  assert(slot >= 0 && slot < slotCount && n >= 0 && n < 2 ** 20, 'ordinal out of range');
  return n * slotCount + slot;
}

/** True for a slot's own address. */
export function isSlotAddress(ordinal: Ordinal): boolean {
  return ordinal >>> slotBits === 0;
}

/** The partition that holds a slot, `partitions` being fixed when the data directory is made. */
export function partitionOf(ordinal: Ordinal, partitions: number): number {
  return slotOf(ordinal) % partitions;
}

/** The shard thread that hosts a partition. */
export function shardOf(partition: number, shards: number): number {
  return partition % shards;
}
