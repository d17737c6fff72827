// A partition's store for readers of events, who lie below the areas whose entries are events.

import type { PartitionReads } from '../../storage/reader.ts';
import type { BlockSource } from '../events/read.ts';
import { eventsOf } from './facts.ts';

/** The same store; it says what the entries of its log mean. */
export function eventLog(store: PartitionReads): PartitionReads & BlockSource {
  return {
    epoch: store.epoch,
    get durableSeq() {
      return store.durableSeq;
    },
    get oldestSeq() {
      return store.oldestSeq;
    },
    get: (key) => store.get(key),
    range: (range) => store.range(range),
    blocks: (from, limit) => store.blocks(from, limit),
    eventsOf,
  };
}
