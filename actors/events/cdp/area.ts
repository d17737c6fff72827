// What customer-data platforms send.

import type { Area } from '../../area.ts';
import { cdpApplies } from './apply.ts';
import { type CdpRules, cdpDecisions } from './decide.ts';
import { cdpEdits, cdpEnds } from './edits.ts';
import { type CdpMemory, type CdpView, cdpOfApp } from './memory.ts';
import { cdpNotes } from './notes.ts';
import { rebasedKeys } from './write-key.ts';

export const cdpArea = {
  name: 'cdp',
  app: cdpOfApp,
  decide: (rules: CdpRules) => cdpDecisions(rules),
  apply: cdpApplies,
  silent: ['cdp.key_changed', 'cdp.removed', 'cdp.seen'],
  edits: cdpEdits,
  ends: cdpEnds,
  notes: cdpNotes,
  undone: {
    'cdp.key_changed': { rank: 7, about: () => 'write keys' },
    'cdp.removed': { rank: 8, about: () => 'write keys' },
  },
  stores: { 'cdp.take': 'adds' },
  whenDiskIsFull: [
    'integration.list',
    'cdp.verify', // so that a platform's error is about the disk, not its key
    'cdp.remove',
  ],
  on: {
    clockRebased: ({ apps }, to) => {
      for (const app of apps.values())
        if (app.writeKeys !== null) app.writeKeys = rebasedKeys(app.writeKeys, to);
    },
  },
} as const satisfies Area<never, CdpMemory, CdpView, object>;
