// Folds sign-ups: whether timers are set for their rows, and how many there are. The rows are in
// tables.

import type { Applies } from '../../../engine/actor/protocol.ts';
import type { OptInMemory } from './memory.ts';
import type { OptInEntry } from './protocol.ts';

export const optInApplies: Applies<OptInEntry, OptInMemory> = {
  'opt_in.asked': (state, { owner }) => {
    const app = state.apps.get(owner);
    if (app !== undefined) app.optIns = { ...app.optIns, isSwept: true };
  },
  'opt_in.owed': (state, { owner }) => {
    const app = state.apps.get(owner);
    if (app !== undefined) app.optIns = { ...app.optIns, isSwept: true };
  },
  'opt_in.mailing': (state, { owner, mailing }) => {
    const app = state.apps.get(owner);
    if (app === undefined) return;
    const runs = Math.max(app.optIns.runs, mailing?.run ?? 0);
    app.optIns = { ...app.optIns, mailing, runs };
  },
  'opt_in.counted': (state, { owner, by }) => {
    const app = state.apps.get(owner);
    if (app === undefined) return;
    const { queued, waiting, confirmed } = app.optIns.counts;
    const counts = {
      queued: queued + by.queued,
      waiting: waiting + by.waiting,
      confirmed: confirmed + by.confirmed,
    };
    app.optIns = { ...app.optIns, counts };
  },
  'opt_in.confirmed': () => {},
  'opt_in.swept': (state, { owner, isDone }) => {
    const app = state.apps.get(owner);
    if (app !== undefined && isDone) app.optIns = { ...app.optIns, isSwept: false };
  },
};
