// Lists of an app over HTTP: newest first unless asked, found by name, counted, and by pages that
// hold still while things are made; and people found by address, phone number and tag.

import t from 'tap';
import { chapter } from './chapter.ts';

const { api, refuses } = await chapter(t);
const { id: app } = await api.must('POST /v1/apps', { name: 'Lists' });
const base = `/v1/apps/${app}`;
const { id: messageId } = await api.must(`POST ${base}/messages`, { name: 'first', body: 'x' });
const steps = [{ id: 'w', type: 'wait', days: 1 }];

/** Each list, with how its things are made and what they have for a name. */
const lists: readonly [path: string, make: (name: string) => object][] = [
  ['campaigns', (name) => ({ name, messageId })],
  ['journeys', (name) => ({ name, triggerEvent: 'x', steps })],
  ['segments', (name) => ({ name, filter: { tag: 'a', eq: 1 } })],
  ['messages', (name) => ({ name, body: 'x' })],
  ['message-templates', (name) => ({ name, body: 'x' })],
  ['flags', (name) => ({ key: name })],
];

interface Named {
  readonly id: string;
  readonly name?: string;
  readonly key?: string;
}
const namesOf = (items: readonly Named[]) => items.map(({ name, key }) => name ?? key);

for (const [path, make] of lists)
  t.test(`${path} are listed in the order asked for, by name, and counted`, async (t) => {
    const { id: own } = await api.must('POST /v1/apps', { name: path });
    const list = `/v1/apps/${own}/${path}`;
    const body = { name: 'used', body: 'x' };
    const { id: used } = await api.must(`POST /v1/apps/${own}/messages`, body);
    const create = async (name: string) => {
      const made = { ...make(name), ...(path === 'campaigns' && { messageId: used }) };
      await api.must(`POST ${list}`, made);
    };
    for (const name of ['spring-1', 'Spring-2', 'autumn', 'spring-3', 'winter']) await create(name);
    const read = async (query: string, between?: () => Promise<unknown>) => {
      const found: Named[] = [];
      const totals = new Set<number | null>();
      let cursor = '';
      do {
        const page = await api.must(`GET ${list}?limit=2${query}${cursor}`);
        found.push(...page.items);
        totals.add(page.total);
        cursor = page.nextCursor === null ? '' : `&cursor=${encodeURIComponent(page.nextCursor)}`;
        await between?.();
      } while (cursor !== '');
      const names = namesOf(found).filter((name) => name !== 'used');
      return { names, totals: [...totals] };
    };
    const all = ['winter', 'spring-3', 'autumn', 'Spring-2', 'spring-1'];
    const count = path === 'messages' ? 6 : 5;
    t.same(await read(''), { names: all, totals: [count] });
    t.same(await read('&order=newest'), { names: all, totals: [count] });
    t.same(await read('&order=oldest'), { names: all.toReversed(), totals: [count] });
    const springs = await read('&q=SPRING');
    t.same(springs.names, ['spring-3', 'Spring-2', 'spring-1']);
    t.same(springs.totals, [/^message/.test(path) ? null : 3]);
    t.same((await read('&q=nothing')).names, []);
    let made = 0;
    const later = await read('', () => create(`later-${made++}`));
    t.same(later.names, all, 'what is made meanwhile moves nothing');
    const { nextCursor } = await api.must(`GET ${list}?limit=1`);
    const other = `GET ${list}?order=oldest&cursor=${encodeURIComponent(nextCursor)}`;
    await refuses(t, other, undefined, { status: 400, field: 'cursor' });
    await refuses(t, `GET ${list}?order=best`, undefined, { status: 400, field: 'order' });
  });

t.test('campaigns are listed by when they were made', async (t) => {
  const { id, createdAt } = await api.must(`POST ${base}/campaigns`, { name: 'now', messageId });
  const at = (ms: number) => encodeURIComponent(new Date(Date.parse(createdAt) + ms).toISOString());
  const ids = async (query: string) =>
    (await api.must(`GET ${base}/campaigns?${query}`)).items.map((one: Named) => one.id);
  t.same(await ids(`createdFrom=${at(0)}`), [id]);
  t.same(await ids(`createdTo=${at(1)}`), [id]);
  t.same(await ids(`createdTo=${at(0)}`), []);
  t.same(await ids(`createdFrom=${at(1)}`), []);
  const wrong = `GET ${base}/campaigns?createdFrom=yesterday`;
  await refuses(t, wrong, undefined, { status: 400, field: 'createdFrom' });
});

t.test('people are found by address, phone number and tag', async (t) => {
  const people = [
    ['ada', [{ channel: 'email', endpoint: 'Ada@Example.com' }], { plan: 'pro', level: 5 }],
    ['ben', [{ channel: 'sms', endpoint: '+4915112345678' }], { plan: 'free', level: '5' }],
    ['eve', [{ channel: 'whatsapp', endpoint: '+4915112345678' }], { vip: true, note: 'a:b' }],
  ] as const;
  for (const [externalUserId, devices, tags] of people)
    await api.must(`POST ${base}/subscribers`, { externalUserId, devices, tags });
  const found = async (query: string) => {
    const { items, total, nextCursor } = await api.must(`GET ${base}/subscribers?${query}`);
    const names = items.map((one: { externalUserId: string }) => one.externalUserId);
    t.equal(total, names.length, query);
    t.equal(nextCursor, null, query);
    return names;
  };
  t.same(await found(''), ['eve', 'ben', 'ada']);
  t.same(await found('order=oldest'), ['ada', 'ben', 'eve']);
  t.same(await found('address=ada%40example.com'), ['ada']);
  t.same(await found('address=nobody%40example.com'), []);
  t.same(await found('address=anything'), []);
  t.same(await found('phone=%2B4915112345678'), ['ben', 'eve']);
  t.same(await found('address=%2B4915112345678&channel=sms'), ['ben']);
  t.same(await found('address=ada%40example.com&externalUserId=ben'), []);
  t.same(await found('tag=plan:pro'), ['ada']);
  t.same(await found('tag=level:5'), ['ben', 'ada'], 'a number and a text');
  t.same(await found('tag=vip:true'), ['eve']);
  t.same(await found('tag=note:a:b'), ['eve']);
  t.same(await found('tag=plan:pro&address=%2B4915112345678'), []);
  t.same(await found('tag=nobody:has'), []);
  const wrong: readonly [query: string, field: string][] = [
    ['phone=4915112345678', 'phone'],
    ['phone=%2B4915112345678&address=x', 'phone'],
    ['tag=plan', 'tag'],
    [`tag=${'x'.repeat(300)}:1`, 'tag'],
    ['tag=plan:pro&segmentId=seg_00000000000000000000000000', 'tag'],
  ];
  for (const [query, field] of wrong)
    await refuses(t, `GET ${base}/subscribers?${query}`, undefined, { status: 400, field });
  const pages = await api.must(`GET ${base}/subscribers?limit=2`);
  t.equal(pages.total, 3);
  const rest = await api.must(`GET ${base}/subscribers?limit=2&cursor=${pages.nextCursor}`);
  t.match(rest, { items: [{ externalUserId: 'ada' }], nextCursor: null, total: 3 });
});

t.test('a filter by a variant or step that is not there is refused', async (t) => {
  const variants = ['a', 'b'].map((id) => ({ id, weight: 1, messageId }));
  const made = (body: object) => api.must(`POST ${base}/campaigns`, { messageId, ...body });
  const { id: tested } = await made({ name: 'two', variants });
  const { id: plain } = await made({ name: 'one' });
  const of = (id: string, variant: string) =>
    `GET ${base}/campaigns/${id}/recipients?variant=${variant}`;
  t.same(await api.must(of(tested, 'a')), { items: [], nextCursor: null, total: 0 });
  const known = { status: 400, code: 'invalid', field: 'variant' };
  const named = 'variant: unknown; the variants of this campaign are a, b';
  const none = 'variant: unknown; this campaign has no variants';
  await refuses(t, of(tested, 'zz'), undefined, { ...known, error: named });
  await refuses(t, `${of(tested, 'zz')}&format=csv`, undefined, { ...known, error: named });
  await refuses(t, of(plain, 'a'), undefined, { ...known, error: none });
  await api.must(`POST /v1/campaigns/${tested}/send`);
  t.match(await api.must(of(tested, 'b')), { items: [] });
  await refuses(t, of(tested, 'zz'), undefined, { ...known, error: named }, 'once it is sent');
  const journey = { name: 'steps', triggerEvent: 'x', steps };
  const { id } = await api.must(`POST ${base}/journeys`, journey);
  const people = `GET ${base}/journeys/${id}/people?step=`;
  t.same(await api.must(`${people}w`), { items: [], nextCursor: null });
  const words = 'step: unknown; the steps of this journey are w';
  for (const more of ['', '&format=csv'])
    await refuses(t, `${people}zz${more}`, undefined, { status: 400, field: 'step', error: words });
});

t.test('opt-outs are counted, also those of one channel', async (t) => {
  const { id } = await api.must('POST /v1/apps', { name: 'Opted out' });
  const list = `/v1/apps/${id}/suppressions`;
  const total = async (query = '') => (await api.must(`GET ${list}${query}`)).total;
  t.equal(await total(), 0);
  const add = (channel: string, address: string) => api.must(`POST ${list}`, { channel, address });
  for (const name of ['ada', 'ben', 'ben', 'cem']) await add('email', `${name}@example.com`);
  await add('sms', '+14155550177');
  t.equal(await total('?limit=1'), 4, 'each address once');
  t.equal(await total('?channel=email'), 3);
  t.equal(await total('?channel=email&address=ada@example.com'), 1);
  t.equal(await total('?channel=email&address=nobody@example.com'), 0);
  await api.must(`DELETE ${list}?channel=email&address=ben@example.com`);
  t.equal(await total(), 3);
});
