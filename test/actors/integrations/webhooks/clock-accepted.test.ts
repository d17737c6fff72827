// `engage clock accept` beside a ledger of webhooks: a start with the clock 120 days ahead, then a
// right one, and the operator says so. Nothing waits for the wrong date.

import t from 'tap';
import { dayMs, hourMs, minuteMs } from '../../../../engine/base/brand.ts';
import { bad, good, WebhookWorld } from './webhook-world.ts';

const ahead = 120 * dayMs;

/** `before` and `then` run while the destination is down, the second at the wrong time. */
async function accepted(
  before: (world: WebhookWorld) => Promise<void>,
  then: (world: WebhookWorld) => Promise<void>,
): Promise<WebhookWorld> {
  const world = await WebhookWorld.make();
  const { clock } = world.one;
  await world.person('ada');
  await world.put('webhook');
  world.receiver = () => bad;
  await before(world);
  const beginMs = clock.nowMs;
  clock.nowMs += ahead;
  world.restart();
  await world.run();
  await then(world);
  clock.nowMs = beginMs + minuteMs;
  world.restart();
  await world.run();
  world.one.partition.acceptClock();
  await world.run();
  world.received.length = 0;
  return world;
}

t.test('a retry whose wait the wrong clock began is made when that wait ends', async (t) => {
  const world = await accepted(
    (one) => one.send('ada').then(() => {}),
    async (one) => one.advance(minuteMs),
  );
  world.receiver = () => good;
  for (let minute = 0; minute < 40; minute++) await world.advance(minuteMs);
  t.equal(world.received.length, 1);
  t.match((await world.list()).items, [{ state: 'delivered' }]);
});

t.test('an event of the wrong time is delivered, tried and retried', async (t) => {
  const world = await accepted(
    async () => {},
    (one) => one.send('ada').then(() => {}),
  );
  const { clock } = world.one;
  const beginMs = clock.nowMs;
  await world.advance(minuteMs);
  await world.advance(5 * minuteMs);
  t.same(
    world.received.map(({ atMs }) => atMs - beginMs),
    [minuteMs, 6 * minuteMs],
    'the series goes on where it was',
  );
  world.receiver = () => good;
  await world.advance(30 * minuteMs);
  t.match((await world.list()).items, [{ state: 'delivered', attempts: 4 }]);
  await world.advance(ahead);
  t.equal(world.received.length, 3);
});

t.test('many destinations with many events each, and all of it is folded', async (t) => {
  const world = await accepted(
    async (one) => {
      for (let i = 0; i < 3; i++) await one.put(`webhook-${i}`);
      for (let i = 0; i < 20; i++) await one.advance(1).then(() => one.send('ada'));
    },
    async (one) => {
      for (let i = 0; i < 40; i++) await one.advance(1).then(() => one.send('ada'));
    },
  );
  world.receiver = () => good;
  const before = snapshotOf(world);
  world.restart();
  t.same(snapshotOf(world), before);
  for (let minute = 0; minute < 40; minute++) await world.advance(minuteMs);
  t.equal(new Set(world.received.map(({ id }) => id)).size, 4 * 60);
  t.same((await world.list({ status: 'retrying' })).items, []);
});

t.test('an event of the wrong time that was held can be retried by hand', async (t) => {
  const world = await accepted(
    async () => {},
    async (one) => {
      await one.send('ada');
      for (let hour = 0; hour < 13; hour++) await one.advance(hourMs);
    },
  );
  world.receiver = () => good;
  const [one] = (await world.list({ status: 'dead' })).items;
  await world.one.value(world.app, 'webhook_delivery.retry', { id: one?.id ?? '' });
  await world.run();
  t.equal(world.received.length, 1);
});

t.test('health, progress and passes do not wait for the wrong date', async (t) => {
  const world = await accepted(
    (one) => one.send('ada').then(() => {}),
    async (one) => {
      for (let hour = 0; hour < 3; hour++) await one.advance(hourMs);
    },
  );
  const webhooks = world.one.product.state.apps.get(world.app)?.webhooks;
  if (webhooks === undefined) throw new Error('no app');
  const nowMs = world.one.clock.nowMs;
  for (const { health } of webhooks.destinations.values())
    t.ok((health.failingMs ?? nowMs) <= nowMs, 'failing since an instant that has been');
  t.ok(webhooks.passes.dueMs(hourMs) <= nowMs + hourMs);
  t.ok(webhooks.progress.moved('cmp_1', nowMs));
});

function snapshotOf({ one, app }: WebhookWorld): unknown {
  return structuredClone(one.product.state.apps.get(app)?.webhooks.snapshot());
}

t.test('a secret that was replaced at the wrong time signs no longer', async (t) => {
  const rotate = (world: WebhookWorld) =>
    world.one.value(world.app, 'destination.rotate', { type: 'webhook', freshSecret: 'new' });
  const world = await accepted(
    async () => {},
    (one) => rotate(one).then(() => {}),
  );
  world.receiver = () => good;
  await world.send('ada');
  t.same(
    world.received.map(({ secrets }) => secrets),
    [['new']],
  );
});
