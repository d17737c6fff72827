import t from 'tap';
import { parseDeliveryId } from '../../../../actors/integrations/webhooks/delivery-id.ts';
import { webhookDeliveries } from '../../../../storage/tables/webhook.ts';
import { bad, good, WebhookWorld } from './webhook-world.ts';

/** More than a chunk holds, in one turn. */
const eventsInTurn = 300;

/** A chunk of 256 events and one of the rest, for so many destinations that take none yet. */
async function aFullLedger(destinations: number, events = eventsInTurn): Promise<WebhookWorld> {
  const world = await WebhookWorld.withPerson('ada');
  world.receiver = () => bad;
  for (let i = 0; i < destinations; i++)
    await world.put(typeOf(i), { events: ['message.delivered'] });
  await world.happen(events);
  return world;
}

/** The ids of a list page by page; ends after many more pages than there can be. */
async function idsBy(world: WebhookWorld, limit: number, filter: object = {}): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < 1_000; pages++) {
    const from: object = cursor === null ? {} : { cursor };
    const page = await world.list({ ...filter, ...from, limit });
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor;
    if (cursor === null) return ids;
  }
  throw new Error('the list does not end');
}

for (const destinations of [2, 3])
  t.test(`a list of ${destinations} destinations has every row once, newest first`, async (t) => {
    const world = await aFullLedger(destinations);
    const whole = await idsBy(world, 1_000);
    t.equal(whole.length, destinations * eventsInTurn);
    t.equal(new Set(whole).size, whole.length);
    const names = whole.map((id) => parseDeliveryId(world.app, id));
    t.ok(
      names.some((name) => name?.place === 255),
      'a chunk is full',
    );
    const order = names.map((one) => [one?.atMs, one?.chunk, one?.destination, one?.place]);
    t.same(
      order,
      order.toSorted((a, b) => {
        const i = a.findIndex((part, at) => part !== b[at]);
        return (b[i] ?? 0) - (a[i] ?? 0);
      }),
    );
    for (const limit of [1, 50, 64, 128, 200])
      t.same(await idsBy(world, limit), whole, `pages of ${limit}`);
    for (const limit of [1, 64]) {
      const ids = await idsBy(world, limit, { type: 'webhook-1' });
      t.equal(new Set(ids).size, eventsInTurn, `of one destination, pages of ${limit}`);
      t.equal(ids.length, eventsInTurn);
    }
  });

t.test('a retry of all goes over every row once, in slices', async (t) => {
  // The first slice ends with the last row of a destination in the full chunk: 8 × 26 + 7 × 256.
  const world = await aFullLedger(8, 282);
  const types = Array.from({ length: 8 }, (_, i) => typeOf(i));
  for (const type of types) await world.put(type, { enabled: false });
  await world.advance(60_000);
  for (const type of types) await world.put(type);
  world.receiver = () => good;
  const calls = world.received.length;
  const slices: number[] = [];
  let cursor: string | null = null;
  do {
    const from: object = cursor === null ? {} : { cursor };
    const slice: { retried: number; nextCursor: string | null } = await world.one.value(
      world.app,
      'webhook_delivery.retry_all',
      { status: 'stopped', ...from },
    );
    slices.push(slice.retried);
    cursor = slice.nextCursor;
  } while (cursor !== null && slices.length < 20);
  t.same(slices, [2_000, 256]);
  await world.run();
  const ids = world.received.slice(calls).map(({ id }) => id);
  t.equal(ids.length, 2_256);
  t.equal(new Set(ids).size, 2_256);
});

t.test('a damaged record does not end a list', async (t) => {
  const world = await aFullLedger(1, 1);
  await world.put('webhook', { events: ['message.*'] });
  for (let i = 0; i < 600; i++) {
    await world.one.advance(1_000);
    await world.happen(1, 'opened');
  }
  const { store } = world.one;
  const range = store.range.bind(store);
  store.range = (wanted) => {
    const rows = range(wanted);
    if (wanted.start[0] === webhookDeliveries.id) rows[250]?.value.fill(0xff);
    return rows;
  };
  const found = await idsBy(world, 100, { event: 'message.delivered' });
  t.equal(found.length, 1, 'what is older is still found');
});

function typeOf(i: number): string {
  return i === 0 ? 'webhook' : `webhook-${i}`;
}
