// Counts files and their bytes.

import type { Applies } from '../../../engine/actor/protocol.ts';
import type { FilesMemory } from './memory.ts';
import type { FilesEntry } from './protocol.ts';

export const filesApplies: Applies<FilesEntry, FilesMemory> = {
  'file.kept': (state, { owner, bytes }) => {
    const app = state.apps.get(owner);
    if (app === undefined) return;
    app.fileCount++;
    app.fileBytes += bytes;
  },
  'file.dropped': (state, { owner, count, bytes }) => {
    const app = state.apps.get(owner);
    if (app === undefined) return;
    app.fileCount -= count;
    app.fileBytes -= bytes;
  },
};
