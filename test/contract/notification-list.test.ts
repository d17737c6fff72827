// The list of transactional sends over HTTP: newest first, single sends and batches in one order,
// narrowed by what a screen asks for.

import t from 'tap';
import { eventually } from '../support/server.ts';
import { chapter } from './chapter.ts';

const { api, base, refuses } = await chapter(t);
const list = `GET ${base}/notifications`;
type Item = Record<string, string | string[] | null>;
const ids = (items: readonly Item[]) => items.map(({ id }) => id as string);

for (const name of ['ada', 'ben', 'eve'])
  await api.must(`POST ${base}/subscribers`, {
    externalUserId: name,
    devices: name === 'eve' ? [] : [{ channel: 'fcm', endpoint: `token-of-${name}` }],
  });
const template = await api.must(`POST ${base}/message-templates`, {
  name: 'shipped',
  title: 'Shipped',
  body: 'Your order',
});
const sent: string[] = [];
const send = async (body: object) => {
  const { id } = await api.must(`POST ${base}/notifications`, body);
  sent.unshift(id);
  return id as string;
};
const byTemplate = await send({ externalUserId: 'ada', templateName: 'shipped' });
const plain = await send({ externalUserId: 'ben', title: 'Hi', body: 'x' });
const nobody = await send({ externalUserId: 'eve', title: 'Hi', body: 'x' });
const { results } = await api.must(`POST ${base}/notifications/batch`, {
  recipients: ['ada', 'ben', 'eve'].map((externalUserId) => ({ externalUserId })),
  templateId: template.id,
});
const batch: string[] = results.map(({ id }: { id: string }) => id);
await eventually(async () => {
  const { items } = await api.must(`${list}?status=delivered`);
  return items.length === 4 || undefined;
}, 'the sends do not end');

t.test('sends are listed newest first, page by page', async (t) => {
  const { items, nextCursor } = await api.must(list);
  t.equal(nextCursor, null);
  const all = ids(items);
  t.same(all, [...all].sort().reverse(), 'ids sort by time');
  t.same(new Set(all), new Set([...sent, ...batch]));
  t.match(
    items.find(({ id }: Item) => id === byTemplate),
    {
      status: 'delivered',
      outcomes: [{ channel: 'fcm', status: 'delivered' }],
      acceptedAt: /Z$/,
      subscriberId: /^sub_/,
      externalUserId: 'ada',
      channels: ['fcm'],
      title: 'Shipped',
      templateId: template.id,
    },
  );
  for (const order of ['newest', 'oldest']) {
    const pages: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const more = cursor === '' ? '' : `&cursor=${cursor}`;
      const page = await api.must(`${list}?limit=2&order=${order}${more}`);
      pages.push(...ids(page.items));
      cursor = page.nextCursor;
    }
    t.same(pages, order === 'newest' ? all : [...all].reverse(), order);
  }
});

t.test('a filter keeps what it names', async (t) => {
  const found = async (query: string) => ids((await api.must(`${list}?${query}`)).items).sort();
  const [ofAda = '', ofBen = '', ofEve = ''] = batch;
  t.same(await found('status=suppressed'), [nobody, ofEve].sort());
  t.same(await found('template=shipped'), [byTemplate, ...batch].sort());
  t.same(
    await found(`template=${template.id}&status=delivered`),
    [byTemplate, ofAda, ofBen].sort(),
  );
  t.same(await found('channel=fcm'), [byTemplate, plain, ofAda, ofBen].sort());
  t.same(await found('channel=email'), []);
  t.same(await found('template=unknown'), []);
  t.same(await found('from=2099-01-01T00:00:00Z'), []);
  t.same(await found('to=2001-01-01T00:00:00Z'), []);
  t.equal((await found('from=2001-01-01T00:00:00Z&to=2099-01-01T00:00:00Z')).length, 6);
});

t.test('of an erased person nothing is shown that names them', async (t) => {
  const story = async () => (await api.must(`GET ${base}/notifications/${plain}?story=true`)).story;
  t.ok((await story()).some((entry: object) => 'deviceId' in entry));
  await api.must(`DELETE ${base}/subscribers/external:ben`);
  const { items } = await api.must(list);
  const one = items.find(({ id }: Item) => id === plain);
  t.match(one, { subscriberId: null, externalUserId: null, title: null, status: 'delivered' });
  const read = await api.must(`GET ${base}/notifications/${plain}`);
  t.match([one.outcomes, read.outcomes], [[{ deviceId: null }], [{ deviceId: null }]]);
  const told = await story();
  t.ok(told.length > 0);
  t.notOk(told.some((entry: object) => 'deviceId' in entry));
});

t.test('what is wrong with a question is said by the name of its parameter', async (t) => {
  for (const [query, field] of [
    ['status=lost', 'status'],
    ['channel=pigeon', 'channel'],
    ['from=yesterday', 'from'],
    ['cursor=x', 'cursor'],
    ['order=oldest&cursor=~x', 'cursor'],
  ] as const)
    await refuses(t, `${list}?${query}`, undefined, { status: 400, field });
});
