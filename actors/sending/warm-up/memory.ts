// Warm-ups in memory; and what they see of a partition's memory.

import type { AppsOf, NewApp, Slice } from '../../area.ts';
import type { AccountsReads } from '../../tenants/accounts/reads.ts';
import { WarmUps, type WarmUpsSnapshot } from './warm-ups.ts';

export interface WarmUpApp {
  readonly warmUps: WarmUps;
}

/** Absent in checkpoints of earlier builds. */
type Snapshot = { readonly warmUps?: WarmUpsSnapshot };

export const warmUpOfApp: Slice<WarmUpApp, Snapshot, NewApp> = {
  make: () => ({ warmUps: new WarmUps() }),
  snapshot: ({ warmUps }) => (warmUps.size === 0 ? {} : { warmUps: warmUps.snapshot() }),
  restore: ({ warmUps }) => ({ warmUps: WarmUps.restore(warmUps) }),
};

export type WarmUpView = WarmUpApp & AccountsReads;

export type WarmUpMemory = AppsOf<WarmUpView>;
