// What the meter sees of a partition's memory.

import type { UtcMonth } from '../../../engine/time/utc-month.ts';
import type { AppsOf } from '../../area.ts';
import type { AccountsReads, OrgReads, OrgsOf } from '../accounts/reads.ts';
import type { UsageApp, UsageOrg } from './state.ts';

export type UsageView = UsageApp & Pick<AccountsReads, 'record' | 'settings'> & PeopleCounted;

/** Counted by areas below: the audience, and the expiry of anonymous people. */
interface PeopleCounted {
  readonly people: { readonly count: number };
  readonly expiredIn: { get(month: UtcMonth): number | undefined };
}

export type UsageOrgView = UsageOrg & OrgReads;

export type UsageMemory = AppsOf<UsageView> & OrgsOf<UsageOrgView>;
