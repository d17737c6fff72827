// What the meter sees of a partition's memory.

import type { AppsOf } from '../../area.ts';
import type { AccountsReads, OrgReads, OrgsOf } from '../accounts/reads.ts';
import type { UsageApp, UsageOrg } from './state.ts';

export type UsageView = UsageApp & Pick<AccountsReads, 'record' | 'settings'> & PeopleCounted;

/** Counted by the audience, an area below. */
interface PeopleCounted {
  readonly people: { readonly count: number };
}

export type UsageOrgView = UsageOrg & OrgReads;

export type UsageMemory = AppsOf<UsageView> & OrgsOf<UsageOrgView>;
