import t from 'tap';
import type { WebhookResult } from '../../../../actors/integrations/webhooks/call/attempt.ts';
import { bad, good, WebhookWorld } from './webhook-world.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

t.test('a deleted destination stops what is open, and nothing of it begins', async (t) => {
  const world = await WebhookWorld.withPerson('ada');
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
  t.match(again, { ok: false, fault: { code: 'wrong_state' } });
});

t.test('a destination that is switched off keeps its ledger and can be retried', async (t) => {
  const world = await WebhookWorld.withPerson('ada');
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

t.test('a success makes a failing destination well again', async (t) => {
  const world = await WebhookWorld.withPerson('ada');
  await world.put();
  world.receiver = () => bad;
  for (let i = 0; i < 100; i++) await world.send('ada');
  const health = async () => (await world.one.value(world.app, 'destination.list', {}))[0]?.health;
  t.equal(await health(), 'ok', 'not yet a minute');
  await world.advance(minute);
  t.equal(await health(), 'failing');
  world.receiver = () => good;
  await world.send('ada');
  t.equal(await health(), 'ok');
});

t.test('a destination of few deliveries, which it all refuses, is not well', async (t) => {
  const world = await WebhookWorld.withPerson('ada');
  await world.put();
  world.receiver = () => ({ ...bad, status: 404 });
  await world.send('ada');
  const health = async () => (await world.one.value(world.app, 'destination.list', {}))[0]?.health;
  t.equal(await health(), 'ok', 'one attempt may be bad luck');
  await world.advance(minute);
  t.equal(await health(), 'ok', 'two as well');
  await world.advance(5 * minute);
  t.equal(world.received.length, 3);
  t.equal(await health(), 'failing');
});

t.test('one at a time keeps the order, whatever has to be tried again', async (t) => {
  const world = await WebhookWorld.withPerson('ada');
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
  const world = await WebhookWorld.withPerson('ada');
  await world.put('webhook', { url: 'https://a.example', events: ['message.delivered'] });
  await world.put('webhook-b', { url: 'https://b.example', events: ['message.*'] });
  await world.put('webhook-c', { url: 'https://c.example', events: ['campaign.*'] });
  await world.send('ada');
  t.same(world.received.map(({ url }) => url).sort(), ['https://a.example', 'https://b.example']);
  t.equal((await world.list({ type: 'webhook-b' })).items.length, 1);
  t.equal((await world.list({ event: 'message.failed' })).items.length, 0);
});

t.test('a destination that hangs holds its own slots alone', async (t) => {
  const world = await WebhookWorld.withPerson('ada');
  await world.put('webhook', { url: 'https://hangs.example', concurrency: 4 });
  await world.put('webhook-b', { url: 'https://b.example' });
  world.receiver = ({ url }) => (url.includes('hangs') ? new Promise(() => {}) : good);
  for (let i = 0; i < 20; i++) await world.send('ada');
  const calls = (host: string) => world.received.filter(({ url }) => url.includes(host)).length;
  t.equal(calls('hangs'), 4);
  t.equal(calls('b.example'), 20);
});

t.test('one that times out is soon called four times at once, until it answers', async (t) => {
  const world = await WebhookWorld.withPerson('ada');
  await world.put('webhook', { concurrency: 64, events: ['message.delivered'] });
  let end: (() => void)[] = [];
  let result: WebhookResult = { ...bad, status: undefined, error: 'timeout' };
  world.receiver = () => new Promise((resolve) => end.push(() => resolve(result)));
  for (let i = 0; i < 100; i++) await world.send('ada');
  const atOnce: number[] = [];
  for (let round = 0; round < 8; round++) {
    const ending = end;
    end = [];
    atOnce.push(ending.length);
    if (round === 4) result = good;
    for (const one of ending) one();
    await world.run();
  }
  t.same(atOnce, [16, 4, 4, 4, 4, 64, 4, 0]);
});

t.test('a replaced secret signs beside the new one for a day', async (t) => {
  const world = await WebhookWorld.withPerson('ada');
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
  const world = await WebhookWorld.withPerson('ada');
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

t.test('another address gets at once what had not begun at the former one', async (t) => {
  const world = await WebhookWorld.withPerson('ada');
  await world.put('webhook', { url: 'https://a.example', concurrency: 2, secret: 'one' });
  world.receiver = ({ url }) => (url.includes('a.example') ? new Promise(() => {}) : good);
  for (let i = 0; i < 5; i++) await world.send('ada');
  t.equal(world.received.length, 2);
  await world.put('webhook', { url: 'https://b.example', concurrency: 8, secret: 'two' });
  await world.run();
  t.match(
    world.received.slice(2),
    Array.from({ length: 3 }, () => ({ url: 'https://b.example', secrets: ['two'] })),
  );
});

t.test('another legacy address does, too', async (t) => {
  const world = await WebhookWorld.make();
  const set = (webhookUrl: string) =>
    world.one.value(world.app, 'settings.patch', { patch: { webhookUrl } });
  await world.person('ada');
  await set('https://a.example');
  let end = () => {};
  const ended = new Promise<typeof good>((resolve) => {
    end = () => resolve(good);
  });
  world.receiver = ({ url }) => (url.includes('a.example') ? ended : good);
  for (let i = 0; i < 20; i++) await world.send('ada');
  t.equal(world.received.length, 16);
  await set('https://b.example');
  await world.run();
  end();
  await world.run();
  t.same(
    world.received.slice(16).map(({ url }) => url),
    Array(4).fill('https://b.example'),
  );
});

t.test('a legacy address that is removed and set again gets all that happens then', async (t) => {
  for (const hasLedger of [false, true]) {
    const world = await WebhookWorld.make();
    const set = (webhookUrl: string | null) =>
      world.one.value(world.app, 'settings.patch', { patch: { webhookUrl } });
    await world.person('ada');
    await set('https://a.example');
    if (hasLedger) await world.send('ada');
    await set(null);
    await world.advance(1);
    await set('https://b.example');
    await world.send('ada');
    t.equal(world.received.at(-1)?.url, 'https://b.example', `with a ledger: ${hasLedger}`);
    const states = (await world.list()).items.map(({ state }) => state);
    t.same(new Set(states), new Set(['delivered']));
  }
});

t.test('a legacy address that was switched off is on again with another one', async (t) => {
  const world = await WebhookWorld.make();
  const set = (patch: object) => world.one.value(world.app, 'settings.patch', { patch });
  await world.person('ada');
  await set({ webhookUrl: 'https://a.example' });
  world.receiver = () => bad;
  for (let i = 0; i < 5 * 24; i++) {
    await world.send('ada');
    await world.advance(hour);
  }
  const calls = world.received.length;
  await world.send('ada');
  t.equal(world.received.length, calls, 'switched off after five days');
  t.match(await world.one.value(world.app, 'destination.list', {}), [
    { type: 'legacy', enabled: false, disabledReason: 'no_success' },
  ]);
  world.receiver = () => good;
  await set({ contactPoint: 'ops@acme.example' });
  await world.send('ada');
  t.equal(world.received.length, calls, 'another setting changes nothing');
  world.restart();
  await set({ webhookUrl: 'https://b.example' });
  await world.advance(1);
  await world.send('ada');
  t.match(world.received.slice(calls), [{ url: 'https://b.example' }]);
});

t.test('a destination gets nothing that waited in memory at its save', async (t) => {
  let isLow = false;
  const world = await WebhookWorld.withPerson('ada', { diskLow: () => isLow });
  await world.put('webhook', { url: 'https://a.example', events: ['message.delivered'] });
  await world.put('webhook-c', { url: 'https://c.example', events: ['message.failed'] });
  await world.accept('ada');
  isLow = true;
  await world.run();
  isLow = false;
  await world.put('webhook-b', { url: 'https://b.example', events: ['message.delivered'] });
  await world.put('webhook-c', { url: 'https://c.example', events: ['message.*'] });
  await world.advance(1_000);
  const urls = () => world.received.map(({ url }) => url);
  t.same(urls(), ['https://a.example']);
  await world.send('ada');
  t.same(
    urls().slice(1).sort(),
    ['a', 'b', 'c'].map((one) => `https://${one}.example`),
  );
});
