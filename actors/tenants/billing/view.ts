// What billing sees of a partition's memory.

import type { GapMemory } from '../../../engine/actor/machine.ts';
import type { AppsOf } from '../../area.ts';
import type { OrgsOf } from '../accounts/reads.ts';
import type { UsageOrgView, UsageView } from '../usage/view.ts';
import type { BillingOrg } from './state.ts';

export type BillingOrgView = BillingOrg & UsageOrgView;

export type BillingMemory = AppsOf<UsageView> &
  OrgsOf<BillingOrgView> & {
    readonly orgById: ReadonlyMap<string, number>;
    readonly ages: GapMemory;
  };
