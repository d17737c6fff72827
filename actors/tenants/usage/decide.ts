// Reads an org's meter for one month, over existing and deleted apps.

import { accepted, refused } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { fieldFault } from '../../../engine/base/fault.ts';
import { type UtcMonth, utcMonthOf, utcMonthText } from '../../../engine/time/utc-month.ts';
import { limits } from '../../limits.ts';
import { withOrg } from '../accounts/with-app.ts';
import type { AppUsage, UsageProtocol } from './protocol.ts';
import { monthOf } from './reads.ts';
import { storedByOrg } from './stored-by-org.ts';
import type { UsageMemory, UsageOrgView } from './view.ts';

export const usageDecisions: Decisions<UsageProtocol, UsageMemory> = {
  'org.stored': (state, _message, context) =>
    withOrg(state, context, () =>
      accepted({ storedBytes: storedByOrg(state, context.owner, context.nowMs) }),
    ),

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
      const figures = monthOf(state, context.owner, month, context.nowMs);
      return accepted({
        month,
        apps: appsIn(state, org, month),
        emails: { delivered: figures.emailsDelivered, included: figures.emailsIncluded },
      });
    }),
};

function appsIn(state: UsageMemory, org: UsageOrgView, month: UtcMonth): AppUsage[] {
  const apps: AppUsage[] = [...org.apps]
    .flatMap((ordinal) => state.apps.get(ordinal) ?? [])
    .map(({ record: { id, name }, monthlyActive }) => ({
      appId: id,
      name,
      deleted: false,
      mau: monthlyActive.count(month),
      unvouched: monthlyActive.countUnvouched(month),
    }))
    .sort((a, b) => (a.appId < b.appId ? -1 : 1));
  for (const one of org.meter.deleted(month)) apps.push({ ...one, deleted: true, unvouched: null });
  const earlier = org.meter.earlier(month);
  if (earlier > 0)
    apps.push({ appId: null, name: null, deleted: true, mau: earlier, unvouched: null });
  return apps;
}
