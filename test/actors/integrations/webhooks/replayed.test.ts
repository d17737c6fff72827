// After a restore, calls that may have been made since the backup say so.

import t from 'tap';
import type { Restored } from '../../../../actors/runtime/restored.ts';
import { bad, good, WebhookWorld } from './webhook-world.ts';

const hour = 3_600_000;
const restored = { epoch: 2, resend: 'none', erased: () => [] } as const satisfies Restored;

async function worldWithOneOpen(): Promise<WebhookWorld> {
  const world = await WebhookWorld.withPerson('ada');
  await world.put();
  world.receiver = () => bad;
  await world.send('ada');
  world.receiver = () => good;
  return world;
}

t.test('without a restore nothing is said to be replayed', async (t) => {
  const world = await worldWithOneOpen();
  world.restart();
  await world.advance(hour);
  t.same(flagsOf(world), [false, false]);
});

t.test(
  'a delivery of the backup that is retried by hand says so, a new one does not',
  async (t) => {
    const world = await worldWithOneOpen();
    world.restart(restored);
    await world.advance(hour);
    t.equal(world.received.length, 1, 'held');
    const [one] = (await world.list()).items;
    await world.one.value(world.app, 'webhook_delivery.retry', { id: one?.id ?? '' });
    await world.advance(1);
    await world.send('ada');
    t.same(flagsOf(world), [false, true, false]);
    t.equal(world.received[1]?.id, one?.id);
  },
);

t.test('with --resend all what was open goes on, and says so, after a crash too', async (t) => {
  for (const crashes of [false, true]) {
    const world = await worldWithOneOpen();
    world.restart({ ...restored, resend: 'all' });
    await world.one.settle();
    if (crashes) world.restart({ ...restored, resend: 'all' });
    await world.advance(hour);
    await world.send('ada');
    t.same(flagsOf(world), [false, true, false]);
  }
});

t.test('what had happened but was not in the ledger of the backup says so', async (t) => {
  let isLow = false;
  const world = await WebhookWorld.withPerson('ada', { diskLow: () => isLow });
  await world.put('webhook', { events: ['message.delivered'] });
  await world.accept('ada');
  isLow = true;
  await world.run();
  world.restart(restored);
  await world.advance(1_000);
  t.same(flagsOf(world), []);
  isLow = false;
  await world.advance(1_000);
  await world.advance(1);
  await world.send('ada');
  t.same(flagsOf(world), [true, false]);
});

function flagsOf({ received }: WebhookWorld): readonly boolean[] {
  return received.map(({ isReplayed }) => isReplayed);
}
