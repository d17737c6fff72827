// What the operator is told of a clock that does not agree with the data.

import t from 'tap';
import { dayMs, hourMs, minuteMs } from '../../../engine/base/brand.ts';
import { clockFigures, clockWarnings } from '../../../http/process/clock-warnings.ts';
import { fakeFront } from '../routes/fake-front.ts';

t.test('clocks that differ by a minute agree; more is behind, and comes first', async (t) => {
  t.same(clockWarnings({ behindMs: minuteMs, unconfirmedMs: 0 }), []);
  t.match(clockWarnings({ behindMs: 7 * hourMs, unconfirmedMs: dayMs }), [
    { code: 'clock_behind', seconds: 7 * 3_600, message: /7 hours behind the newest data/ },
  ]);
  t.match(clockWarnings({ behindMs: 0, unconfirmedMs: 120 * dayMs }), [
    { code: 'clock_unconfirmed', message: /120 days past the newest data/ },
  ]);
});

t.test('the worst shard counts', async (t) => {
  const shards = [
    { behindMs: 5, unconfirmedMs: 0 },
    { behindMs: 2, unconfirmedMs: 9 },
  ];
  const askShard = async (shard: number) => ({ ok: true, value: shards[shard] }) as const;
  t.same(await clockFigures({ askShard, shardCount: 2 } as never), {
    behindMs: 5,
    unconfirmedMs: 9,
  });
});

t.test('/readyz answers 200 and says so', async (t) => {
  const front = fakeFront();
  t.same((await front.call('GET /readyz')).json, { status: 'ready' });
  const warnings = clockWarnings({ behindMs: hourMs, unconfirmedMs: 0 });
  Object.assign(front.edge, { clockWarnings: () => warnings });
  const got = await front.call('GET /readyz');
  t.equal(got.status, 200);
  t.match(got.json, { status: 'ready', warnings: [{ code: 'clock_behind', seconds: 3_600 }] });
});
