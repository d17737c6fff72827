// The epoch of the data that memory has acted on.

import type { Slice } from '../area.ts';

export interface RestoredPartition {
  /** Lower than the store's from a restore until it is acted on. */
  epoch: number;
}

export const restoredOfPartition: Slice<RestoredPartition, RestoredPartition, object> = {
  make: () => ({ epoch: 1 }),
  snapshot: ({ epoch }) => ({ epoch }),
  restore: ({ epoch }) => ({ epoch }),
};
