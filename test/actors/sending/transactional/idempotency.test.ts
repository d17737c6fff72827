// Room for idempotency keys: refused when there is none, and there again when keys have expired.

import t from 'tap';
import { IdempotencyKeys } from '../../../../actors/sending/transactional/idempotency.ts';
import { dayMs, minuteMs } from '../../../../engine/base/brand.ts';
import { anApp, TestPartition } from '../../../support/partition.ts';

t.test('with no room for keys calls are refused until the oldest have expired', async (t) => {
  const one = new TestPartition();
  one.product.state.idempotency = new IdempotencyKeys(2);
  const { app } = await anApp(one);
  await one.value(app, 'subscriber.upsert', { subscriber: { externalUserId: 'ana' } });
  const send = (key: number) =>
    one.ask(app, 'transactional.accept', {
      request: { to: { externalUserId: 'ana' }, title: 'Hi', body: 'there' },
      claim: { key: [key, 1, 2, 3], fingerprint: [4, 5] },
    });
  t.match(await send(1), { ok: true });
  await one.advance(minuteMs);
  t.match(await send(2), { ok: true });
  t.match(await send(3), { ok: false, fault: { code: 'idempotency_full' } });
  t.match(await send(1), { ok: true, value: { replayed: true } }, 'a known key needs no room');
  await one.advance(dayMs);
  t.match(await send(3), { ok: true, value: { replayed: false } }, 'the first key has expired');
  t.match(await send(4), { ok: false, fault: { code: 'idempotency_full' } }, 'the second has not');
});
