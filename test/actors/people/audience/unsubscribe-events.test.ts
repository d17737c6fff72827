// An opt-out that a person made themselves is in the event stream, once for each person who has the
// address.

import t from 'tap';
import { eventsOf } from '../../../../actors/runtime/facts.ts';
import { decodeBlock } from '../../../../engine/actor/block.ts';
import { partitionWithApp, type TestPartition } from '../../../support/partition.ts';

async function withPhone() {
  const { one, app } = await partitionWithApp();
  const upsert = (
    externalUserId: string,
    channel: 'sms' | 'whatsapp' | 'email',
    endpoint: string,
  ) =>
    one.value(app, 'subscriber.upsert', {
      subscriber: { externalUserId, devices: [{ channel, endpoint }] },
    });
  await upsert('ana', 'sms', '+14155550123');
  await upsert('ben', 'whatsapp', '+14155550123');
  await upsert('eve', 'email', 'eve@example.com');
  return { one, app };
}

function recorded(one: TestPartition) {
  return [...one.store.blocks(one.store.oldestSeq, 1_000)]
    .flatMap(({ block }) => decodeBlock(block).entries)
    .flatMap((entry) => [...eventsOf(entry)])
    .flatMap((events) =>
      Array.from({ length: events.count }, (_, row) => [
        events.name(row),
        events.person(row),
        events.seq(row),
      ]),
    );
}

t.test('everybody who has the number gets the event, and numbers of events go on', async (t) => {
  const { one, app } = await withPhone();
  const out = { channel: 'sms', address: '+1 415 555 0123', source: 'unsubscribe' } as const;
  await one.value(app, 'suppression.add', out);
  await one.value(app, 'suppression.add', out);
  await one.value(app, 'suppression.add', {
    channel: 'email',
    address: 'eve@example.com',
    source: 'unsubscribe',
  });
  t.same(recorded(one), [
    ['unsubscribed', 0, 1],
    ['unsubscribed', 1, 2],
    ['unsubscribed', 2, 3],
  ]);
  t.equal(one.product.state.apps.get(app)?.nextEvent, 4);
});

t.test(
  'what the caller suppresses is nobody’s act, and an address of nobody has no event',
  async (t) => {
    const { one, app } = await withPhone();
    await one.value(app, 'suppression.add', {
      channel: 'email',
      address: 'eve@example.com',
      source: 'api',
    });
    await one.value(app, 'suppression.add', {
      channel: 'email',
      address: 'nobody@example.com',
      source: 'unsubscribe',
    });
    t.same(recorded(one), []);
    t.equal(one.product.state.apps.get(app)?.nextEvent, 1);
  },
);
