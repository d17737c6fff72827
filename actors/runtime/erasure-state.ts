// Memory of erasures whose sends are still to be scanned.

import type { AppBorn, Slice } from '../area.ts';

export interface ErasureApp {
  /** People erased since the last pass over the sends began. */
  erasedUnscrubbed: number;
  /** Whether such a pass is running. */
  scrubbing: boolean;
}

export const erasureOfApp: Slice<ErasureApp, ErasureApp, AppBorn> = {
  make: () => ({ erasedUnscrubbed: 0, scrubbing: false }),
  snapshot: ({ erasedUnscrubbed, scrubbing }) => ({ erasedUnscrubbed, scrubbing }),
  restore: ({ erasedUnscrubbed, scrubbing }) => ({ erasedUnscrubbed, scrubbing }),
};
