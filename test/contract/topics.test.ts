// Topics and people's choices over HTTP: the resource, every way a choice is made, what a client
// may and may not choose, and that campaigns and journeys reach only people who are in their topic.

import t from 'tap';
import { afterKill } from '../support/after-kill.ts';
import { client, eventually } from '../support/server.ts';
import { chapter } from './chapter.ts';

const all = await chapter(t);
const { api, app, base, takes, refuses, server } = all;
const topics = `${base}/topics`;
const of = (who: string) => `${base}/subscribers/external:${who}`;
const choices = async (who: string) => (await api.must(`GET ${of(who)}/preferences`)).topics;
const tagsOf = async (who: string) => (await api.must(`GET ${of(who)}`)).tags;

// A client may log in as anybody: how it proves who it is, is another chapter's.
await api.must(`PATCH ${base}/settings`, { identityVerification: 'open' });
await api.must(`POST ${topics}`, { key: 'offers', name: 'Offers', default: 'in' });
await api.must(`POST ${topics}`, { key: 'news', name: 'News', doubleOptIn: true });

async function person(externalUserId: string, more: object = {}) {
  const endpoint = `${externalUserId}@example.com`;
  const devices = [{ channel: 'email', endpoint }];
  return api.must(`POST ${base}/subscribers`, { externalUserId, devices, ...more });
}

/** A page without a key that is logged in as somebody. */
async function page(externalUserId: string) {
  const web = client(server.url, '');
  const login = { appId: app, externalUserId };
  const { clientToken } = await web.must('POST /v1/sdk/subscriber', login);
  return {
    tags: (tags: object) => web.call('POST /v1/sdk/tags', { appId: app, clientToken, tags }),
    set: (change: object) =>
      web.call('PUT /v1/sdk/preferences', { appId: app, clientToken, ...change }),
    read: () => client(server.url, clientToken).call(`GET /v1/sdk/preferences?appId=${app}`),
  };
}

t.test('a topic is created, read, listed, changed and deleted', async (t) => {
  const body = { key: 'tips_1', name: 'Tips', description: 'Once a week.' };
  const { json } = await takes(t, `POST ${topics}`, body, 201);
  const none = { in: 0, out: 0, pending: 0 };
  t.match(json, { ...body, default: 'out', doubleOptIn: false, people: none, etag: String });
  t.same(await api.must(`GET ${topics}/tips_1`), json);
  t.match((await api.must(`GET ${topics}?order=oldest`)).items, [
    { key: 'offers' },
    { key: 'news' },
    { key: 'tips_1' },
  ]);
  const first = await api.must(`GET ${topics}?order=oldest&limit=2`);
  t.match(first, { nextCursor: 'news', total: 3 });
  const rest = await api.must(`GET ${topics}?order=oldest&limit=2&cursor=news`);
  t.match(rest, { items: [{ key: 'tips_1' }], nextCursor: null });
  t.match((await api.must(`GET ${topics}?q=TIP`)).items, [{ key: 'tips_1' }]);
  const changed = await api.must(`PATCH ${topics}/tips_1`, { name: 'Hints', description: null });
  t.match(changed, { key: 'tips_1', name: 'Hints', description: null, default: 'out' });
  t.not(changed.etag, json.etag);
  await takes(t, `DELETE ${topics}/tips_1`, undefined, 204);
  const gone = { status: 404, error: 'topic not found' };
  await refuses(t, `GET ${topics}/tips_1`, undefined, gone);
  await refuses(t, `DELETE ${topics}/tips_1`, undefined, gone);
  const notes = (await api.must('GET /v1/org/audit-log?limit=20')).items;
  const about = notes.filter(({ target }: { target: string }) => target === 'tips_1');
  t.match(about, [
    { action: 'topic.deleted', before: { name: 'Hints' } },
    { action: 'topic.changed', before: { name: 'Tips' }, after: { name: 'Hints' } },
    { action: 'topic.created', after: { name: 'Tips', default: 'out' } },
  ]);
});

t.test('what is wrong with a topic is said by the name of its member', async (t) => {
  for (const [body, field] of [
    [{ name: 'N' }, 'key'],
    [{ key: 'a b', name: 'N' }, 'key'],
    [{ key: 'a.b', name: 'N' }, 'key'],
    [{ key: '__proto__', name: 'N' }, 'key'],
    [{ key: 'x'.repeat(65), name: 'N' }, 'key'],
    [{ key: 'k' }, 'name'],
    [{ key: 'k', name: '' }, 'name'],
    [{ key: 'k', name: 'N', description: 'x'.repeat(501) }, 'description'],
    [{ key: 'k', name: 'N', default: 'pending' }, 'default'],
    [{ key: 'k', name: 'N', doubleOptIn: 'yes' }, 'doubleOptIn'],
    [{ key: 'k', name: 'N', default: 'in', doubleOptIn: true }, 'default'],
  ] as const)
    await refuses(t, `POST ${topics}`, body, { status: 400, field });
  await refuses(t, `POST ${topics}`, { key: 'news', name: 'N' }, { status: 409, field: 'key' });
  const confirmed = { doubleOptIn: true };
  await refuses(t, `PATCH ${topics}/offers`, confirmed, { status: 400, field: 'doubleOptIn' });
  await refuses(t, `PATCH ${topics}/news`, { default: 'in' }, { status: 400, field: 'default' });
  await refuses(t, `PATCH ${topics}/news`, { key: 'novelties' }, { status: 400, field: 'key' });
});

t.test('a change that has not seen the newest version is refused', async (t) => {
  await api.must(`POST ${topics}`, { key: 'edited', name: 'One' });
  const { etag } = await api.must(`GET ${topics}/edited`);
  await api.must(`PATCH ${topics}/edited`, { name: 'Two' });
  const late = client(server.url, all.org.key, { 'if-match': `"${etag}"` });
  t.equal((await late.call(`PATCH ${topics}/edited`, { name: 'Three' })).status, 412);
  t.equal((await late.call(`DELETE ${topics}/edited`)).status, 412);
  t.equal((await api.must(`GET ${topics}/edited`)).name, 'Two');
  await api.must(`DELETE ${topics}/edited`);
});

t.test('choices are set as preferences, topics or tags, and read everywhere as tags', async (t) => {
  await person('ada');
  t.same(await choices('ada'), { offers: 'in', news: 'out' }, 'the defaults');
  const set = await api.must(`PUT ${of('ada')}/preferences`, {
    topics: { offers: 'out', news: 'in' },
    channels: ['email'],
    language: 'vi',
    timezone: 'Asia/Ho_Chi_Minh',
  });
  t.same(set, {
    channels: ['email'],
    topics: { offers: 'out', news: 'in' },
    language: 'vi',
    timezone: 'Asia/Ho_Chi_Minh',
    suppressed: [],
  });
  const { suppressed, ...whole } = set;
  t.same(await api.must(`PUT ${of('ada')}/preferences`, whole), set, 'what was read goes back');
  t.same(suppressed, []);
  t.match(await api.must(`GET ${of('ada')}`), {
    tags: { 'topic.offers': 'out', 'topic.news': 'in', language: 'vi' },
    preferredChannels: ['email'],
  });
  const filter = { tag: 'topic.news', eq: 'in' };
  t.equal((await api.must(`POST ${base}/segments/preview`, { filter })).count, 1);
  await api.must(`PATCH ${of('ada')}`, { tags: { 'topic.news': 'out' } });
  t.equal((await api.must(`POST ${base}/segments/preview`, { filter })).count, 0);
  await api.must(`PATCH ${of('ada')}`, { topics: { news: 'in', offers: null } });
  t.same(await choices('ada'), { offers: 'in', news: 'in' });
  t.notOk('topic.offers' in (await tagsOf('ada')));
  await api.must(`PUT ${of('ada')}/preferences`, { topics: { offers: 'out' } });
  t.match(await api.must(`GET ${topics}/offers`), { people: { in: 0, out: 1, pending: 0 } });
  const events = await api.must(`GET ${base}/events?subscriberId=external:ada&limit=20`);
  const named = events.items.filter(({ name }: { name: string }) => name === 'preferences_changed');
  t.match(named[0].props, { topics: { offers: { from: null, to: 'out' } }, source: 'api' });
  t.match(named.at(-1).props, {
    topics: { offers: { from: null, to: 'out' }, news: { from: null, to: 'in' } },
    channels: { from: null, to: ['email'] },
    language: { from: null, to: 'vi' },
    timezone: { from: null, to: 'Asia/Ho_Chi_Minh' },
    source: 'api',
  });
  t.equal(named.length, 4, 'none for the call that changed nothing');
});

t.test('a wrong choice is named, and nothing of its call is stored', async (t) => {
  await person('ben');
  const path = of('ben');
  for (const [line, body, field, error] of [
    [`PUT ${path}/preferences`, { topics: { nws: 'in' } }, 'topics.nws', /did you mean "news"/],
    [`PUT ${path}/preferences`, { topics: { news: 'yes' } }, 'topics.news', /in/],
    [`PUT ${path}/preferences`, { topics: { news: 'pending' } }, 'topics.news', /confirm/],
    [`PUT ${path}/preferences`, { channels: [] }, 'channels', /at least one/],
    [`PUT ${path}/preferences`, { language: 'english!' }, 'language', /language/],
    [`PUT ${path}/preferences`, { timezone: 'Mars' }, 'timezone', /zone/],
    [`PATCH ${path}`, { tags: { plan: 'pro', 'topic.nws': 'in' } }, 'tags.topic.nws', /no topic/],
    [`PATCH ${path}`, { tags: { 'topic.news': true } }, 'tags.topic.news', /"in", "out"/],
    [`PATCH ${path}`, { tags: { 'topic.news': 'pending' } }, 'tags.topic.news', /confirm/],
    [`PATCH ${path}`, { topics: { weather: 'in' } }, 'topics.weather', /no topic/],
    [
      `PATCH ${path}`,
      { topics: { news: 'in' }, tags: { 'topic.news': 'in' } },
      'topics.news',
      /give one/,
    ],
  ] as const)
    await refuses(t, line, body, { status: 400, field, error });
  const bulk = { ids: ['external:ben'], tags: { 'topic.nws': 'in' } };
  await refuses(t, `POST ${base}/subscribers/bulk`, bulk, { status: 400, field: 'tags.topic.nws' });
  t.same(await tagsOf('ben'), {});
});

t.test('rows of an import make choices; a wrong one costs its own row', async (t) => {
  const rows = [
    { externalUserId: 'imp-0', topics: { news: 'in' } },
    { externalUserId: 'imp-1', tags: { 'topic.offers': 'out', plan: 'pro' } },
    { externalUserId: 'imp-2', topics: { weather: 'in' } },
    { externalUserId: 'imp-3', topics: { news: 'pending' } },
    ...Array.from({ length: 20 }, (_, i) => ({
      externalUserId: `imp-many-${i}`,
      tags: { plan: 'free', 'topic.offers': i % 2 === 0 ? 'out' : 'in' },
    })),
    ...Array.from({ length: 20 }, (_, i) => ({
      externalUserId: `imp-plain-${i}`,
      tags: { plan: 'free' },
    })),
  ];
  const reply = await api.must('POST /v1/import/subscribers', { appId: app, rows });
  t.match(reply, { created: 42, failed: 2 });
  t.match(reply.errors, [
    { row: 2, error: /^topics\.weather: the app has no topic "weather"/ },
    { row: 3, error: /^topics\.news: / },
  ]);
  t.same(await choices('imp-0'), { offers: 'in', news: 'in' });
  t.same(await choices('imp-1'), { offers: 'out', news: 'out' });
  const filter = { tag: 'topic.offers', eq: 'out' };
  t.equal((await api.must(`POST ${base}/segments/preview`, { filter })).count, 12);
  const again = await api.must('POST /v1/import/subscribers', {
    appId: app,
    rows: rows.slice(4).map((row) => ({ ...row, tags: { ...row.tags, 'topic.offers': 'out' } })),
  });
  t.match(again, { updated: 40, failed: 0 });
  t.equal((await api.must(`POST ${base}/segments/preview`, { filter })).count, 42);
  const { items } = await api.must(`GET ${base}/events?subscriberId=external:imp-0&limit=5`);
  t.match(items, [{ name: 'preferences_changed', props: { source: 'import' } }]);
});

t.test('a client asks, and only a confirmation makes it count', async (t) => {
  await person('cleo');
  const web = await page('cleo');
  t.equal((await web.set({ topics: { news: 'in', offers: 'out' } })).status, 200);
  t.same(await choices('cleo'), { offers: 'out', news: 'pending' });
  t.match((await web.read()).json, { topics: { offers: 'out', news: 'pending' } });
  t.equal((await web.tags({ 'topic.news': 'in' })).status, 204);
  t.same(await choices('cleo'), { offers: 'out', news: 'pending' }, 'asking twice is no answer');
  t.match((await web.tags({ 'topic.news': 'pending' })).json, { field: 'tags.topic.news' });
  t.match((await web.tags({ 'topic.nws': 'in' })).json, { field: 'tags.topic.nws' });
  await api.must(`PUT ${of('cleo')}/preferences`, { topics: { news: 'in' } });
  t.equal((await web.set({ topics: { news: 'in' } })).json.topics.news, 'in', 'still confirmed');
  t.equal((await web.set({ topics: { news: 'out' } })).json.topics.news, 'out');
  t.equal((await web.set({ topics: { news: 'in' } })).json.topics.news, 'pending');
  const stranger = client(server.url, '');
  const forged = { appId: app, clientToken: 'forged', topics: { news: 'out' } };
  t.equal((await stranger.call('PUT /v1/sdk/preferences', forged)).status, 401);
  t.equal((await stranger.call(`GET /v1/sdk/preferences?appId=${app}`)).status, 401);
});

t.test('of two people who become one, out wins over in, and in over pending', async (t) => {
  await person('dana', { topics: { offers: 'out' } });
  const web = client(server.url, '');
  const anonymous = await web.must('POST /v1/sdk/subscriber', { appId: app });
  const { clientToken } = anonymous;
  const change = { topics: { offers: 'in', news: 'in' } };
  await web.must('PUT /v1/sdk/preferences', { appId: app, clientToken, ...change });
  const login = { appId: app, clientToken, externalUserId: 'dana' };
  await web.must('POST /v1/sdk/subscriber', login);
  t.same(await choices('dana'), { offers: 'out', news: 'pending' });
});

t.test('campaigns and journeys reach only people who are in their topic', async (t) => {
  const { id: appId } = await api.must('POST /v1/apps', { name: 'Gated' });
  const here = `/v1/apps/${appId}`;
  await api.must(`POST ${here}/topics`, { key: 'in', name: 'By default', default: 'in' });
  await api.must(`POST ${here}/topics`, { key: 'out', name: 'By choice' });
  for (const [externalUserId, topics] of [
    ['nobody', {}],
    ['yes', { in: 'in', out: 'in' }],
    ['no', { in: 'out', out: 'out' }],
  ] as const) {
    const devices = [{ channel: 'email', endpoint: `${externalUserId}@example.org` }];
    await api.must(`POST ${here}/subscribers`, { externalUserId, devices, topics });
  }
  const { id: messageId } = await api.must(`POST ${here}/messages`, { title: 'T', body: 'B' });
  await refuses(
    t,
    `POST ${here}/campaigns`,
    { messageId, topic: 'weather' },
    {
      status: 404,
      field: 'topic',
      error: /topic not found: weather/,
    },
  );
  for (const [topic, reached] of [
    ['in', 2],
    ['out', 1],
  ] as const) {
    const made = await api.must(`POST ${here}/campaigns`, { messageId, topic });
    t.equal(made.topic, topic);
    const copy = await api.must(`POST ${here}/campaigns/${made.id}/duplicate`, {});
    t.equal(copy.topic, topic);
    await api.must(`DELETE ${here}/campaigns/${copy.id}`);
    const inUse = await refuses(t, `DELETE ${here}/topics/${topic}`, undefined, { status: 409 });
    t.match(inUse.json.error, made.id);
    const wouldSuppress = { topic_opt_out: 3 - reached };
    const dry = await api.must(`POST ${here}/campaigns/${made.id}/dry-run`);
    t.match(dry, { wouldSend: reached, wouldSuppress });
    await api.must(`POST ${here}/campaigns/${made.id}/send`);
    const stats = await eventually(
      async () => {
        const read = await api.must(`GET ${here}/campaigns/${made.id}/stats`);
        return read.state === 'completed' ? read : undefined;
      },
      () => 'not completed',
    );
    t.match(stats, { sent: reached, suppressed: 3 - reached, suppressedBy: wouldSuppress });
  }
  const step = { id: 'hello', type: 'send', message: { title: 'T', body: 'B' } };
  const journey = (topic: unknown) => ({
    name: 'J',
    triggerEvent: 'signup',
    steps: [{ ...step, topic }],
  });
  for (const [topic, status] of [
    ['weather', 404],
    [7, 400],
  ] as const) {
    const wrong = await api.call(`POST ${here}/journeys`, journey(topic));
    t.match(wrong, { status, json: { field: 'steps[0].topic' } });
  }
  const made = await api.must(`POST ${here}/journeys`, journey('out'));
  t.equal(made.steps[0].topic, 'out');
  const named = await refuses(t, `DELETE ${here}/topics/out`, undefined, { status: 409 });
  t.match(named.json.error, made.id);
  const walk = await api.must(`POST ${here}/journeys/${made.id}/simulate`, {
    subscriberId: 'external:nobody',
  });
  t.match(JSON.stringify(walk), /topic_opt_out/);
  await api.must(`PATCH ${here}/journeys/${made.id}`, { active: true });
  for (const externalUserId of ['nobody', 'yes', 'no'])
    await client(server.url, all.org.key).must('POST /e', {
      appId,
      events: [{ name: 'signup', externalUserId }],
    });
  const stats = await eventually(
    async () => {
      const read = await api.must(`GET ${here}/journeys/${made.id}/stats`);
      return read.bySteps.hello.delivered === 1 ? read : undefined;
    },
    () => 'not delivered',
  );
  t.match(stats.bySteps.hello, { sent: 1, suppressed: 2, suppressedBy: { topic_opt_out: 2 } });
  await api.must(`PATCH ${here}/journeys/${made.id}`, { active: false });
  await api.must(`DELETE ${here}/journeys/${made.id}`);
  await takes(t, `DELETE ${here}/topics/out`, undefined, 204, 'finished campaigns keep no topic');
});

t.test('topics and choices are there after a kill', async () => {
  const { id } = await api.must('POST /v1/apps', { name: 'Killed topics' });
  const topic = { key: 'kept', name: 'Kept', description: 'D', doubleOptIn: true };
  const kept = await api.must(`POST /v1/apps/${id}/topics`, topic);
  await api.must(`POST /v1/apps/${id}/subscribers`, {
    externalUserId: 'kay',
    topics: { kept: 'out' },
  });
  afterKill(server, 'a topic is as it was sent, and who left it', async (t) => {
    const people = { in: 0, out: 1, pending: 0 };
    t.same((await api.must(`GET /v1/apps/${id}/topics`)).items, [{ ...kept, people }]);
    const read = await api.must(`GET /v1/apps/${id}/subscribers/external:kay/preferences`);
    t.same(read.topics, { kept: 'out' });
  });
});
