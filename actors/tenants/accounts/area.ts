// Orgs, their keys and apps, and the settings of apps.

import type { Tell } from '../../../engine/actor/message.ts';
import { type Bytes, dayMs } from '../../../engine/base/brand.ts';
import { lastEdits } from '../../../storage/tables/last-edit.ts';
import type { Area } from '../../area.ts';
import { limits } from '../../limits.ts';
import type { UndoneBy } from '../../undone.ts';
import { bytesOfRecord } from '../../weight.ts';
import { accountsApplies } from './apply.ts';
import { type AccountsRules, accountsDecisions, directoryChanged } from './decide.ts';
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
import type { AccountsEntry } from './protocol.ts';
import type { AppSettings } from './records.ts';
import { accountsTimers } from './timers.ts';

/** Deleted keys, replaced credentials and hidden events, which a restore must not undo. */
const accountsUndone: UndoneBy<AccountsEntry, AccountsMemory> = {
  'key.deleted': {
    rank: 0,
    about: ({ keyId }) => `key ${keyId}`,
    again: ({ keys }, { keyId }) =>
      keys.has(keyId) ? { effects: [directoryChanged([keyId])] } : undefined,
  },
  'credential.stored': { rank: 10, about: ({ credential }) => `credential ${credential.channel}` },
  'credential.deleted': { rank: 11, about: ({ channel }) => `credential ${channel}` },
  'credential.rotated': { rank: 12, about: ({ channel }) => `credential ${channel}`, isPart: true },
  'events.gone': {
    rank: 13,
    about: () => 'gone events',
    again: ({ apps }, { owner, beforeMs }) => {
      const app = apps.get(owner);
      return app !== undefined && beforeMs > (app.settings.goneBeforeMs ?? 0) ? {} : undefined;
    },
  },
};

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
    'email_domain.link_names',
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

const weights = new WeakMap<AppSettings, Bytes>();

/** What an app's settings take of its org's storage; kept for each version of them. */
function settingsBytes(settings: AppSettings): Bytes {
  let bytes = weights.get(settings);
  if (bytes === undefined) weights.set(settings, (bytes = bytesOfRecord(settings)));
  return bytes;
}

/** Slices of a deleted app in a turn. */
const slicesPerTurn = 8;

/** Deleted apps make room while the disk is nearly full, when no timer fires. */
function sweepsWhenFull({ tombstones }: AccountsMemory): readonly Tell[] {
  const [to] = tombstones;
  if (to === undefined) return [];
  const message = { kind: 'app.sweep', by: -1, isExtra: true } as Tell['message'];
  return Array.from({ length: slicesPerTurn }, () => ({ to, message }));
}
