// What memory holds for policy: the newest marketing sends, as many as a frequency cap asks about.

import type { AppBorn, Slice } from '../../area.ts';
import { CapCounts, type CapCountsSnapshot } from './caps.ts';

export interface PolicyApp {
  readonly caps: CapCounts;
}

export const policyOfApp: Slice<PolicyApp, { readonly caps: CapCountsSnapshot }, AppBorn> = {
  make: () => ({ caps: new CapCounts() }),
  snapshot: ({ caps }) => ({ caps: caps.snapshot() }),
  restore: ({ caps }) => ({ caps: CapCounts.restore(caps) }),
};
