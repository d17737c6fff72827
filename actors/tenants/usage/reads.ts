// What other areas see of the meter: what they read; and what the meter, and whoever asks it for
// usage, sees of a partition's memory.

import type { Millis } from '../../../engine/base/brand.ts';
import type { UtcMonth } from '../../../engine/time/utc-month.ts';
import type { AppsOf } from '../../area.ts';
import type { AccountsReads, OrgReads, OrgsOf } from '../accounts/reads.ts';
import type { UsageApp, UsageOrg } from './memory.ts';

export interface UsageReads {
  readonly meter: {
    /** The emails of a month; `undefined` for one without any. */
    emails(month: UtcMonth): { readonly delivered: number } | undefined;
  };
}

export type UsageView = UsageApp & Pick<AccountsReads, 'record' | 'settings'> & PeopleCounted;

/** Counted by areas below: the audience, and the expiry of anonymous people. */
interface PeopleCounted {
  readonly people: { readonly count: number };
  readonly expiredIn: { get(month: UtcMonth): number | undefined };
}

/** Reported by client workspaces, an area below. */
interface ClientsCounted {
  readonly clients: ReadonlyMap<string, ClientCounted>;
}

export interface ClientCounted {
  readonly id: string;
  readonly name: string;
  readonly createdMs: Millis;
  /** Set when it was deleted. */
  readonly closedMs?: Millis;
  /** Its months before this one no longer change; 0 before its first report. */
  readonly through: UtcMonth;
  readonly months: readonly (readonly [
    UtcMonth,
    { readonly mau: number; readonly delivered: number; readonly included: number | null },
  ])[];
}

export type UsageOrgView = UsageOrg & OrgReads & ClientsCounted;

export type UsageMemory = AppsOf<UsageView> & OrgsOf<UsageOrgView>;
