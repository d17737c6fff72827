// What accounts see of a partition's memory.

import type { UtcMonth } from '../../../engine/time/utc-month.ts';
import type { AccountsApp, AccountsOrg, AccountsPartition } from './state.ts';

/** Of an app. */
export type AccountsView = AccountsApp;

/** Of an org. */
export type AccountsOrgView = AccountsOrg & SentByOrg;

/** Of a partition. */
export type AccountsMemory = AccountsPartition<AccountsView, AccountsOrgView>;

/** What an org sent; it is counted in areas below. */
interface SentByOrg {
  readonly sendsDay: number;
  readonly sendsToday: number;
  readonly meter: { emails(month: UtcMonth): { readonly delivered: number } | undefined };
}
