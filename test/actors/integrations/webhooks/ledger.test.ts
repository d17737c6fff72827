import t from 'tap';
import { bad, good, WebhookWorld } from './webhook-world.ts';

const minute = 60_000;
const hour = 60 * minute;

t.test('a delivered message is a row, a call and a delivered row', async (t) => {
  const world = await WebhookWorld.make();
  const id = await world.person('ada');
  await world.put('webhook', { events: ['message.delivered'] });
  const sendId = await world.send('ada');
  t.equal(world.received.length, 1);
  const [call] = world.received;
  t.equal(call?.event, 'message.delivered');
  t.match(JSON.parse(call?.body ?? ''), {
    kind: 'message.delivered',
    subscriberId: id,
    externalUserId: 'ada',
    sendId,
    channel: 'fcm',
    campaignId: null,
    meta: { attempts: 1 },
  });
  const { items } = await world.list();
  t.match(items, [
    { id: call?.id, type: 'webhook', event: 'message.delivered', state: 'delivered', attempts: 1 },
  ]);
  const read = await world.one.value(world.app, 'webhook_delivery.read', { id: call?.id ?? '' });
  t.match(read.attempts, [{ status: 200, durationMs: 12, answer: 'ok' }]);
  t.equal(read.payload.externalUserId, 'ada');
});

t.test('what happened before the subscription is never sent', async (t) => {
  const world = await WebhookWorld.withPerson('ada');
  await world.send('ada');
  await world.put();
  await world.run();
  t.same(world.received, []);
  await world.send('ada');
  t.equal(world.received.length, 1);
});

t.test('a failing delivery is tried six times by the schedule, with the same bytes', async (t) => {
  const world = await WebhookWorld.withPerson('ada');
  await world.put();
  world.receiver = () => bad;
  await world.send('ada');
  const beganMs = world.one.clock.nowMs;
  for (let i = 0; i < 12 * 60; i++) await world.advance(minute);
  const waits = world.received.map(({ atMs }) => atMs - beganMs);
  t.same(
    waits,
    [0, 1, 6, 36, 156, 636].map((minutes) => minutes * minute),
  );
  t.equal(new Set(world.received.map(({ body }) => body)).size, 1);
  t.equal(new Set(world.received.map(({ id }) => id)).size, 1);
  const { items } = await world.list({ status: 'dead' });
  t.match(items, [{ state: 'dead', attempts: 6, status: 500, error: 'status' }]);
});

t.test('a crash repeats what had no durable outcome, and nothing else', async (t) => {
  const world = await WebhookWorld.withPerson('ada');
  await world.put();
  await world.send('ada');
  world.receiver = () => new Promise(() => {});
  await world.send('ada');
  t.equal(world.received.length, 2);
  world.restart();
  world.receiver = () => good;
  await world.run();
  t.equal(world.received.length, 3);
  t.equal(world.received[2]?.id, world.received[1]?.id, 'the one in flight goes again');
  t.equal(world.received[2]?.body, world.received[1]?.body);
  const { items } = await world.list();
  t.same(
    items.map(({ state, attempts }) => [state, attempts]),
    [
      ['delivered', 1],
      ['delivered', 1],
    ],
  );
});

t.test('410 stops a delivery', async (t) => {
  const world = await WebhookWorld.withPerson('ada');
  await world.put();
  world.receiver = () => ({ ...bad, status: 410 });
  await world.send('ada');
  await world.advance(12 * hour);
  t.equal(world.received.length, 1);
  t.match((await world.list()).items, [{ state: 'stopped', status: 410 }]);
});

t.test('a delivery that cannot be made is tried again, and holds up no other', async (t) => {
  const world = await WebhookWorld.withPerson('ada');
  await world.put('webhook', { events: ['message.delivered'] });
  let poison = '';
  world.receiver = ({ id }) => {
    poison ||= id;
    if (id === poison) throw new RangeError('made in the test');
    return good;
  };
  await world.send('ada');
  await world.send('ada');
  t.equal(world.bugs.length, 1);
  t.match((await world.list()).items, [
    { state: 'delivered' },
    { id: poison, state: 'retrying', error: 'internal' },
  ]);
  for (let i = 0; i < 16; i++) await world.advance(hour);
  t.match((await world.list({ status: 'dead' })).items, [{ id: poison, attempts: 6 }]);
});
