// Reads an org's meter for one month, over existing and deleted apps.

import { accepted, refused } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import { fieldFault } from '../../../engine/base/fault.ts';
import { type UtcMonth, utcMonthOf, utcMonthText } from '../../../engine/time/utc-month.ts';
import type { EveryArea } from '../../area.ts';
import { limits } from '../../limits.ts';
import { withApp, withOrg } from '../accounts/with-app.ts';
import { CountedTables, countRows } from './count-rows.ts';
import { clientMonths, monthOf } from './months.ts';
import type { AppUsage, UsageProtocol } from './protocol.ts';
import type { UsageMemory, UsageOrgView } from './reads.ts';
import { storedByKind, storedByOrg } from './stored-by-org.ts';

export interface UsageRules {
  readonly everyArea: Pick<EveryArea<never>, 'stored'>;
}

export function usageDecisions({ everyArea }: UsageRules): Decisions<UsageProtocol, UsageMemory> {
  const { sums } = everyArea.stored;
  const tables = new CountedTables(everyArea.stored.tables);
  return {
    ...meterDecisions,

    'org.stored': (state, _message, context) =>
      withOrg(state, context, () => {
        const { owner, nowMs } = context;
        const byKind = storedByKind(state, sums, owner, nowMs);
        return accepted({ storedBytes: storedByOrg(state, sums, owner, nowMs), byKind });
      }),

    'storage.count': (state, _message, context) =>
      withApp(state, context, (app) => countRows(app, tables, context)),
  };
}

const meterDecisions: Pick<Decisions<UsageProtocol, UsageMemory>, 'org.meter'> = {
  'org.meter': (state, message, context) =>
    withOrg(state, context, (org) => {
      const now = utcMonthOf(context.nowMs);
      const { month = now } = message;
      const oldest = now - limits.usageMonthsKept;
      if (month > now)
        return refused(fieldFault('month', `expected a month up to ${utcMonthText(now)}`));
      // Months before the org have nothing to forget.
      if (month < oldest && month >= utcMonthOf(org.record.createdMs))
        return refused(
          fieldFault(
            'month',
            `usage is kept for ${limits.usageMonthsKept} months, expected ${utcMonthText(oldest)} or later`,
          ),
        );
      const { emailsDelivered, emailsIncluded } = monthOf(
        state,
        context.owner,
        month,
        context.nowMs,
      );
      return accepted({
        month,
        apps: appsIn(state, org, month, context.nowMs),
        emails: { delivered: emailsDelivered, included: emailsIncluded },
        clients: clientMonths(state, context.owner, month),
      });
    }),
};

function appsIn(state: UsageMemory, org: UsageOrgView, month: UtcMonth, nowMs: Millis): AppUsage[] {
  const apps: AppUsage[] = [...org.apps]
    .flatMap((ordinal) => state.apps.get(ordinal) ?? [])
    .map(({ record: { id, name }, monthlyActive, expiredIn }) => ({
      appId: id,
      name,
      deleted: false,
      mau: monthlyActive.count(month),
      mauByDay: monthlyActive.countByDay(month, nowMs) ?? null,
      unvouched: monthlyActive.countUnvouched(month),
      expired: expiredIn.get(month) ?? 0,
    }))
    .sort((a, b) => (a.appId < b.appId ? -1 : 1));
  const ofDeleted = { deleted: true, mauByDay: null, unvouched: null, expired: null };
  for (const one of org.meter.deleted(month)) apps.push({ ...one, ...ofDeleted });
  const earlier = org.meter.earlier(month);
  if (earlier > 0) apps.push({ appId: null, name: null, mau: earlier, ...ofDeleted });
  return apps;
}
