// What memory holds of restores: the life of the data that it knows.

import type { Slice } from '../area.ts';

export interface RestoredPartition {
  /** Behind the store's from a restore until it has been acted on. */
  epoch: number;
}

export const restoredOfPartition: Slice<RestoredPartition, RestoredPartition, object> = {
  make: () => ({ epoch: 1 }),
  snapshot: ({ epoch }) => ({ epoch }),
  restore: ({ epoch }) => ({ epoch }),
};
