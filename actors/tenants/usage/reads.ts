// What other areas read of the meter.

import type { Ordinal } from '../../../engine/base/brand.ts';
import { type UtcMonth, utcMonthOf } from '../../../engine/time/utc-month.ts';
import type { UsageMemory } from './view.ts';

export interface UsageReads {
  readonly meter: {
    /** The emails of a month; `undefined` for one without any. */
    emails(
      month: UtcMonth,
    ): { readonly delivered: number; readonly included: number | null } | undefined;
  };
}

/** What a workspace is billed for in a month. */
export interface MonthFigures {
  readonly mau: number;
  readonly emailsDelivered: number;
  /** `null` is unlimited. */
  readonly emailsIncluded: number | null;
}

interface ClientMonth extends MonthFigures {
  readonly orgId: string;
}

/** An org's own figures, without its clients. */
export function monthOf(
  { orgs, apps }: UsageMemory,
  org: Ordinal,
  month: UtcMonth,
  nowMs: number,
): MonthFigures {
  const kept = orgs.get(org);
  if (kept === undefined) return { mau: 0, emailsDelivered: 0, emailsIncluded: 0 };
  let mau = kept.meter.earlier(month);
  for (const deleted of kept.meter.deleted(month)) mau += deleted.mau;
  for (const app of kept.apps) mau += apps.get(app)?.monthlyActive.count(month) ?? 0;
  const emails = kept.meter.emails(month);
  // `null` in a row is an allowance, too: unlimited at the time.
  const isCurrent = month === utcMonthOf(nowMs);
  const emailsIncluded =
    isCurrent || emails === undefined ? kept.record.emailAllowance : emails.included;
  return { mau, emailsDelivered: emails?.delivered ?? 0, emailsIncluded };
}

/** The same of each client workspace. */
export function clientMonths(
  _state: UsageMemory,
  _org: Ordinal,
  _month: UtcMonth,
): readonly ClientMonth[] {
  return [];
}

/** Whether every client has reported the whole of a past month. */
export function areClientsComplete(_state: UsageMemory, _org: Ordinal, _month: UtcMonth): boolean {
  return true;
}
