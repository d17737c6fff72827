import t from 'tap';
import { bad, good, WebhookWorld } from './webhook-world.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

t.test('a deleted destination stops what is open, and nothing of it begins', async (t) => {
  const world = await WebhookWorld.make();
  await world.person('ada');
  await world.put();
  world.receiver = () => bad;
  await world.send('ada');
  await world.one.value(world.app, 'destination.remove', { type: 'webhook' });
  await world.advance(day);
  t.equal(world.received.length, 1);
  const { items } = await world.list();
  t.match(items, [{ state: 'stopped', attempts: 1 }]);
  const again = await world.one.ask(world.app, 'webhook_delivery.retry', {
    id: items[0]?.id ?? '',
  });
  t.match(again, { ok: false, fault: { code: 'conflict' } });
});

t.test('a destination that is switched off keeps its ledger and can be retried', async (t) => {
  const world = await WebhookWorld.make();
  await world.person('ada');
  await world.put();
  world.receiver = () => bad;
  await world.send('ada');
  await world.put('webhook', { enabled: false });
  await world.advance(minute);
  await world.send('ada');
  t.equal(world.received.length, 1, 'nothing is subscribed while it is off');
  await world.put();
  await world.advance(12 * hour);
  t.equal(world.received.length, 1, 'what was stopped stays stopped');
  world.receiver = () => good;
  const { retried } = await world.one.value(world.app, 'webhook_delivery.retry_all', {
    status: 'stopped',
  });
  t.equal(retried, 1);
  await world.run();
  t.equal(world.received[1]?.id, world.received[0]?.id, 'under the same id');
  t.match((await world.list()).items, [{ state: 'delivered', attempts: 1 }]);
});

t.test('five days without a success switch a destination off, with a note', async (t) => {
  const world = await WebhookWorld.make();
  await world.person('ada');
  await world.put();
  world.receiver = () => bad;
  for (let i = 0; i < 5 * 24 + 2; i++) {
    await world.send('ada');
    await world.advance(hour);
  }
  const [one] = await world.one.value(world.app, 'destination.list', {});
  t.match(one, { enabled: false, disabledReason: 'no_success', health: 'failing' });
  const { items } = await world.one.value(world.org, 'audit.list', { limit: 5 });
  t.match(items[0], { action: 'integration.disabled', target: 'webhook', actor: 'system' });
  const calls = world.received.length;
  await world.advance(day);
  t.equal(world.received.length, calls, 'nothing begins any more');
});

t.test('a success makes a failing destination well again', async (t) => {
  const world = await WebhookWorld.make();
  await world.person('ada');
  await world.put();
  world.receiver = () => bad;
  for (let i = 0; i < 100; i++) await world.send('ada');
  await world.advance(minute);
  const health = async () => (await world.one.value(world.app, 'destination.list', {}))[0]?.health;
  t.equal(await health(), 'ok', 'not yet an hour');
  await world.advance(hour);
  t.equal(await health(), 'failing');
  world.receiver = () => good;
  await world.send('ada');
  t.equal(await health(), 'ok');
});

t.test('one at a time keeps the order, whatever has to be tried again', async (t) => {
  const world = await WebhookWorld.make();
  await world.person('ada');
  await world.put('webhook', { concurrency: 1, events: ['message.delivered'] });
  let isUp = false;
  world.receiver = () => (isUp ? good : bad);
  for (let i = 0; i < 5; i++) await world.send('ada');
  t.equal(world.received.length, 1, 'nothing passes the first');
  isUp = true;
  await world.advance(minute);
  const seqs = world.received.map(({ body }) => JSON.parse(body).seq as number);
  t.equal(seqs.length, 6);
  t.same(
    seqs.slice(1),
    seqs.slice(1).toSorted((a, b) => a - b),
  );
});

t.test('destinations get what they asked for, from one record of the events', async (t) => {
  const world = await WebhookWorld.make();
  await world.person('ada');
  await world.put('webhook', { url: 'https://a.example', events: ['message.delivered'] });
  await world.put('webhook-b', { url: 'https://b.example', events: ['message.*'] });
  await world.put('webhook-c', { url: 'https://c.example', events: ['campaign.*'] });
  await world.send('ada');
  t.same(world.received.map(({ url }) => url).sort(), ['https://a.example', 'https://b.example']);
  t.equal((await world.list({ type: 'webhook-b' })).items.length, 1);
  t.equal((await world.list({ event: 'message.failed' })).items.length, 0);
});

t.test('a destination that hangs holds its own slots alone', async (t) => {
  const world = await WebhookWorld.make();
  await world.person('ada');
  await world.put('webhook', { url: 'https://hangs.example', concurrency: 4 });
  await world.put('webhook-b', { url: 'https://b.example' });
  world.receiver = ({ url }) => (url.includes('hangs') ? new Promise(() => {}) : good);
  for (let i = 0; i < 20; i++) await world.send('ada');
  const calls = (host: string) => world.received.filter(({ url }) => url.includes(host)).length;
  t.equal(calls('hangs'), 4);
  t.equal(calls('b.example'), 20);
});

t.test('a replaced secret signs beside the new one for a day', async (t) => {
  const world = await WebhookWorld.make();
  await world.person('ada');
  await world.put('webhook', { secret: 'old' });
  await world.one.value(world.app, 'destination.rotate', { type: 'webhook', freshSecret: 'new' });
  await world.send('ada');
  await world.advance(day);
  await world.send('ada');
  t.same(
    world.received.map(({ secrets }) => secrets),
    [['new', 'old'], ['new']],
  );
});

t.test('the legacy address of the settings gets messages, as it always should', async (t) => {
  const world = await WebhookWorld.make();
  await world.person('ada');
  await world.one.value(world.app, 'settings.patch', {
    patch: { webhookUrl: 'https://old.example/hook', secret: 'legacy-secret' },
  });
  await world.send('ada');
  t.match(world.received, [
    { url: 'https://old.example/hook', secrets: ['legacy-secret'], event: 'message.delivered' },
  ]);
  t.match((await world.list({ type: 'legacy' })).items, [{ type: 'legacy', state: 'delivered' }]);
  await world.one.value(world.app, 'settings.patch', { patch: { webhookUrl: null } });
  await world.send('ada');
  t.equal(world.received.length, 1);
});
