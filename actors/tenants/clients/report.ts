// What a client org reports to its parent: absolute figures of every month that is kept, without
// past months of nothing, and what it stores.

import type { Bytes, Millis } from '../../../engine/base/brand.ts';
import { type UtcMonth, utcMonthOf } from '../../../engine/time/utc-month.ts';
import { limits } from '../../limits.ts';
import { monthOf } from '../usage/months.ts';
import { type StoredSums, storedByOrg } from '../usage/stored-by-org.ts';
import type { ClientsMemory, ClientsOrgView } from './memory.ts';
import { type ClientMonth, type ClientReport, everyMonth, isSameReport } from './records.ts';

/** Small enough that nobody hides much in it, and large enough that few changes are news. */
const reportedBytes: Bytes = 1024 * 1024;

export function reportOf(
  state: Pick<ClientsMemory, 'apps' | 'orgs'>,
  sums: StoredSums,
  org: ClientsOrgView,
  nowMs: Millis,
): ClientReport {
  const now = utcMonthOf(nowMs);
  const { ordinal, closedMs, name } = org.record;
  const months: (readonly [UtcMonth, ClientMonth])[] = [];
  for (let month = now - limits.usageMonthsKept; month <= now; month++) {
    const { mau, emailsDelivered, emailsIncluded } = monthOf(state, ordinal, month, nowMs);
    if (month === now || mau > 0 || emailsDelivered > 0)
      months.push([month, { mau, delivered: emailsDelivered, included: emailsIncluded }]);
  }
  // A deleted org has no apps that anything could still happen in.
  const isFinal = closedMs !== undefined && org.apps.size === 0;
  const stored = storedByOrg(state, sums, ordinal, nowMs);
  const storedBytes = Math.ceil(stored / reportedBytes) * reportedBytes;
  return { name, through: isFinal ? everyMonth : now, months, storedBytes };
}

/** Whether the parent lacks something: nothing was confirmed, or the figures have changed since. */
export function isReportDue(
  state: Pick<ClientsMemory, 'apps' | 'orgs'>,
  sums: StoredSums,
  org: ClientsOrgView,
  nowMs: Millis,
): boolean {
  const { report, isAcknowledged } = org.reported;
  if (report === undefined || !isAcknowledged) return true;
  return !isSameReport(report, reportOf(state, sums, org, nowMs));
}
