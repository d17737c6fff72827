// What client workspaces see of a partition's memory.

import type { AppsOf } from '../../area.ts';
import type { AccountsReads, KeysReads, OrgReads, OrgsOf } from '../accounts/reads.ts';
import type { AccountsPartition } from '../accounts/state.ts';
import type { BillingReads } from '../billing/reads.ts';
import type { UsageOrg } from '../usage/state.ts';
import type { UsageView } from '../usage/view.ts';
import type { ClientsOrg } from './state.ts';

export type ClientsOrgView = ClientsOrg & OrgReads & UsageOrg & BillingReads;

export type ClientsMemory = AppsOf<UsageView & AccountsReads> &
  OrgsOf<ClientsOrgView> &
  KeysReads &
  Pick<AccountsPartition, 'orgById' | 'ordinalsUsed'>;
