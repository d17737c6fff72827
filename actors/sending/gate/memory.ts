// The gate's memory: the newest marketing sends, as many as a cap asks for; and what the gate sees
// of a partition's memory.

import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import type { AppsOf, NewApp, Slice } from '../../area.ts';
import type { AccountsReads, OrgsOf } from '../../tenants/accounts/reads.ts';
import { CapCounts, type CapCountsSnapshot } from './caps.ts';
import type { GateFacts } from './gate-facts.ts';
import type { GateOrgView, InFlight } from './reads.ts';

export interface GateApp {
  readonly caps: CapCounts;
}

export const gateOfApp: Slice<GateApp, { readonly caps: CapCountsSnapshot }, NewApp> = {
  make: () => ({ caps: new CapCounts() }),
  snapshot: ({ caps }) => ({ caps: caps.snapshot() }),
  restore: ({ caps }) => ({ caps: CapCounts.restore(caps) }),
};

export type GateView = GateApp &
  GateFacts &
  AccountsReads &
  InFlight & { readonly traits: { readonly next: PersonOrdinal } };

export type GateMemory = AppsOf<GateView> & OrgsOf<GateOrgView>;
