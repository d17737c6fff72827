// Folds sign-ups: only whether there may be rows that a timer removes. The rows are in tables.

import type { Applies } from '../../../engine/actor/protocol.ts';
import type { OptInMemory } from './memory.ts';
import type { OptInEntry } from './protocol.ts';

export const optInApplies: Applies<OptInEntry, OptInMemory> = {
  'opt_in.asked': (state, { owner }) => {
    const app = state.apps.get(owner);
    if (app !== undefined) app.optIns = { isSwept: true };
  },
  'opt_in.confirmed': () => {},
  'opt_in.swept': (state, { owner, isDone }) => {
    const app = state.apps.get(owner);
    if (app !== undefined && isDone) app.optIns = { isSwept: false };
  },
};
