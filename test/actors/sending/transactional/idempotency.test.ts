// Room for idempotency keys: refused when there is none, and there again when keys have expired.

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { IdempotencyKeys } from '../../../../actors/sending/transactional/idempotency.ts';
import {
  fingerprintWords,
  keyWords,
} from '../../../../actors/sending/transactional/idempotency-claim.ts';
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

t.test('a claim is the head of SHA-256, as it was written into logs before', async (t) => {
  const wordsOf = (text: string, count: number) => {
    const bytes = createHash('sha256').update(text).digest();
    return Array.from({ length: count }, (_, i) => bytes.readUInt32BE(i * 4));
  };
  fc.assert(
    fc.property(fc.string(), fc.string({ unit: 'grapheme' }), (key, canonical) => {
      t.same(keyWords(7, 'messages', key), wordsOf(`7|messages|${key}`, 4));
      t.same(fingerprintWords(canonical), wordsOf(canonical, 2));
    }),
  );
});

t.test('an org that uses keys without end leaves room for those of others', async (t) => {
  const one = new TestPartition();
  one.product.state.idempotency = new IdempotencyKeys(10);
  const { app } = await anApp(one);
  const other = await anApp(one, { slot: 6 });
  let key = 0;
  const sendOf = async (to: typeof app) => {
    await one.value(to, 'subscriber.upsert', { subscriber: { externalUserId: 'ana' } });
    return one.ask(to, 'transactional.accept', {
      request: { to: { externalUserId: 'ana' }, title: 'Hi', body: 'there' },
      claim: { key: [++key, 1, 2, 3], fingerprint: [4, 5] },
    });
  };
  for (let n = 0; n < 8; n++) t.match(await sendOf(app), { ok: true });
  t.match(await sendOf(app), { ok: false, fault: { code: 'idempotency_full' } });
  t.match(await sendOf(other.app), { ok: true });
});
