// The meter: monthly active users, and what an org is billed for.

import { dayMs, type Millis } from '../../../engine/base/brand.ts';
import type { Area } from '../../area.ts';
import { keptDaysOf } from '../accounts/records.ts';
import { usageApplies } from './apply.ts';
import { countTell } from './count-rows.ts';
import { type UsageRules, usageDecisions } from './decide.ts';
import { usageOfApp, usageOfOrg } from './memory.ts';
import type { UsageEntry } from './protocol.ts';
import type { UsageMemory, UsageOrgView, UsageView } from './reads.ts';

export const usageArea = {
  name: 'usage',
  app: usageOfApp,
  org: usageOfOrg,
  clock: () => ({
    resumeApp: (_state: UsageMemory, { record, stored }: UsageView) =>
      stored.counted === 'all' ? [] : [countTell(record.ordinal)],
  }),
  decide: (rules: UsageRules) => usageDecisions(rules),
  apply: usageApplies,
  silent: ['storage.changed', 'storage.counted'],
  whenDiskIsFull: ['org.meter', 'org.stored'],
  stored: {
    sums: [
      ['people', ({ stored, people }) => stored.people(people.count) + stored.rows('people')],
      ['events', (app, nowMs) => app.stored.events(nowMs, eventDaysOf(app, nowMs))],
      ['content', ({ stored }) => stored.rows('content') + stored.rows('copies')],
      ['webhooks', ({ stored }) => stored.rows('webhooks')],
    ],
  },
  on: {
    // Nothing of a new app needs to be counted again.
    createApp: (owner): readonly UsageEntry[] => [{ kind: 'storage.counted', owner, to: 'all' }],
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
} as const satisfies Area<UsageRules, UsageMemory, UsageView, UsageOrgView>;

/** How many days of events an app has, for what they take. */
function eventDaysOf({ settings }: Pick<UsageView, 'settings'>, nowMs: Millis): number {
  const { goneBeforeMs = 0 } = settings;
  return Math.min(keptDaysOf(settings), Math.ceil((nowMs - goneBeforeMs) / dayMs));
}
