// What the meter sees of a partition's memory.

import type { AppsOf } from '../../area.ts';
import type { AccountsReads, OrgReads, OrgsOf } from '../accounts/reads.ts';
import type { UsageApp, UsageOrg } from './state.ts';

/** Of an app. */
export type UsageView = UsageApp & Pick<AccountsReads, 'record'>;

/** Of an org. */
export type UsageOrgView = UsageOrg & OrgReads;

/** Of a partition. */
export type UsageMemory = AppsOf<UsageView> & OrgsOf<UsageOrgView>;
