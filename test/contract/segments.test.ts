// Contract, section 4: segments over HTTP. Counts follow what was acknowledged, at once; faults
// point into the filter.

import t from 'tap';
import { channelIds } from '../../actors/channels/channel-ids.ts';
import { afterKill } from '../support/after-kill.ts';
import { chapter } from './chapter.ts';

const { api, base, app, takes, refuses, server } = await chapter(t);
const segments = `${base}/segments`;

async function person(externalUserId: string, tags: object, devices: object[] = []) {
  return api.must(`POST ${base}/subscribers`, { externalUserId, tags, devices });
}
const track = (name: string, externalUserId: string, daysAgo = 0) =>
  api.must('POST /e', {
    appId: app,
    events: [
      { name, externalUserId, at: new Date(Date.now() - daysAgo * 86_400_000).toISOString() },
    ],
  });
const count = async (filter: object) =>
  (await api.must(`POST ${segments}/preview`, { filter })).count as number;

const ada = await person('ada', { plan: 'pro', interests: ['tea', 'go'] }, [
  { channel: 'email', endpoint: 'ada@example.com' },
]);
await person('ben', { plan: 'free' }, [{ channel: 'sms', endpoint: '+14155550123' }]);
await person('eve', {});
for (const daysAgo of [1, 2, 40]) await track('order', 'ada', daysAgo);
await track('order', 'ben', 3);

t.test('a filter counts exactly what was acknowledged before', async (t) => {
  t.equal(await count({ tag: 'plan', eq: 'pro' }), 1);
  t.equal(await count({ tag: 'plan', ne: 'pro' }), 2);
  t.equal(await count({ tag: 'interests', in: ['go', 'chess'] }), 1);
  t.equal(await count({ tag: 'plan', exists: false }), 1);
  t.equal(await count({ event: 'order', withinDays: 30 }), 2);
  t.equal(await count({ event: 'order', withinDays: 30, atLeast: 2 }), 1);
  t.equal(await count({ event: 'order', withinDays: 90, atLeast: 3 }), 1);
  t.equal(await count({ event: 'order', withinDays: 90, atLeast: 4 }), 0);
  t.equal(await count({ event: 'order', notWithinDays: 2 }), 2);
  t.equal(await count({ activeWithinDays: 7 }), 2);
  t.equal(await count({ inactiveForDays: 1 }), 0, 'a fresh sign-up is not inactive');
  t.equal(await count({ channel: 'email' }), 1);
  t.equal(await count({ channel: 'email', exists: false }), 2);
  await track('order', 'eve');
  t.equal(await count({ event: 'order', withinDays: 1 }), 1);
  await api.must(`POST ${base}/suppressions`, { channel: 'whatsapp', address: '+14155550123' });
  t.equal(await count({ channel: 'sms' }), 0, 'the number has opted out on every phone channel');
  const preview = await api.must(`POST ${segments}/preview`, {
    filter: {
      any: [
        { tag: 'plan', eq: 'pro' },
        { tag: 'plan', eq: 'free' },
      ],
    },
    sample: 1,
  });
  t.match(preview, { count: 2, total: 3, sample: [{ id: ada.id, externalUserId: 'ada' }] });
  t.ok(preview.tookMs >= 0);
});

t.test('segments are kept, changed, counted, explained and deleted', async (t) => {
  const filter = {
    all: [
      { tag: 'plan', eq: 'pro' },
      { event: 'order', withinDays: 30, atLeast: 2 },
    ],
  };
  const made = await takes(t, `POST ${segments}`, { name: 'Buyers', filter }, 201);
  const { id } = made.json;
  t.match(made.json, { id: /^seg_/, name: 'Buyers', filter, createdAt: /Z$/ });
  t.same((await api.must(`GET ${segments}/${id}`)).filter, filter);
  t.match((await api.must(`GET ${segments}`)).items, [{ id }]);
  t.match(await api.must(`GET ${segments}/${id}/count`), { count: 1, total: 3 });
  t.match(await api.must(`GET ${segments}/${id}/explain?subscriberId=${ada.id}`), {
    matches: true,
    conditions: [
      { path: 'filter.all[0]', holds: true, value: 'pro' },
      { path: 'filter.all[1]', holds: true, count: 2, lastAt: /Z$/ },
    ],
  });
  t.match(await api.must(`GET ${segments}/${id}/explain?subscriberId=external:eve`), {
    matches: false,
    conditions: [
      { holds: false, value: null },
      { holds: false, count: 1 },
    ],
  });
  for (const nobody of ['nobody', 'external:nobody', `sub_${'0'.repeat(26)}`])
    await refuses(t, `GET ${segments}/${id}/explain?subscriberId=${nobody}`, undefined, {
      status: 404,
      field: 'subscriberId',
      error: 'subscriberId: subscriber not found',
    });
  const changed = await api.must(`PATCH ${segments}/${id}`, { filter: { channel: 'email' } });
  t.match(changed, { name: 'Buyers', filter: { channel: 'email' } });
  await takes(t, `DELETE ${segments}/${id}`, undefined, 204);
  await refuses(t, `GET ${segments}/${id}/count`, undefined, { status: 404, error: /segment/ });
});

t.test('a segment is there after a kill, and counts the same people', async () => {
  const { id: app } = await api.must('POST /v1/apps', { name: 'Killed' });
  const path = `/v1/apps/${app}`;
  for (const [externalUserId, plan] of [
    ['ada', 'pro'],
    ['ben', 'free'],
    ['eve', 'pro'],
  ])
    await api.must(`POST ${path}/subscribers`, { externalUserId, tags: { plan } });
  const at = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString();
  const events = [1, 2, 40].map((days) => ({
    name: 'order',
    externalUserId: 'ada',
    at: at(days),
  }));
  await api.must('POST /e', { appId: app, events });
  const filter = {
    all: [
      { tag: 'plan', eq: 'pro' },
      { event: 'order', withinDays: 30, atLeast: 2 },
    ],
  };
  const made = await api.must(`POST ${path}/segments`, { name: 'Buyers', filter });
  afterKill(server, 'a segment counts the same people', async (t) => {
    t.same(await api.must(`GET ${path}/segments/${made.id}`), made);
    t.match(await api.must(`GET ${path}/segments/${made.id}/count`), { count: 1, total: 3 });
  });
});

t.test('an explanation says what decided a channel and inactivity', async (t) => {
  const address = 'zoe@example.com';
  const zoe = await api.must(`POST ${base}/subscribers`, {
    externalUserId: 'zoe',
    devices: [
      { channel: 'email', endpoint: address },
      { channel: 'email', endpoint: 'old@example.com', enabled: false, disabledReason: 'bounced' },
      { channel: 'sms', endpoint: '+84912345678' },
    ],
  });
  const filter = { any: [{ channel: 'email' }, { channel: 'fcm' }, { inactiveForDays: 7 }] };
  const { id } = await api.must(`POST ${segments}`, { name: 'Why', filter });
  const explained = () => api.must(`GET ${segments}/${id}/explain?subscriberId=${zoe.id}`);
  const [first, second] = zoe.devices;
  const bounced = { id: second.id, enabled: false, disabledReason: 'bounced', optedOut: false };
  const never = { holds: false, lastAt: null, createdAt: zoe.createdAt };
  const reached = await explained();
  t.match(reached, {
    matches: true,
    conditions: [{ holds: true }, { holds: false, devices: [] }, never],
  });
  t.same(reached.conditions[0].devices, [
    { id: first.id, enabled: true, optedOut: false },
    bounced,
  ]);
  await api.must(`POST ${base}/suppressions`, { channel: 'email', address });
  const silent = await explained();
  t.match(silent, { matches: false, conditions: [{ holds: false }] });
  t.same(silent.conditions[0].devices, [{ id: first.id, enabled: true, optedOut: true }, bounced]);
  await takes(t, `DELETE ${segments}/${id}`, undefined, 204);
  await takes(t, `DELETE ${base}/subscribers/${zoe.id}`, undefined, 204);
});

t.test('what is wrong with a filter is said where it stands', async (t) => {
  const deep = { any: [{ channel: 'sms' }, { event: 'x', withinDays: 91 }] };
  await refuses(
    t,
    `POST ${segments}`,
    { name: 'x', filter: deep },
    {
      status: 400,
      field: 'filter.any[1].withinDays',
      error: /1 to 90/,
    },
  );
  await refuses(
    t,
    `POST ${segments}/preview`,
    { filter: { tag: 'a', eq: 1, event: 'x' } },
    {
      status: 400,
      field: 'filter',
      error: /mixes kinds/,
    },
  );
  await refuses(
    t,
    `POST ${segments}`,
    { filter: { channel: 'sms' } },
    { status: 400, field: 'name' },
  );
  await refuses(t, `POST ${segments}`, { name: 'x' }, { status: 400, field: 'filter' });
  await refuses(
    t,
    `POST ${segments}/preview`,
    { filter: { channel: 'sms' }, sample: 21 },
    { status: 400, field: 'sample' },
  );
});

t.test('events are kept as long as a saved window looks back', async (t) => {
  const filter = { event: 'order', notWithinDays: 60 };
  const { id } = await api.must(`POST ${segments}`, { name: 'Lapsed', filter });
  await refuses(
    t,
    `PATCH ${base}/settings`,
    { eventsRetentionDays: 30 },
    {
      status: 400,
      field: 'eventsRetentionDays',
      error: /"Lapsed" \(seg_\w{26}\) looks back 60 days/,
    },
  );
  await takes(t, `PATCH ${base}/settings`, { eventsRetentionDays: 60 }, 200);
  await refuses(
    t,
    `PATCH ${segments}/${id}`,
    { filter: { activeWithinDays: 61 } },
    {
      status: 400,
      field: 'filter.activeWithinDays',
      error: /longer than this app keeps events \(60 days\)/,
    },
  );
  await takes(t, `PATCH ${base}/settings`, { eventsRetentionDays: null }, 200);
});

t.test('people are listed and exported by segment, as it is when the page is made', async (t) => {
  const saved = await api.must(`POST ${segments}`, {
    name: 'ordered twice',
    filter: { event: 'order', withinDays: 90, atLeast: 2 },
  });
  const externalIds = (items: readonly { externalUserId: string }[]) =>
    items.map(({ externalUserId }) => externalUserId);
  const listed = `${base}/subscribers?order=oldest&segmentId=${saved.id}`;
  const first = await api.must(`GET ${listed}`);
  t.same([externalIds(first.items), first.nextCursor], [['ada'], null]);
  await track('order', 'eve', 2);
  await track('order', 'ben', 1);
  const page = await api.must(`GET ${listed}&limit=2`);
  t.same(externalIds(page.items), ['ada', 'ben']);
  const rest = await api.must(`GET ${listed}&limit=2&cursor=${page.nextCursor}`);
  t.same([externalIds(rest.items), rest.nextCursor], [['eve'], null]);
  t.same(externalIds((await api.must(`GET ${listed}&channel=email`)).items), ['ada']);
  t.same(externalIds((await api.must(`GET ${listed}&externalUserId=ben`)).items), ['ben']);
  t.same((await api.must(`GET ${listed}&externalUserId=nobody`)).items, []);

  const { text } = await api.call(
    `GET ${base}/subscribers/export?format=jsonl&segmentId=${saved.id}`,
  );
  const lines = text.trimEnd().split('\n');
  t.same(
    lines.map((line) => JSON.parse(line).externalUserId),
    ['ada', 'ben', 'eve'],
  );
  const read = await api.must(`GET ${base}/subscribers/${ada.id}`);
  const { etag: _etag, displayName: _name, ...shown } = read;
  const devices = read.devices.map(({ etag: _tag, ...device }: { etag: string }) => device);
  t.same(
    JSON.parse(lines[0] as string),
    { ...shown, devices },
    'as read, without versions and names',
  );
  const plain = await api.must(`POST ${segments}`, {
    name: 'pro',
    filter: { tag: 'plan', eq: 'pro' },
  });
  const csv = await api.call(`GET ${base}/subscribers/export?segmentId=${plain.id}`);
  t.equal(csv.text.trimEnd().split('\r\n').length, 2, 'a header and one member');
  await refuses(t, `GET ${base}/subscribers?segmentId=nothing`, undefined, {
    status: 400,
    field: 'segmentId',
  });
  await refuses(t, `GET ${base}/subscribers?segmentId=seg_00000000000000000000000000`, undefined, {
    status: 404,
    field: 'segmentId',
  });
});

t.test('a list by channel has who is reachable on it, as filters have', async (t) => {
  const gone = await person('gone', {}, [{ channel: 'email', endpoint: 'gone@example.com' }]);
  const listed = async () =>
    (await api.must(`GET ${base}/subscribers?channel=email`)).items.map(
      ({ id }: { id: string }) => id,
    );
  t.ok((await listed()).includes(gone.id));
  await api.must(`POST ${base}/suppressions`, { channel: 'email', address: 'gone@example.com' });
  t.notOk((await listed()).includes(gone.id));
  t.equal((await listed()).length, await count({ channel: 'email' }));
});

t.test('a cursor leads nowhere but in the list that gave it', async (t) => {
  const { nextCursor } = await api.must(`GET ${base}/subscribers?limit=1`);
  const wrong = { status: 400, field: 'cursor', error: /invalid cursor for this list/ };
  await refuses(t, `GET ${base}/events?cursor=${nextCursor}`, undefined, wrong);
  for (const cursor of ['zzz', '1', 'p1-1'])
    await refuses(t, `GET ${base}/subscribers?cursor=${cursor}`, undefined, wrong);
  await refuses(t, `GET ${base}/events?cursor=zzz`, undefined, wrong);
});

t.test('a preview tells each part of the filter, and who can be reached', async (t) => {
  const filter = {
    all: [
      { tag: 'plan', exists: true },
      {
        any: [
          { tag: 'plan', eq: 'pro' },
          { channel: 'sms', exists: false },
        ],
      },
      { channel: 'email' },
    ],
  };
  const plain = await takes(t, `POST ${segments}/preview`, { filter }, 200);
  t.same(Object.keys(plain.json), ['count', 'total', 'tookMs', 'sample'], 'as before');
  const { json } = await takes(
    t,
    `POST ${segments}/preview`,
    { filter, parts: true, reach: true },
    200,
  );
  t.same(json.parts, [
    { path: 'filter', count: 1, left: null },
    { path: 'filter.all[0]', count: 2, left: 2 },
    { path: 'filter.all[1]', count: json.total, left: 2 },
    { path: 'filter.all[1].any[0]', count: 1, left: null },
    { path: 'filter.all[1].any[1]', count: json.total, left: null },
    { path: 'filter.all[2]', count: 1, left: 1 },
  ]);
  t.equal(json.reach.length, channelIds.length);
  t.same(
    json.reach.filter((one: { reachable: number }) => one.reachable > 0),
    [{ channel: 'email', reachable: 1 }],
  );
  await refuses(
    t,
    `POST ${segments}/preview`,
    { filter, parts: 'yes' },
    {
      status: 400,
      field: 'parts',
    },
  );
});
