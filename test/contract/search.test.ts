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

t.test('some people are asked for by their ids', async (t) => {
  const { items } = await search({ limit: 3, tags: [] });
  const ids = items.map(({ id }: { id: string }) => id);
  t.same(names(await search({ ids: [ids[2], ids[0], 'sub_gone'] })), ['person-29', 'person-27']);
  t.same(names(await search({ ids, q: 'person-28' })), ['person-28']);
  t.equal((await search({ ids: ['sub_0'] })).total, 0);
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

t.test('people are found by the words of their names', async (t) => {
  const people: [string, object][] = [
    ['n1', { first_name: 'Nguyễn Văn', last_name: 'An' }],
    ['n2', { first_name: 'nguyen', last_name: 'Bình' }],
    ['n3', { name: 'Anna Nguyen-Smith', first_name: 'Ann' }],
    ['n4', { nickname: 'Nguyen' }],
    ['n5', { name: ['Nguyen'] }],
  ];
  for (const [externalUserId, tags] of people)
    await api.must(`POST ${base}/subscribers`, { externalUserId, tags });
  const found = async (q: string) => names(await search({ q, order: 'oldest' }));
  t.same(await found('NGUYEN'), ['n1', 'n2', 'n3']);
  t.same(await found('an nguyễn'), ['n1', 'n3'], 'in any order, by the beginning of each word');
  t.same(await found('binh'), ['n2']);
  t.same(await found('guyen'), []);
  t.same(await found('nguyen b'), ['n2']);
  t.match((await search({ q: 'binh' })).items, [{ displayName: 'nguyen Bình' }]);
  t.match((await search({ q: 'smith' })).items, [{ displayName: 'Anna Nguyen-Smith' }]);

  await t.test('of a person who is renamed by the new name alone', async (t) => {
    await api.must(`PATCH ${base}/subscribers/external:n2`, { tags: { last_name: 'Chi' } });
    t.same(await found('binh'), []);
    t.same(await found('chi'), ['n2']);
    await api.must(`DELETE ${base}/subscribers/external:n2`);
    t.same(await found('chi'), []);
  });

  await t.test('by the tags that the settings name', async (t) => {
    await api.must(`PATCH ${base}/settings`, { displayName: ['nickname', 'plan'] });
    t.same(await found('nguyen'), ['n4']);
    t.match(await api.must(`GET ${base}/subscribers/external:n4`), { displayName: 'Nguyen' });
    t.match(await api.must(`GET ${base}/subscribers/external:n1`), { displayName: null });
    t.match(await api.must(`GET ${base}/subscribers/external:person-00`), { displayName: 'pro' });
    t.equal((await search({ q: 'pro', limit: 1 })).total, 10);
    await refuses(
      t,
      `PATCH ${base}/settings`,
      { displayName: [] },
      { status: 400, field: 'displayName' },
    );
    await refuses(
      t,
      `PATCH ${base}/settings`,
      { displayName: ['a', 'a'] },
      { status: 400, field: 'displayName' },
    );
    await api.must(`PATCH ${base}/settings`, { displayName: null });
    t.same(await found('nguyen'), ['n1', 'n3']);
  });
});
