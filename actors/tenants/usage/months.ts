// What an org and its client workspaces used in a month: all that an invoice is made of. A client's
// figures are as of its last report, at most a minute old; `unsettledClients` says whose figures of
// a month may still change.

import type { Millis } from '../../../engine/base/brand.ts';
import { type UtcMonth, utcMonthOf, utcMonthStart } from '../../../engine/time/utc-month.ts';
import { limits } from '../../limits.ts';
import type { ClientsCounted, UsageMemory, UsageOrgView } from './view.ts';

export interface MonthUsage {
  readonly mau: number;
  readonly emailsDelivered: number;
  /** The email allowance; `null` is unlimited. */
  readonly emailsIncluded: number | null;
}

export interface ClientMonthUsage extends MonthUsage {
  readonly orgId: string;
  readonly name: string;
}

/** Of the org itself, without its clients. */
export function monthOf(
  { apps }: Pick<UsageMemory, 'apps'>,
  org: Pick<UsageOrgView, 'apps' | 'meter' | 'record'>,
  month: UtcMonth,
  nowMs: Millis,
): MonthUsage {
  let mau = org.meter.earlier(month);
  for (const ordinal of org.apps) mau += apps.get(ordinal)?.monthlyActive.count(month) ?? 0;
  for (const deleted of org.meter.deleted(month)) mau += deleted.mau;
  const emails = org.meter.emails(month);
  // `null` in a row is an allowance, too: unlimited at the time.
  const isPast = month !== utcMonthOf(nowMs) && emails !== undefined;
  return {
    mau,
    emailsDelivered: emails?.delivered ?? 0,
    emailsIncluded: isPast ? emails.included : org.record.emailAllowance,
  };
}

/** Of every client that used anything in the month, and of all that exist; by id. */
export function clientMonths(
  { clients }: ClientsCounted,
  month: UtcMonth,
): readonly ClientMonthUsage[] {
  const found: ClientMonthUsage[] = [];
  for (const { id, name, createdMs, closedMs, months } of clients.values()) {
    const row = months.find(([one]) => one === month)?.[1];
    const isThere = utcMonthOf(createdMs) <= month && closedMs === undefined;
    if (row === undefined && !isThere) continue;
    const { mau, delivered, included } = row ?? nothing;
    found.push({ orgId: id, name, mau, emailsDelivered: delivered, emailsIncluded: included });
  }
  return found.sort((one, other) => (one.orgId < other.orgId ? -1 : 1));
}

const nothing = { mau: 0, delivered: 0, included: limits.emailAllowance };

/** Clients that have not yet said that the month is over for them: its close waits. */
export function unsettledClients({ clients }: ClientsCounted, month: UtcMonth): readonly string[] {
  const endMs = utcMonthStart(month + 1);
  return [...clients.values()]
    .filter(({ createdMs, through }) => createdMs < endMs && through <= month)
    .map(({ id }) => id);
}
