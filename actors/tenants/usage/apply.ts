// Folds what counted rows take.

import type { Applies } from '../../../engine/actor/protocol.ts';
import type { UsageEntry } from './protocol.ts';
import type { UsageMemory } from './reads.ts';

export const usageApplies: Applies<UsageEntry, UsageMemory> = {
  'storage.changed': (state, { owner, rows }) => {
    state.apps.get(owner)?.stored.addRows(rows);
  },
  'storage.counted': (state, { owner, to, rows = {} }) => {
    const stored = state.apps.get(owner)?.stored;
    stored?.addRows(rows);
    stored?.countedTo(to);
  },
};
