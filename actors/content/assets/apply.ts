// Counts pictures and their bytes.

import type { Applies } from '../../../engine/actor/protocol.ts';
import type { AssetsMemory } from './memory.ts';
import type { AssetsEntry } from './protocol.ts';

export const assetsApplies: Applies<AssetsEntry, AssetsMemory> = {
  'asset.added': (state, { owner, bytes }) => {
    const app = state.apps.get(owner);
    if (app === undefined) return;
    app.assetCount++;
    app.assetBytes += bytes;
  },
  'asset.deleted': (state, { owner, bytes }) => {
    const app = state.apps.get(owner);
    if (app === undefined) return;
    app.assetCount--;
    app.assetBytes -= bytes;
  },
};
