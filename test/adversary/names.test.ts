// Using up what an app has of names: each event and tag name is a column of memory, so their number
// is bounded, and a stranger must not take them all.

import t from 'tap';
import { limits } from '../../actors/limits.ts';
import { afterKill } from '../support/after-kill.ts';
import { eventsOf, stranger, victim } from './stranger.ts';

const all = await victim(t);
const { api, app, base, server } = all;

const named = (prefix: string, count: number) =>
  eventsOf(
    all,
    Array.from({ length: count }, (_, i) => ({ name: `${prefix}${i}`, externalUserId: 'shared' })),
  );
const tagsNamed = (prefix: string, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}${i}`, true]));
const track = (address: number, name: string) =>
  stranger(all, address).must('POST /e', eventsOf(all, [{ name, externalUserId: 'shared' }]));
const login = (address: number, body: object = {}) =>
  stranger(all, address).must('POST /v1/sdk/subscriber', { appId: app, ...body });
async function namesOf(kind: 'event' | 'tag'): Promise<Map<string, { usedBy: string | null }>> {
  const found = new Map();
  for (let cursor = ''; ; ) {
    const page = await api.must(`GET ${base}/${kind}-names?limit=200${cursor}`);
    for (const item of page.items) found.set(item.name, item);
    if (page.nextCursor === null) return found;
    cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`;
  }
}

t.test('one request cannot take the event names of an app', async (t) => {
  const thief = stranger(all, 1);
  const { accepted, errors } = await thief.must('POST /e', named('mine', 1_000));
  t.equal(accepted, limits.keylessNamesPerHour);
  t.match(errors[0].error, /^name: at most 100 new names per hour from one address/);
  t.equal((await thief.must('POST /e', named('more', 10))).accepted, 0, 'nor the next one');
  t.equal((await thief.must('POST /e', named('mine', 50))).accepted, 50, 'known names pass');
  t.match(await track(2, 'real'), { accepted: 1 });
});

t.test('many addresses cannot: the names of strangers make room for each other', async (t) => {
  const filter = { event: 'filtered', withinDays: 7 };
  await track(2, 'filtered');
  await track(2, 'keyed');
  await api.must('POST /e', eventsOf(all, [{ name: 'keyed', externalUserId: 'shared' }]));
  const { id } = await api.must(`POST ${base}/segments`, { name: 'Filtered', filter });
  for (let address = 10; address < 24; address++) {
    const { accepted } = await stranger(all, address).must('POST /e', named(`a${address}-`, 100));
    t.equal(accepted, 100);
    await track(2, 'often');
  }
  t.match(await track(3, 'new'), { accepted: 1 });
  const names = await namesOf('event');
  t.ok(names.size <= limits.namesKeylessMax + 10, `${names.size} names`);
  for (const name of ['filtered', 'keyed', 'often', 'new']) t.ok(names.has(name), name);
  t.match(names.get('filtered'), { vouched: true, usedBy: /the segment "Filtered"/ });
  t.match(names.get('keyed'), { vouched: true, usedBy: null });
  t.match(names.get('often'), { vouched: false });
  t.notOk(names.has('mine0'), 'the oldest made room');
  t.equal((await api.must(`GET ${base}/segments/${id}/count`)).count, 1);
});

t.test('the tenant drops a name, unless a filter needs it', async (t) => {
  const drop = (name: string) => api.call(`DELETE ${base}/event-names/${name}`);
  t.equal((await drop('often')).status, 204);
  t.equal((await drop('often')).status, 404);
  t.match(await drop('filtered'), { status: 409, json: { error: /the segment "Filtered"/ } });
  t.notOk((await namesOf('event')).has('often'));
  const { items } = await api.must(`GET ${base}/events?name=often`);
  t.ok(items.length > 0, 'its events stay');
});

t.test('two requests cannot take the tags of an app, and logins keep their language', async (t) => {
  const { clientToken } = await login(30);
  const tag = (address: number, tags: object, token = clientToken) =>
    stranger(all, address).call('POST /v1/sdk/tags', { appId: app, clientToken: token, tags });
  t.match(await tag(30, tagsNamed('big', 1_000)), { status: 429, json: { code: 'rate_limited' } });
  for (let address = 40; address < 50; address++)
    t.equal((await tag(address, tagsNamed(`t${address}-`, 100))).status, 204);
  t.match(await tag(60, { another: true }), { status: 400, json: { field: 'tags.another' } });
  t.ok((await login(61, { language: 'th', timezone: 'Asia/Bangkok' })).subscriberId);
  const own = { externalUserId: 'ada', tags: { plan: 'pro' } };
  t.equal((await api.call(`POST ${base}/subscribers`, own)).status, 201, 'the tenant');
  const { clientToken: other } = await login(62);
  t.equal((await tag(62, { plan: 'free' }, other)).status, 204, 'names of keys do not count');

  await t.test('the tenant drops a tag from everybody, and there is room again', async (t) => {
    await api.must(`POST ${base}/segments`, { name: 'Plan', filter: { tag: 'plan', eq: 'pro' } });
    t.match(await api.call(`DELETE ${base}/tag-names/plan`), { status: 409 });
    t.match((await namesOf('tag')).get('t40-7'), { vouched: false, usedBy: null });
    t.equal((await api.call(`DELETE ${base}/tag-names/t40-7`)).status, 204);
    t.notOk((await namesOf('tag')).has('t40-7'));
    const { subscriberId } = await login(30, { clientToken });
    const { tags } = await api.must(`GET ${base}/subscribers/${subscriberId}`);
    t.equal(tags['t40-7'], undefined);
    t.equal(tags['t40-8'], true);
    t.equal((await tag(60, { another: true })).status, 204);
  });
});

t.test('a kill changes none of it', async (t) => {
  const names = async () => ({ events: await namesOf('event'), tags: await namesOf('tag') });
  const before = await names();
  t.ok(before.events.size > 0 && before.tags.size > 0);
  afterKill(server, 'names are those of before', async (t) => t.same(await names(), before));
});
