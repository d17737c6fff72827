// An org's billing in memory; and what billing sees of a partition's memory.

import type { GapMemory } from '../../../engine/actor/machine.ts';
import type { AppsOf, NewOrg, Slice } from '../../area.ts';
import type { OrgsOf } from '../accounts/reads.ts';
import type { UsageOrgView, UsageView } from '../usage/reads.ts';
import { type Billing, noBilling } from './records.ts';

export interface BillingOrg {
  billing: Billing;
}

interface Snapshot {
  /** Absent from before there was billing. */
  readonly billing?: Billing;
}

export const billingOfOrg: Slice<BillingOrg, Snapshot, NewOrg> = {
  make: () => ({ billing: noBilling }),
  snapshot: ({ billing }) => ({ billing }),
  restore: ({ billing }) => ({ billing: billing ?? noBilling }),
};

export type BillingOrgView = BillingOrg & UsageOrgView;

export type BillingMemory = AppsOf<UsageView> &
  OrgsOf<BillingOrgView> & {
    readonly orgById: ReadonlyMap<string, number>;
    readonly ages: GapMemory;
  };
