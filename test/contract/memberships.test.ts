// Which segments one person is in: one call says the same as an explanation of each.

import t from 'tap';
import { chapter } from './chapter.ts';

const { api, base, app, refuses } = await chapter(t);
const dayMs = 86_400_000;

const filters = {
  pro: { tag: 'plan', eq: 'pro' },
  'not pro': { tag: 'plan', ne: 'pro' },
  'ordered twice': { event: 'order', withinDays: 30, atLeast: 2 },
  // More instants than columns keep: history is read first.
  'ordered five times': { event: 'order', withinDays: 90, atLeast: 5 },
  'ordered six times': { event: 'order', withinDays: 90, atLeast: 6 },
  quiet: { all: [{ inactiveForDays: 30 }, { channel: 'email', exists: false }] },
  reached: { any: [{ channel: 'email' }, { channel: 'sms' }] },
};
for (const [externalUserId, plan, orders] of [
  ['ada', 'pro', 5],
  ['ben', 'free', 1],
] as const) {
  await api.must(`POST ${base}/subscribers`, {
    externalUserId,
    tags: { plan },
    devices: orders > 1 ? [{ channel: 'email', endpoint: 'ada@example.com' }] : [],
  });
  const events = Array.from({ length: orders }, (_, nth) => ({
    ...{ name: 'order', externalUserId },
    at: new Date(Date.now() - (1 + 7 * nth) * dayMs).toISOString(),
  }));
  await api.must('POST /e', { appId: app, events });
}
const ids: Record<string, string> = {};
for (const [name, filter] of Object.entries(filters))
  ids[name] = (await api.must(`POST ${base}/segments`, { name, filter })).id;

const namesOf = async (person: string) => {
  const { items } = await api.must(`GET ${base}/subscribers/${person}/segments`);
  return items
    .filter(({ matches }: { matches: boolean }) => matches)
    .map(({ name }: { name: string }) => name)
    .sort();
};

t.test('it says of each segment what its explanation says', async (t) => {
  for (const person of ['external:ada', 'external:ben']) {
    const { items, total } = await api.must(`GET ${base}/subscribers/${person}/segments`);
    t.equal(total, Object.keys(filters).length);
    t.same(items.map(({ id }: { id: string }) => id).sort(), Object.values(ids).sort());
    for (const { id, name, matches } of items) {
      const line = `GET ${base}/segments/${id}/explain?subscriberId=${person}`;
      t.equal(matches, (await api.must(line)).matches, `${person}, ${name}`);
    }
  }
  t.same(await namesOf('external:ada'), ['ordered five times', 'ordered twice', 'pro', 'reached']);
  t.same(await namesOf('external:ben'), ['not pro']);
});

t.test('a change shows at once, and the list has pages and a search', async (t) => {
  await api.must(`PATCH ${base}/segments/${ids['ordered six times']}`, {
    filter: { event: 'order', withinDays: 90, atLeast: 1 },
  });
  t.same(await namesOf('external:ben'), ['not pro', 'ordered six times']);
  const line = `GET ${base}/subscribers/external:ben/segments`;
  const first = await api.must(`${line}?limit=4`);
  t.equal(first.items.length, 4);
  const rest = await api.must(`${line}?limit=4&cursor=${first.nextCursor}`);
  const all = [...first.items, ...rest.items].map(({ id }: { id: string }) => id);
  t.same([...new Set(all)].length, Object.keys(filters).length);
  t.equal(rest.nextCursor, null);
  t.match(await api.must(`${line}?q=ordered`), { total: 3 });
});

t.test('of nobody it says so', async (t) => {
  for (const nobody of ['nobody', 'external:nobody', `sub_${'0'.repeat(26)}`])
    await refuses(t, `GET ${base}/subscribers/${nobody}/segments`, undefined, {
      status: 404,
      error: 'subscriber not found',
    });
});
