// Folds an app's write keys, and the ids of calls that left no event.

import type { Applies } from '../../../engine/actor/protocol.ts';
import { hourMs } from '../../../engine/base/brand.ts';
import { oldestIdHour } from '../retention.ts';
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
  'cdp.seen': (state, { atMs, hashes }) => {
    const hour = Math.floor(atMs / hourMs);
    const oldest = oldestIdHour(state.ages, atMs);
    for (let i = 0; i < hashes.length; i += 2)
      state.eventIds.addIfAbsent(hashes[i] as number, hashes[i + 1] as number, hour, oldest);
  },
};
