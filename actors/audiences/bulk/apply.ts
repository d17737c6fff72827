// Folds bulk changes. What they do to people are entries of other areas.

import type { Applies } from '../../../engine/actor/protocol.ts';
import { Bitset } from '../../../engine/base/bitset.ts';
import type { BulkMemory } from './memory.ts';
import type { BulkEntry } from './protocol.ts';

export const bulkApplies: Applies<BulkEntry, BulkMemory> = {
  'bulk.started': (state, { owner, change, members, from = 0 }) => {
    const who = members === undefined ? {} : { members: Bitset.restore(members) };
    state.apps.get(owner)?.bulk.put({ change, ...who, from });
  },
  'bulk.progressed': (state, { owner, change, from }) => {
    const bulk = state.apps.get(owner)?.bulk;
    const members = bulk?.get(change.number)?.members;
    const isLeft = change.state === 'running' && members !== undefined;
    bulk?.put({ change, ...(isLeft ? { members } : {}), from });
  },
};
