// What an org and its client workspaces used in a month: all that an invoice is made of. A client's
// figures are as of its last report, at most a minute old; `areClientsComplete` says when those of
// a past month no longer change.

import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import { type UtcMonth, utcMonthOf, utcMonthStart } from '../../../engine/time/utc-month.ts';
import { limits } from '../../limits.ts';
import type { ClientCounted, UsageMemory } from './reads.ts';

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
  { orgs, apps }: UsageMemory,
  owner: Ordinal,
  month: UtcMonth,
  nowMs: Millis,
): MonthUsage {
  const org = orgs.get(owner);
  if (org === undefined) return { mau: 0, emailsDelivered: 0, emailsIncluded: 0 };
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
  { orgs }: Pick<UsageMemory, 'orgs'>,
  owner: Ordinal,
  month: UtcMonth,
): readonly ClientMonthUsage[] {
  const found: ClientMonthUsage[] = [];
  for (const client of orgs.get(owner)?.clients.values() ?? []) {
    const usage = monthOfClient(client, month);
    if (usage !== undefined) found.push(usage);
  }
  return found.sort((one, other) => (one.orgId < other.orgId ? -1 : 1));
}

/** `undefined` if it neither was there nor used anything. */
export function monthOfClient(
  { id, name, createdMs, closedMs, months }: ClientCounted,
  month: UtcMonth,
): ClientMonthUsage | undefined {
  const row = months.find(([one]) => one === month)?.[1];
  const isThere = utcMonthOf(createdMs) <= month && closedMs === undefined;
  if (row === undefined && !isThere) return undefined;
  const { mau, delivered, included } = row ?? nothing;
  return { orgId: id, name, mau, emailsDelivered: delivered, emailsIncluded: included };
}

const nothing = { mau: 0, delivered: 0, included: limits.emailAllowance };

/**
 * Whether every client has said that a past month is over for it. Its figures no longer change, so
 * the close of the month waits for this.
 */
export function areClientsComplete(
  { orgs }: Pick<UsageMemory, 'orgs'>,
  owner: Ordinal,
  month: UtcMonth,
): boolean {
  for (const _ of incompleteClients({ orgs }, owner, month)) return false;
  return true;
}

/** The clients that have not said so. */
export function* incompleteClients(
  { orgs }: Pick<UsageMemory, 'orgs'>,
  owner: Ordinal,
  month: UtcMonth,
): Generator<ClientCounted> {
  const endMs = utcMonthStart(month + 1);
  for (const client of orgs.get(owner)?.clients.values() ?? [])
    if (client.createdMs < endMs && client.through <= month) yield client;
}
