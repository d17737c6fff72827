// Orgs, their keys and apps, and the settings of apps.

import { dayMs } from '../../../engine/base/brand.ts';
import { lastEdits } from '../../../storage/tables/last-edit.ts';
import type { Area } from '../../area.ts';
import { limits } from '../../limits.ts';
import { accountsApplies } from './apply.ts';
import { type AccountsRules, accountsDecisions } from './decide.ts';
import { accountsEdits, accountsEnds } from './edits.ts';
import {
  type AccountsMemory,
  type AccountsOrgView,
  type AccountsView,
  accountsOfApp,
  accountsOfOrg,
  accountsOfPartition,
} from './memory.ts';
import { accountsNotes } from './notes.ts';
import { settingsBytes } from './settings-bytes.ts';
import { sweepsWhenFull } from './sweep-when-full.ts';
import { accountsTimers } from './timers.ts';
import { accountsUndone } from './undone.ts';

export const accountsArea = {
  name: 'accounts',
  app: accountsOfApp,
  clock: () => ({ dueWhenFull: sweepsWhenFull }),
  org: accountsOfOrg,
  partition: accountsOfPartition,
  decide: (rules: AccountsRules) => accountsDecisions(rules),
  apply: accountsApplies,
  silent: [
    'org.created',
    'org.changed',
    'org.branded',
    'key.created',
    'key.deleted',
    'app.created',
    'app.changed',
    'app.deleted',
    'app.swept',
    'settings.changed',
    'events.gone',
    'credential.stored',
    'credential.rotated',
    'credential.deleted',
    'email_domain.stored',
    'email_domain.checked',
    'email_domain.deleted',
  ],
  edits: accountsEdits,
  ends: accountsEnds,
  notes: accountsNotes,
  recalls: { 'app.deleted': () => ({}) },
  undone: accountsUndone,
  whenDiskIsFull: [
    'org.read',
    'org.created',
    'org.exists',
    'org.tally',
    'key.find',
    'key.list',
    'key.delete',
    'app.list',
    'app.read',
    'settings.read',
    'settings.patch', // a shorter retention is how an operator makes room
    'app.delete',
    'app.sweep',
    'credential.list',
    'credential.open',
    'email_domain.list',
    'email_domain.read',
    'credential.delete',
    'credential.rotate', // a provider has spent the old one already
  ],
  stored: { sums: [['content', ({ settings }) => settingsBytes(settings)]] },
  tables: [lastEdits],
  timers: accountsTimers,
  on: {
    clockRebased: ({ apps }, { toMs }) => {
      const latestMs = toMs - limits.eventsRetentionDaysMin * dayMs;
      for (const app of apps.values()) {
        const { goneBeforeMs = 0 } = app.settings;
        // The clock was ahead when a retention changed.
        if (goneBeforeMs > latestMs) app.settings = { ...app.settings, goneBeforeMs: latestMs };
      }
    },
  },
} as const satisfies Area<never, AccountsMemory, AccountsView, AccountsOrgView>;
