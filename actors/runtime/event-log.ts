// A partition's store with the meaning of its entries, for readers of events in houses above.

import type { PartitionReads } from '../../storage/reader.ts';
import type { BlockSource } from '../events/read/read.ts';
import { eventsOf } from './facts.ts';

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
