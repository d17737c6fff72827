// What memory holds of erasures that sends still have to be looked through for.

import type { AppBorn, Slice } from '../area.ts';

export interface ErasureApp {
  /** People erased since the last pass over the sends began. */
  erasedUnscrubbed: number;
  /** Such a pass is under way. */
  scrubbing: boolean;
}

export const erasureOfApp: Slice<ErasureApp, ErasureApp, AppBorn> = {
  make: () => ({ erasedUnscrubbed: 0, scrubbing: false }),
  snapshot: ({ erasedUnscrubbed, scrubbing }) => ({ erasedUnscrubbed, scrubbing }),
  restore: ({ erasedUnscrubbed, scrubbing }) => ({ erasedUnscrubbed, scrubbing }),
};
