// Instants after the operator set the clock right.

import t from 'tap';
import { rebaseOf } from '../../../engine/time/rebase.ts';

const to = rebaseOf({ fromMs: 5_000, toMs: 1_000, sinceMs: 2_000, lastSinceMs: 4_000 });

t.test(
  'what happened before the wrong clock keeps its time, and since then it moves',
  async (t) => {
    t.equal(to.stamp(900), 900);
    t.equal(to.stamp(4_500), 500, 'by the last wrong clock');
    t.equal(to.stamp(3_000), 1_000, 'by one before it: no older than now');
  },
);

t.test('a wait keeps what is left of it', async (t) => {
  t.equal(to.due(5_300), 1_300);
  t.equal(to.due(4_800), 1_000, 'overdue: now');
  t.equal(to.due(0), 0, 'never set');
});
