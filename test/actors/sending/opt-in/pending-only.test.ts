// A pending address gets nothing but the one mail that asks: 10,000 generated histories.

import t from 'tap';
import { tries } from '../../../support/tries.ts';
import { History, seen } from './history.ts';

t.test('an address that nobody has confirmed gets nothing but the mail that asks', async (t) => {
  const first = Number(process.env['SEED'] ?? 1);
  const count = process.env['SEED'] === undefined ? tries(10_000, 40) : 1;
  for (let seed = first; seed < first + count; seed++) {
    const wrong = await History.of(seed, 30);
    if (wrong.length > 0) {
      t.fail(`history ${seed}: ${wrong.at(-1)}`, { history: wrong });
      return;
    }
  }
  t.comment(seen);
  if (count > 1)
    for (const [what, times] of Object.entries(seen)) t.ok(times > 20, `${what}: ${times}`);
});
