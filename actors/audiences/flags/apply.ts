// Folds feature flags.

import type { Applies } from '../../../engine/actor/protocol.ts';
import { flagOf } from './flag.ts';
import type { FlagsMemory } from './memory.ts';
import type { FlagsEntry } from './protocol.ts';

export const flagsApplies: Applies<FlagsEntry, FlagsMemory> = {
  'flag.saved': (state, { owner, flag }) => {
    state.apps.get(owner)?.flags.set(flag.key, flagOf(flag));
  },
  'flag.deleted': (state, { owner, key }) => {
    state.apps.get(owner)?.flags.delete(key);
  },
};
