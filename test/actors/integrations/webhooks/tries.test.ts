import t from 'tap';
import { dayMs } from '../../../../engine/base/brand.ts';
import { bad, good, WebhookWorld } from './webhook-world.ts';

async function aWorld(): Promise<WebhookWorld> {
  const world = await WebhookWorld.withPerson('ada');
  await world.put('webhook', { events: ['message.delivered'] });
  return world;
}

async function theOne(world: WebhookWorld) {
  const [{ id = '' } = {}] = (await world.list()).items;
  return world.one.value(world.app, 'webhook_delivery.read', { id });
}

async function retry(world: WebhookWorld): Promise<void> {
  const { delivery } = await theOne(world);
  await world.one.value(world.app, 'webhook_delivery.retry', { id: delivery.id });
  await world.run();
}

t.test('a dead delivery that is retried shows its six failures and the success', async (t) => {
  const world = await aWorld();
  world.receiver = () => bad;
  await world.send('ada');
  for (let hour = 0; hour < 24; hour++) await world.advance(dayMs / 24);
  t.match(await theOne(world), { delivery: { state: 'dead', attempts: 6 } });
  world.receiver = () => good;
  await retry(world);
  const { delivery, attempts } = await theOne(world);
  t.match(delivery, { state: 'delivered', attempts: 1 });
  t.same(
    attempts.map(({ status, answer }) => [status, answer]),
    [...Array.from({ length: 6 }, () => [500, 'come back later']), [200, 'ok']],
  );
  t.equal(attempts.at(-1)?.atMs, world.one.clock.nowMs - good.durationMs);
});

t.test('a delivery that is sent again shows its first success too', async (t) => {
  const world = await aWorld();
  await world.send('ada');
  const [first] = (await theOne(world)).attempts;
  await world.advance(1_000);
  world.receiver = () => ({ ...good, status: 202, answer: 'again' });
  await retry(world);
  const { attempts } = await theOne(world);
  t.same(attempts[0], first);
  t.match(attempts, [{ answer: 'ok' }, { status: 202, answer: 'again' }]);
});

t.test('a new series has six attempts again, and the last ten are shown', async (t) => {
  const world = await aWorld();
  let nth = 0;
  world.receiver = () => ({ ...bad, answer: `the ${++nth}th` });
  await world.send('ada');
  for (let hour = 0; hour < 24; hour++) await world.advance(dayMs / 24);
  await retry(world);
  for (let hour = 0; hour < 24; hour++) await world.advance(dayMs / 24);
  t.equal(world.received.length, 12);
  const { delivery, attempts } = await theOne(world);
  t.match(delivery, { state: 'dead', attempts: 6 });
  t.same(
    attempts.map(({ answer }) => answer),
    Array.from({ length: 10 }, (_, i) => `the ${i + 3}th`),
  );
});
