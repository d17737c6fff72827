// `POST …/subscribers/search`: a page of people from any place on.

import t from 'tap';
import { chapter } from './chapter.ts';

const { api, base, app, refuses } = await chapter(t);
const search = (body: object) => api.must(`POST ${base}/subscribers/search`, body);
const names = ({ items }: { items: { externalUserId: string }[] }) =>
  items.map(({ externalUserId }) => externalUserId);

for (let nth = 0; nth < 30; nth++)
  await api.must(`POST ${base}/subscribers`, {
    externalUserId: `person-${String(nth).padStart(2, '0')}`,
    tags: { plan: nth % 3 === 0 ? 'pro' : 'free', nth },
    devices: nth === 7 ? [{ channel: 'email', endpoint: 'Seven@Example.com' }] : [],
  });
const { id: segmentId } = await api.must(`POST ${base}/segments`, {
  name: 'Pro',
  filter: { tag: 'plan', eq: 'pro' },
});

t.test('pages start anywhere, in three orders, with the total', async (t) => {
  const first = await search({});
  t.match(first, { total: 30, tookMs: Number });
  t.equal(first.items.length, 30);
  t.equal(first.items[0].externalUserId, 'person-29');
  t.same(names(await search({ order: 'oldest', offset: 10, limit: 2 })), [
    'person-10',
    'person-11',
  ]);
  t.same(await search({ offset: 30 }).then(names), []);
  for (const externalUserId of ['person-03', 'person-12'])
    await api.must('POST /e', { appId: app, events: [{ name: 'order', externalUserId }] });
  const active = await search({ order: 'lastActive', limit: 3 });
  t.same(new Set(names(active).slice(0, 2)), new Set(['person-03', 'person-12']));
  t.match(active.items[0], { lastActiveAt: /Z$/ });
  t.same([names(active)[2], active.items[2].lastActiveAt], ['person-29', null]);
});

t.test('filters, segments, ids and addresses narrow it down', async (t) => {
  const pro = await search({ filter: { tag: 'plan', eq: 'pro' }, limit: 2, tags: ['plan'] });
  t.equal(pro.total, 10);
  t.same(
    pro.items.map(({ tags }: { tags: object }) => tags),
    [{ plan: 'pro' }, { plan: 'pro' }],
  );
  t.equal((await search({ segmentId })).total, 10);
  t.equal((await search({ segmentId, q: 'person-0' })).total, 4);
  t.equal((await search({ filter: { event: 'order', withinDays: 1, atLeast: 2 } })).total, 0);
  const [seven] = (await search({ q: ' SEVEN@example.com' })).items;
  t.match(seven, { externalUserId: 'person-07', devices: [{ channel: 'email', reachable: true }] });
  t.same(names(await search({ q: seven.id })), ['person-07']);
  t.equal((await search({ q: seven.id.slice(0, 9) })).total, 30);
  t.equal((await search({ q: 'erson' })).total, 0);
});

t.test('an unusable search is refused at its field', async (t) => {
  const line = `POST ${base}/subscribers/search`;
  const refused = (body: object, field: string) => refuses(t, line, body, { status: 400, field });
  await refused({ limit: 201 }, 'limit');
  await refused({ offset: -1 }, 'offset');
  await refused({ order: 'name' }, 'order');
  await refused({ q: '' }, 'q');
  await refused({ tags: [''] }, 'tags[0]');
  await refused({ filter: { tag: 'plan' } }, 'filter');
  await refused({ filter: { channel: 'email' }, segmentId }, 'segmentId');
  await refuses(
    t,
    line,
    { segmentId: `seg_${'0'.repeat(26)}` },
    {
      status: 404,
      field: 'segmentId',
    },
  );
});
