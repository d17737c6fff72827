// The gate's memory: the newest marketing sends, as many as a cap asks for; and what the gate sees
// of a partition's memory.

import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import type { AppsOf, NewApp, Slice } from '../../area.ts';
import type { AudienceReads } from '../../people/audience/reads.ts';
import type { AccountsReads, OrgsOf } from '../../tenants/accounts/reads.ts';
import { CapCounts, type CapCountsSnapshot } from './caps.ts';
import type { GateFacts } from './gate-facts.ts';
import type { GateOrgView, InFlight } from './reads.ts';
import { Resting, type RestingSnapshot } from './resting.ts';

export interface GateApp {
  readonly caps: CapCounts;
  readonly resting: Resting;
}

/** `resting`: absent while no address rests, as in checkpoints of earlier builds. */
interface GateSnapshot {
  readonly caps: CapCountsSnapshot;
  readonly resting?: RestingSnapshot;
}

export const gateOfApp: Slice<GateApp, GateSnapshot, NewApp> = {
  make: () => ({ caps: new CapCounts(), resting: new Resting() }),
  snapshot: ({ caps, resting }) => ({
    caps: caps.snapshot(),
    ...(resting.isEmpty ? {} : { resting: resting.snapshot() }),
  }),
  restore: ({ caps, resting }) => ({
    caps: CapCounts.restore(caps),
    resting: Resting.restore(resting),
  }),
};

type PeopleView = Pick<AudienceReads, 'people'>;

export type GateView = GateApp &
  GateFacts &
  AccountsReads &
  InFlight &
  PeopleView & { readonly traits: { readonly next: PersonOrdinal } };

export type GateMemory = AppsOf<GateView> & OrgsOf<GateOrgView>;
