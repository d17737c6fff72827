// The gate's memory: the newest marketing sends, as many as a cap asks for.

import type { AppBorn, Slice } from '../../area.ts';
import { CapCounts, type CapCountsSnapshot } from './caps.ts';

export interface GateApp {
  readonly caps: CapCounts;
}

export const gateOfApp: Slice<GateApp, { readonly caps: CapCountsSnapshot }, AppBorn> = {
  make: () => ({ caps: new CapCounts() }),
  snapshot: ({ caps }) => ({ caps: caps.snapshot() }),
  restore: ({ caps }) => ({ caps: CapCounts.restore(caps) }),
};
