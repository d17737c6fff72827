// A pending address gets nothing but the one mail that asks, in generated histories. SEED=7 tries
// one of them alone, and COUNT=10000 as many.

import t from 'tap';
import { tries } from '../../../support/tries.ts';
import { History, seen } from './history.ts';

t.test('an address that nobody has confirmed gets nothing but the mail that asks', async (t) => {
  const { SEED, COUNT } = process.env;
  const first = Number(SEED ?? 1);
  const count = SEED === undefined ? Number(COUNT ?? tries(600)) : 1;
  for (let seed = first; seed < first + count; seed++) {
    const wrong = await History.of(seed, 30);
    if (wrong.length > 0) {
      t.fail(`history ${seed}: ${wrong.at(-1)}`, { history: wrong });
      return;
    }
  }
  t.comment(seen);
  if (count > 1)
    for (const [what, times] of Object.entries(seen)) t.ok(times > 10, `${what}: ${times}`);
});
