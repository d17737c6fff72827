// The meter: monthly active users, and what an org is billed for.

import type { Area } from '../../area.ts';

import { usageDecisions } from './decide.ts';
import { usageOfApp, usageOfOrg } from './state.ts';
import type { UsageMemory, UsageOrgView, UsageView } from './view.ts';

export const usageArea = {
  name: 'usage',
  app: usageOfApp,
  org: usageOfOrg,
  decide: () => usageDecisions,
  whenDiskIsFull: ['org.meter', 'org.stored'],
  on: {
    orgChanged: ({ orgs }, { ordinal, emailAllowance }, atMs) =>
      orgs.get(ordinal)?.meter.allow(atMs, emailAllowance),
    personMerged: ({ monthlyActive }, { person, into, atMs }) =>
      monthlyActive.merge(person, into, atMs),
    appDeleted: ({ orgs }, { record, monthlyActive }, atMs) =>
      orgs.get(record.org)?.meter.keepDeleted(record, monthlyActive, atMs),
    clockRebased: ({ apps, orgs }, { toMs }) => {
      for (const { monthlyActive, stored } of apps.values()) {
        monthlyActive.rebase(toMs);
        stored.rebase(toMs);
      }
      for (const { meter } of orgs.values()) meter.rebase(toMs);
    },
  },
} as const satisfies Area<never, UsageMemory, UsageView, UsageOrgView>;
