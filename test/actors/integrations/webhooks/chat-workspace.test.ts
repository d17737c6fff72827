// A chat workspace gets its messages one at a time, in order, through the same ledger.

import t from 'tap';
import { bad, good, WebhookWorld } from './webhook-world.ts';

const minute = 60_000;

async function aWorkspace(): Promise<WebhookWorld> {
  const world = await WebhookWorld.withPerson('ada');
  await world.put('slack', { url: 'https://chat.example/hook', events: [], concurrency: 1 });
  return world;
}

/** Two messages to it. */
async function twoTests(world: WebhookWorld): Promise<void> {
  for (let i = 0; i < 2; i++)
    await world.one.value(world.app, 'destination.test', { type: 'slack' });
  await world.run();
}

t.test('a message that the workspace refuses is dead at once, and the next one goes', async (t) => {
  for (const status of [400, 403, 404, 410]) {
    const world = await aWorkspace();
    world.receiver = () => (world.received.length === 1 ? { ...bad, status, isFinal: true } : good);
    await twoTests(world);
    t.equal(world.received.length, 2, `${status}`);
    t.not(world.received[0]?.id, world.received[1]?.id);
    t.match((await world.list({ type: 'slack' })).items, [
      { type: 'slack', event: 'webhook.test', state: 'delivered', attempts: 1 },
      { type: 'slack', event: 'webhook.test', state: 'dead', attempts: 1, status, error: 'status' },
    ]);
    world.receiver = () => good;
    t.match(
      await world.one.value(world.app, 'webhook_delivery.retry_all', { status: 'dead' }),
      { retried: 1 },
      'it can be sent again',
    );
    await world.run();
    t.equal((await world.list({ status: 'delivered' })).items.length, 2);
  }
});

t.test('a workspace that is down keeps its messages in order', async (t) => {
  const world = await aWorkspace();
  let isUp = false;
  world.receiver = () => (isUp ? good : { ...bad, status: 429 });
  await twoTests(world);
  t.equal(world.received.length, 1, 'nothing passes the first');
  isUp = true;
  await world.advance(minute);
  const [first, again, second] = world.received;
  t.equal(world.received.length, 3);
  t.equal(again?.id, first?.id);
  t.not(second?.id, first?.id);
});
