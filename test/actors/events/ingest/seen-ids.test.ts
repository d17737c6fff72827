// Ids seen within one request: a repeated one is found, and those of the request before are
// forgotten.

import t from 'tap';
import { SeenIds } from '../../../../actors/events/ingest/seen-ids.ts';

t.test('an id is seen from its second time on, and not in the next request', async (t) => {
  const seen = new SeenIds(8);
  seen.clear();
  t.same(
    [1, 2, 1, 9, 9, 2].map((low) => seen.addOrHas(7, low)),
    [false, false, true, false, true, true],
    'cells that collide are told apart',
  );
  t.notOk(seen.addOrHas(8, 1), 'the upper half counts');
  seen.clear();
  t.notOk(seen.addOrHas(7, 1));
});

t.test('after four billion requests it still finds what is repeated', async (t) => {
  const seen = new SeenIds(8, 0xffff_fffe);
  for (let request = 0; request < 5; request++) {
    seen.clear();
    for (let low = 0; low < 6; low++) t.notOk(seen.addOrHas(0, low), `request ${request}`);
    for (let low = 0; low < 6; low++) t.ok(seen.addOrHas(0, low), `request ${request}`);
  }
});
