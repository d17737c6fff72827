import t from 'tap';
import { bad, good, WebhookWorld } from './webhook-world.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

async function list(world: WebhookWorld) {
  return world.one.value(world.app, 'destination.list', {});
}

/** An event of every hour, all of which fail, from the beginning of a day. */
async function failing(world: WebhookWorld, hours: number): Promise<void> {
  for (let i = 0; i < hours; i++) {
    await world.send('ada');
    await world.advance(hour);
  }
}

async function switchedOff(): Promise<WebhookWorld> {
  const world = await WebhookWorld.withPerson('ada');
  await world.put('webhook', { events: ['message.delivered', 'integration.*'] });
  world.receiver = () => bad;
  await failing(world, 4 * 24 + 1);
  return world;
}

t.test('one failed call, and one more five days later, switch nothing off', async (t) => {
  const world = await WebhookWorld.withPerson('ada');
  await world.put('webhook', { events: ['message.delivered'] });
  world.receiver = () => bad;
  await world.send('ada');
  await world.advance(6 * day);
  await world.send('ada');
  for (let i = 0; i < 11; i++) await world.advance(hour);
  t.match(await list(world), [{ enabled: true }]);
  await world.advance(day);
  t.match(
    (await world.list()).items.map(({ state, attempts }) => [state, attempts]),
    [
      ['dead', 6],
      ['dead', 6],
    ],
  );
});

t.test('a downtime of Engage counts as no day of failures', async (t) => {
  const world = await WebhookWorld.withPerson('ada');
  await world.put('webhook', { events: ['message.delivered'] });
  world.receiver = () => bad;
  for (let i = 0; i < 30; i++) await world.send('ada');
  for (let i = 0; i < 30; i++) await world.advance(hour / 2);
  t.equal((await world.list({ status: 'dead' })).items.length, 30);
  world.one.clock.nowMs += 20 * day;
  world.restart();
  await world.run();
  await world.send('ada');
  t.match(await list(world), [{ enabled: true }]);
});

t.test('failures on five days and twenty lost deliveries do', async (t) => {
  const world = await switchedOff();
  t.match(await list(world), [{ enabled: false, disabledReason: 'no_success' }]);
  const { items } = await world.one.value(world.org, 'audit.list', { limit: 5 });
  t.match(items[0], { action: 'integration.disabled', target: 'webhook', actor: 'system' });
});

t.test('nineteen lost deliveries on many days do not', async (t) => {
  const world = await WebhookWorld.withPerson('ada');
  await world.put('webhook', { events: ['message.delivered'] });
  world.receiver = () => bad;
  for (let i = 0; i < 19; i++) {
    await world.send('ada');
    for (let step = 0; step < 14; step++) await world.advance(hour);
  }
  t.match(await list(world), [{ enabled: true }]);
  await world.send('ada');
  for (let step = 0; step < 14; step++) await world.advance(hour);
  t.match(await list(world), [{ enabled: false }]);
});

t.test('a success in between forgets what failed before it', async (t) => {
  const world = await WebhookWorld.withPerson('ada');
  await world.put('webhook', { events: ['message.delivered'] });
  world.receiver = () => bad;
  await failing(world, 3 * 24 + 20);
  world.receiver = () => good;
  await world.send('ada');
  world.receiver = () => bad;
  await failing(world, 3 * 24);
  t.match(await list(world), [{ enabled: true }]);
});

t.test('what is in its series goes on to its sixth attempt', async (t) => {
  const world = await switchedOff();
  const open = (await world.list({ status: 'retrying' })).items.length;
  t.ok(open > 0);
  world.restart();
  for (let i = 0; i < 12; i++) await world.advance(hour);
  const { items } = await world.list({ limit: 200 });
  t.same(
    new Set(items.map(({ state, attempts }) => `${state} ${attempts}`)),
    new Set(['dead 6', 'stopped 0']),
  );
});

t.test('what happens from then on is kept as stopped, and replayed in bulk', async (t) => {
  const world = await switchedOff();
  const calls = world.received.length;
  const before = (await world.list({ status: 'stopped' })).items.length;
  for (let i = 0; i < 3; i++) await world.send('ada');
  t.equal(world.received.length, calls);
  const { items } = await world.list({ status: 'stopped' });
  t.equal(items.length, before + 3);
  t.ok(items.every(({ attempts }) => attempts === 0));
  t.match(await list(world), [
    { pending: (await world.list({ status: 'retrying' })).items.length },
  ]);
  world.receiver = () => good;
  await world.put('webhook', { events: ['message.delivered'] });
  const { retried } = await world.one.value(world.app, 'webhook_delivery.retry_all', {
    status: 'stopped',
  });
  t.equal(retried, before + 3);
  await world.run();
  t.match((await world.list({ status: 'stopped' })).items, []);
});

t.test('nothing is lost between an event and the PUT that switches it on again', async (t) => {
  let isLow = false;
  const world = await WebhookWorld.withPerson('ada', { diskLow: () => isLow });
  await world.put('webhook', { events: ['message.delivered'] });
  world.receiver = () => bad;
  await failing(world, 4 * 24 + 1);
  world.receiver = () => good;
  await world.accept('ada');
  isLow = true;
  await world.run(); // it waits in memory
  isLow = false;
  await world.put('webhook', { events: ['message.delivered'] });
  await world.advance(1_000);
  t.match((await world.list({ limit: 1 })).items, [{ state: 'delivered' }]);
});

t.test('whoever switches it off himself stops what is open', async (t) => {
  const world = await switchedOff();
  await world.put('webhook', { enabled: false, events: ['message.delivered'] });
  await world.advance(minute);
  t.match((await world.list({ status: 'retrying' })).items, []);
  const before = (await world.list({ limit: 200 })).items.length;
  await world.send('ada');
  t.equal((await world.list({ limit: 200 })).items.length, before, 'and nothing is recorded');
});

t.test('the other destinations of the app are told, those that asked for it', async (t) => {
  const world = await WebhookWorld.withPerson('ada');
  await world.put('webhook', { url: 'https://down.example' });
  await world.put('webhook-b', { url: 'https://b.example', events: ['integration.disabled'] });
  await world.put('webhook-c', { url: 'https://c.example', events: ['message.delivered'] });
  world.receiver = ({ url }) => (url.includes('down') ? bad : good);
  await failing(world, 4 * 24 + 1);
  const told = world.received.filter(({ event }) => event === 'integration.disabled');
  t.match(told, [{ url: 'https://b.example' }]);
  t.match(JSON.parse(told[0]?.body ?? ''), {
    kind: 'integration.disabled',
    meta: {
      integration: 'webhook',
      reason: 'no_success',
      lost: Number,
      failingSince: '2026-01-01T00:00:00.000Z',
    },
  });
  t.equal((await world.list({ type: 'webhook', event: 'integration.disabled' })).items.length, 0);
});

t.test('the front is told once, for the mail to the owners', async (t) => {
  const world = await WebhookWorld.withPerson('ada');
  await world.put('webhook', { events: ['message.delivered'] });
  world.receiver = () => bad;
  await failing(world, 6 * 24);
  t.match(
    world.told.filter(({ kind }) => kind === 'integration.disabled'),
    [{ kind: 'integration.disabled', org: world.org, type: 'webhook', appId: String }],
  );
});

t.test('a destination that an older release switched off stays as it was', async (t) => {
  const world = await WebhookWorld.withPerson('ada');
  await world.put('webhook', { events: ['message.delivered'] });
  const app = world.one.product.state.apps.get(world.app);
  const record = app?.webhooks.byType('webhook')?.record;
  if (record === undefined) throw new Error('there is no such destination');
  app?.webhooks.save({ ...record, enabled: false, disabledReason: 'no_success' });
  await world.send('ada');
  t.same((await world.list()).items, []);
});
