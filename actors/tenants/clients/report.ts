// What a client org reports to its parent: absolute figures of every month that is kept, without
// past months of nothing.

import type { Millis } from '../../../engine/base/brand.ts';
import { type UtcMonth, utcMonthOf } from '../../../engine/time/utc-month.ts';
import { limits } from '../../limits.ts';
import { monthOf } from '../usage/months.ts';
import { type ClientMonth, type ClientReport, everyMonth, isSameReport } from './records.ts';
import type { ClientsMemory, ClientsOrgView } from './view.ts';

export function reportOf(
  state: Pick<ClientsMemory, 'apps' | 'orgs'>,
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
  return { name, through: isFinal ? everyMonth : now, months };
}

/** Whether the parent lacks something: nothing was confirmed, or the figures have changed since. */
export function isReportDue(
  state: Pick<ClientsMemory, 'apps' | 'orgs'>,
  org: ClientsOrgView,
  nowMs: Millis,
): boolean {
  const { report, isAcknowledged } = org.reported;
  if (report === undefined || !isAcknowledged) return true;
  return !isSameReport(report, reportOf(state, org, nowMs));
}
