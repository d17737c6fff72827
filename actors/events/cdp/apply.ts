// Folds an app's write keys, and the ids of calls that left no event.

import type { Applies } from '../../../engine/actor/protocol.ts';
import { noteSeen } from '../seen-ids.ts';
import type { CdpMemory } from './memory.ts';
import type { CdpEntry } from './protocol.ts';

export const cdpApplies: Applies<CdpEntry, CdpMemory> = {
  'cdp.key_changed': (state, { owner, keys }) => {
    const app = state.apps.get(owner);
    if (app !== undefined) app.writeKeys = keys;
  },
  'cdp.removed': (state, { owner }) => {
    const app = state.apps.get(owner);
    if (app !== undefined) app.writeKeys = null;
  },
  'cdp.seen': noteSeen,
};
