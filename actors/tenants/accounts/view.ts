// What accounts see of a partition's memory.

import type { UtcMonth } from '../../../engine/time/utc-month.ts';
import type { AccountsApp, AccountsOrg, AccountsPartition } from './state.ts';

export type AccountsView = AccountsApp;

export type AccountsOrgView = AccountsOrg & SentByOrg & PeopleOfOrg;

export type AccountsMemory = AccountsPartition<AccountsView, AccountsOrgView>;

/** What an org sent, counted by areas below. */
interface SentByOrg {
  readonly sendsDay: number;
  readonly sendsToday: number;
  readonly meter: { emails(month: UtcMonth): { readonly delivered: number } | undefined };
}

/** Who may act for an org besides its keys, of an area below. */
interface PeopleOfOrg {
  readonly members: ReadonlyMap<string, { readonly role: string; readonly isOpen?: true }>;
}
