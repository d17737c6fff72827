import t from 'tap';
import { MemoryStore } from '../../../../storage/memory.ts';
import { webhookDues } from '../../../../storage/tables/webhook.ts';
import { bad, good, WebhookWorld } from './webhook-world.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

t.test('an erased person leaves the payloads, and open deliveries about them stop', async (t) => {
  const world = await WebhookWorld.make();
  const ada = await world.person('ada');
  await world.person('bob');
  await world.put('webhook', { events: ['message.delivered'] });
  await world.send('ada');
  world.receiver = ({ body }) =>
    body.includes('"ada"') ? { ...bad, answer: 'no such user ada' } : bad;
  await world.send('ada');
  await world.send('bob');
  await world.one.value(world.app, 'subscriber.erase', { ref: { id: ada } });
  const calls = world.received.length;
  world.receiver = () => good;
  await world.advance(2 * hour);
  const later = world.received.slice(calls);
  t.equal(later.length, 1, 'only the delivery about the other goes on');
  t.notMatch(later[0]?.body ?? '', ada);
  for (const { id } of (await world.list()).items) {
    const read = await world.one.value(world.app, 'webhook_delivery.read', { id });
    t.notMatch(JSON.stringify(read), /ada/);
    t.notMatch(JSON.stringify(read), ada);
  }
  const { items } = await world.list({ status: 'stopped' });
  t.equal(items.length, 1);
  const id = items[0]?.id ?? '';
  const again = await world.one.ask(world.app, 'webhook_delivery.retry', { id });
  t.match(again, { fault: { code: 'wrong_state' } }, 'nor can it be sent again, without them');
  const all = { status: 'stopped' } as const;
  const { retried } = await world.one.value(world.app, 'webhook_delivery.retry_all', all);
  t.equal(retried, 0);
  const bytes = Buffer.concat(storedBytes(world));
  t.notOk(bytes.includes('no such user'), 'nor do answers stay at rest');
});

for (const concurrency of [1, 16])
  t.test(`what an erased person leaves open stops no other delivery: ${concurrency}`, async (t) => {
    const world = await WebhookWorld.make();
    const ada = await world.person('ada');
    await world.person('bob');
    await world.put('webhook', { concurrency });
    world.receiver = () => bad;
    for (let i = 0; i < 70; i++) await world.send('ada');
    await world.send('bob');
    await world.one.value(world.app, 'subscriber.erase', { ref: { id: ada } });
    const calls = world.received.length;
    world.receiver = () => good;
    const wakes = await live(world, 20 * minute); // the next pass is in an hour
    const later = world.received.slice(calls);
    t.equal(later.length, 1, 'the other one was not called');
    t.match(later[0]?.body, /bob/);
    t.ok(wakes < 200, `the partition wakes ${wakes} times`);
    await world.advance(hour);
    t.equal((await world.list({ status: 'stopped', limit: 100 })).items.length, 70);
  });

t.test('in strict order nothing passes a chunk of which an erased person is due', async (t) => {
  const { world, bob } = await aChunkOfAnErased(1);
  await world.happen(1, 'clicked', [bob]);
  world.receiver = () => good;
  await live(world, 20 * minute);
  t.same(
    world.received.map(({ event }) => event),
    ['message.delivered', 'message.delivered', 'message.delivered', 'message.clicked'],
  );
});

t.test('a look does not forget when a chunk that is set aside is due', async (t) => {
  const { world, bob } = await aChunkOfAnErased(16);
  const { store } = world.one;
  const range = store.range.bind(store);
  const dues = { start: Buffer.from([webhookDues.id]), end: Buffer.from([webhookDues.id + 1]) };
  const lost = Buffer.from(range(dues)[1]?.key ?? []);
  store.range = (wanted) => {
    const rows = range(wanted);
    for (const { key, value } of rows) if (lost.equals(key)) value.fill(0xff);
    return rows;
  };
  await world.happen(1, 'clicked', [bob]);
  await live(world, 2 * minute); // the click waits for its third attempt
  const calls = world.received.length;
  world.receiver = () => good;
  await live(world, 4 * minute);
  t.match(world.received.slice(calls), [{ event: 'message.delivered' }]);
});

/** Ada's event is due, but she is erased; Bob's, of the same chunk, waits for its next attempt. */
async function aChunkOfAnErased(concurrency: number) {
  const world = await WebhookWorld.make();
  const id = await world.person('ada');
  await world.person('bob');
  await world.put('webhook', { concurrency });
  world.receiver = () => bad;
  const people = world.one.product.state.apps.get(world.app)?.people;
  const [ada = -1, bob = -1] = ['ada', 'bob'].map((name) => people?.find(name));
  await world.happen(2, 'delivered', [ada, bob]);
  await world.one.value(world.app, 'subscriber.erase', { ref: { id } });
  await world.advance(minute);
  await world.advance(second);
  return { world, bob };
}

t.test('the ledger goes after thirty days', async (t) => {
  const world = await WebhookWorld.withPerson('ada');
  await world.put();
  await world.send('ada');
  await world.advance(29 * day);
  await world.send('ada');
  t.equal((await world.list()).items.length, 2);
  await world.advance(2 * day);
  t.equal((await world.list()).items.length, 1);
  await world.advance(30 * day);
  t.equal((await world.list()).items.length, 0);
  t.same(storedBytes(world), [], 'no record of it is left');
});

t.test('after a restore, what was open in the backup waits for a retry', async (t) => {
  const world = await WebhookWorld.withPerson('ada');
  await world.put();
  world.receiver = () => bad;
  await world.send('ada');
  const calls = world.received.length;
  world.restart({ epoch: 2, resend: 'none', erased: () => [] });
  world.receiver = () => good;
  await world.advance(12 * hour);
  t.equal(world.received.length, calls);
  t.match((await world.list()).items, [{ state: 'stopped' }]);
  await world.send('ada');
  t.equal(world.received.length, calls + 1, 'new events go out');
});

t.test('all that was open stops, also behind newer deliveries that are due earlier', async (t) => {
  const world = await WebhookWorld.withPerson('ada');
  await world.put();
  world.receiver = () => bad;
  for (let i = 0; i < 20; i++) await world.send('ada');
  await world.advance(3 * hour); // they wait for the last attempt
  const restoredMs = world.one.clock.now();
  await world.advance(second);
  for (let i = 0; i < 20; i++) await world.send('ada');
  // As when newer ones come between two slices of the pass.
  const webhooks = world.one.product.state.apps.get(world.app)?.webhooks;
  webhooks?.hold(restoredMs);
  world.receiver = () => good;
  await world.advance(12 * hour);
  t.equal((await world.list({ status: 'stopped' })).items.length, 20);
  t.equal((await world.list({ status: 'delivered' })).items.length, 20);
});

t.test('all rows of a list come once, page by page, newest first', async (t) => {
  const world = await WebhookWorld.withPerson('ada');
  await world.put('webhook', { url: 'https://a.example' });
  await world.put('webhook-b', { url: 'https://b.example' });
  for (let i = 0; i < 7; i++) await world.send('ada');
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await world.list({ limit: 3, ...(cursor === undefined ? {} : { cursor }) });
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  t.equal(ids.length, 14);
  t.equal(new Set(ids).size, 14);
  const times = await Promise.all(
    ids.map(async (id) => {
      const { delivery } = await world.one.value(world.app, 'webhook_delivery.read', { id });
      return delivery.createdMs;
    }),
  );
  t.same(
    times,
    times.toSorted((a, b) => b - a),
  );
});

/** Lets time pass from one instant that is due to the next; how many there were. */
async function live(world: WebhookWorld, ms: number): Promise<number> {
  const { clock, product } = world.one;
  const endMs = clock.now() + ms;
  for (let wakes = 0; ; wakes++) {
    const dueMs = product.nextDueMs() ?? Number.POSITIVE_INFINITY;
    if (dueMs > endMs || wakes > 10_000) return wakes;
    await world.advance(Math.max(1, dueMs - clock.now()));
  }
}

/** Records of the four tables. */
function storedBytes(world: WebhookWorld): Buffer[] {
  t.ok(world.one.store instanceof MemoryStore);
  return [60, 61, 62, 63].flatMap((table) =>
    world.one.store
      .range({ start: Buffer.from([table]), end: Buffer.from([table + 1]) })
      .map(({ value }) => Buffer.from(value)),
  );
}
