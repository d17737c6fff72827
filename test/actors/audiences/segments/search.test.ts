// A search against a plain walk over what was acknowledged: random people who come, act, merge and
// go; every order, any place, any beginning of any id.

import t from 'tap';
import type { SubscriberView } from '../../../../actors/people/audience/protocol.ts';
import { hourMs } from '../../../../engine/base/brand.ts';
import { below, pick, seededRng } from '../../../../engine/base/rng.ts';
import { partitionWithApp } from '../../../support/partition.ts';

const rng = seededRng(Number(process.env['ENGAGE_SEARCH_SEED'] ?? 4));
const { one, app } = await partitionWithApp();
const people = new Map<string, SubscriberView>();

async function refresh(): Promise<void> {
  for (const id of [...people.keys()]) {
    const read = await one.ask(app, 'subscriber.read', { ref: { id } });
    if (!read.ok) people.delete(id);
    else people.set(id, read.value as SubscriberView);
  }
}

async function live(): Promise<void> {
  const ids = [...people.keys()];
  const fate = below(rng, 10);
  if (fate < 5 || ids.length < 3) {
    const number = below(rng, 300);
    const { subscriber } = await one.value(app, 'subscriber.upsert', {
      subscriber: {
        ...(number % 4 === 0 ? {} : { externalUserId: `c-${number}` }),
        tags: { plan: pick(rng, ['pro', 'free']) ?? '', left: true },
        ...(number % 3 === 0 && {
          devices: [{ channel: 'email' as const, endpoint: `P${number}@example.com` }],
        }),
      },
    });
    people.set(subscriber.id, subscriber);
  } else if (fate < 8) {
    const id = pick(rng, ids) as string;
    const at = new Date(one.clock.nowMs - below(rng, 3) * hourMs).toISOString();
    const bytes = Buffer.from(
      JSON.stringify({ events: [{ name: 'order', subscriberId: id, at }] }),
    );
    await one.value(app, 'events.ingest', { keyless: false } as never, { bytes });
  } else if (fate < 9)
    await one.value(app, 'subscriber.erase', { ref: { id: pick(rng, ids) as string } });
  if (below(rng, 3) === 0) await one.advance(below(rng, 2) * 1_500);
  await refresh();
}

function expected(q: string | undefined, isPro: boolean, order: string): string[] {
  const address = q?.toLowerCase();
  const found = [...people.values()].filter(
    ({ id, externalUserId, devices, tags }) =>
      (!isPro || tags['plan'] === 'pro') &&
      (q === undefined ||
        externalUserId?.startsWith(q) ||
        (q.startsWith('sub_') && id.startsWith(q)) ||
        devices.some(({ endpoint }) => String(endpoint).toLowerCase() === address)),
  );
  const byAge = found.sort((one, other) => one.person - other.person);
  if (order !== 'oldest') byAge.reverse();
  if (order === 'lastActive')
    byAge.sort((one, other) => (other.lastActiveMs ?? 0) - (one.lastActiveMs ?? 0));
  return byAge.map(({ id }) => id);
}

function question(): string | undefined {
  const some = pick(rng, [...people.values()]) as SubscriberView;
  const texts = [
    undefined,
    some.id.slice(0, 4 + below(rng, 27)),
    some.externalUserId?.slice(0, 1 + below(rng, 5)),
    some.devices[0] && String(some.devices[0].endpoint).toUpperCase(),
    'nobody',
  ];
  return pick(rng, texts);
}

t.test('every page is a slice of what a walk finds, with its total', async (t) => {
  for (let round = 0; round < 150; round++) {
    await live();
    for (let asked = 0; asked < 8; asked++) {
      const q = question();
      const isPro = below(rng, 2) === 0;
      const order = pick(rng, ['newest', 'oldest', 'lastActive'] as const) ?? 'newest';
      const offset = below(rng, 2) === 0 ? 0 : below(rng, people.size + 2);
      const limit = 1 + below(rng, 20);
      const { items, total } = await one.value(app, 'people.search', {
        ...(q === undefined ? {} : { q }),
        ...(isPro && { asked: { filter: { tag: 'plan', eq: 'pro' } } }),
        order,
        offset,
        limit,
        tags: ['plan', 'none'],
      });
      const whole = expected(q, isPro, order);
      const what = JSON.stringify({ q, isPro, order, offset, limit });
      t.equal(total, whole.length, what);
      t.same(
        items.map(({ id }) => id),
        whole.slice(offset, offset + limit),
        what,
      );
      for (const { tags } of items) t.same(Object.keys(tags), ['plan']);
    }
  }
});
