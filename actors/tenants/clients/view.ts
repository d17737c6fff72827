// What client workspaces see of a partition's memory.

import type { AppsOf } from '../../area.ts';
import type {
  AccountsReads,
  DirectoryReads,
  KeysReads,
  OrgReads,
  OrgsOf,
} from '../accounts/reads.ts';
import type { BillingReads } from '../billing/reads.ts';
import type { OrgMeter } from '../usage/org-meter.ts';
import type { UsageView } from '../usage/view.ts';
import type { ClientsOrg } from './state.ts';

export type ClientsOrgView = ClientsOrg & OrgReads & BillingReads & { readonly meter: OrgMeter };

export type ClientsMemory = AppsOf<UsageView & AccountsReads> &
  OrgsOf<ClientsOrgView> &
  KeysReads &
  DirectoryReads;
