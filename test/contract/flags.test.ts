// Contract, section 9: feature flags over HTTP.

import t from 'tap';
import { afterKill } from '../support/after-kill.ts';
import { chapter, withKey } from './chapter.ts';

const whole = await chapter(t);
const { api, base, app, takes, refuses, server } = whole;
const flags = `${base}/flags`;

const { id: ada } = await api.must(`POST ${base}/subscribers`, {
  externalUserId: 'ada',
  tags: { plan: 'pro' },
});
const { id: ben } = await api.must(`POST ${base}/subscribers`, { externalUserId: 'ben' });

const variants = [
  { key: 'control', weight: 1 },
  { key: 'red', weight: 3 },
];

t.test('a flag is there after a kill', async () => {
  const { id } = await api.must('POST /v1/apps', { name: 'Killed' });
  const flags = `/v1/apps/${id}/flags`;
  const filter = { tag: 'plan', eq: 'pro' };
  const flag = await api.must(`POST ${flags}`, { key: 'kept', enabled: true, filter, variants });
  afterKill(server, 'a flag is as it was sent', async (t) =>
    t.same((await api.must(`GET ${flags}`)).items, [flag]),
  );
});

t.test('a flag is kept, read by key and by id, changed and deleted', async (t) => {
  const filter = { tag: 'plan', eq: 'pro' };
  const body = { key: 'new.Check-out_2', enabled: true, filter, rolloutPercent: 12.5, variants };
  const { json } = await takes(t, `POST ${flags}`, body, 201);
  t.match(json, { id: /^flg_/, ...body, createdAt: /Z$/, updatedAt: /Z$/ });
  t.same(await api.must(`GET ${flags}/${body.key}`), json);
  t.same(await api.must(`GET ${flags}/${json.id}`), json);
  t.match((await api.must(`GET ${flags}`)).items, [json]);
  t.match(await api.must(`PATCH ${flags}/${body.key}`, { rolloutPercent: 50, key: body.key }), {
    enabled: true,
    filter,
    rolloutPercent: 50,
    variants,
  });
  t.match(await api.must(`PATCH ${flags}/${json.id}`, { filter: null, variants: null }), {
    filter: null,
    variants: null,
    rolloutPercent: 50,
  });
  const plain = await api.must(`POST ${flags}`, { key: 'plain' });
  t.match(plain, { enabled: false, filter: null, rolloutPercent: 100, variants: null });
  t.match((await api.must(`GET ${flags}?order=oldest&limit=1`)).nextCursor, json.id);
  t.match((await api.must(`GET ${flags}?order=oldest&limit=1&cursor=${json.id}`)).items, [
    { key: 'plain' },
  ]);
  await takes(t, `DELETE ${flags}/${body.key}`, undefined, 204);
  await takes(t, `DELETE ${flags}/${plain.id}`, undefined, 204);
  for (const line of [`GET ${flags}/plain`, `DELETE ${flags}/plain`, `GET ${flags}/${plain.id}`])
    await refuses(t, line, undefined, { status: 404, error: 'flag not found' });
});

t.test('what is wrong with a flag is said by the name of its member', async (t) => {
  const one = { key: 'a', weight: 1 };
  const wrong: readonly (readonly [body: object, field: string])[] = [
    [{}, 'key'],
    [{ key: '' }, 'key'],
    [{ key: 'a b' }, 'key'],
    [{ key: 'x'.repeat(101) }, 'key'],
    [{ key: '__proto__' }, 'key'],
    [{ key: `flg_${'0'.repeat(26)}` }, 'key'],
    [{ key: 'k', enabled: 'yes' }, 'enabled'],
    [{ key: 'k', rolloutPercent: 101 }, 'rolloutPercent'],
    [{ key: 'k', rolloutPercent: -1 }, 'rolloutPercent'],
    [{ key: 'k', variants: [] }, 'variants'],
    [{ key: 'k', variants: [{ key: 'a', weight: 0 }] }, 'variants'],
    [{ key: 'k', variants: [{ key: 'a', weight: -1 }] }, 'variants[0].weight'],
    [{ key: 'k', variants: [{ key: 'a/b', weight: 1 }] }, 'variants[0].key'],
    [{ key: 'k', variants: [one, one] }, 'variants[1].key'],
    [
      { key: 'k', filter: { any: [{ channel: 'sms' }, { event: 'x', withinDays: 0 }] } },
      'filter.any[1].withinDays',
    ],
    [{ key: 'k', filter: { tag: 'a', eq: 1, event: 'x' } }, 'filter'],
  ];
  for (const [body, field] of wrong)
    await refuses(t, `POST ${flags}`, body, { status: 400, field }, JSON.stringify(body));
  t.same((await api.must(`GET ${flags}`)).items, [], 'nothing half-done');
  await takes(t, `POST ${flags}`, { key: 'k' }, 201);
  await refuses(
    t,
    `POST ${flags}`,
    { key: 'k', enabled: true },
    { status: 409, code: 'duplicate', field: 'key', error: /already has a flag "k"/ },
  );
  await refuses(t, `PATCH ${flags}/k`, { key: 'other' }, { status: 400, field: 'key' });
  await takes(t, `DELETE ${flags}/k`, undefined, 204);
});

t.test('support sees what a person gets and why', async (t) => {
  const why = (key: string, person: string) =>
    api.must(`GET ${flags}/${key}/evaluate?subscriberId=${person}`);
  const filter = {
    any: [
      { tag: 'plan', eq: 'pro' },
      { event: 'order', withinDays: 30 },
    ],
  };
  await api.must(`POST ${flags}`, { key: 'why', filter, variants });
  t.match(await why('why', ada), { enabled: false, reason: 'off' });
  await api.must(`PATCH ${flags}/why`, { enabled: true });
  const on = await why('why', ada);
  t.match(on, {
    enabled: true,
    variant: /control|red/,
    reason: 'on',
    conditions: [
      { path: 'filter.any[0]', condition: { tag: 'plan' }, holds: true },
      { path: 'filter.any[1]', holds: false },
    ],
    rolloutPercent: 100,
  });
  t.same(await why('why', 'external:ada'), on, 'by the caller’s own id');
  t.match(await why('why', ben), { enabled: false, reason: 'filter' });
  t.notOk('variant' in (await why('why', ben)));
  await api.must('POST /e', { appId: app, events: [{ name: 'order', externalUserId: 'ben' }] });
  t.match(await why('why', ben), { enabled: true }, 'at once');
  t.ok(on.place >= 0 && on.place < 100);
  await api.must(`PATCH ${flags}/why`, { rolloutPercent: on.place });
  t.match(await why('why', ada), { enabled: false, reason: 'rollout', place: on.place });
  await api.must(`PATCH ${flags}/why`, { rolloutPercent: on.place + 1e-9 });
  t.match(await why('why', ada), { enabled: true, variant: on.variant });
  for (const nobody of ['nobody', 'external:nobody', `sub_${'0'.repeat(26)}`]) {
    await refuses(t, `GET ${flags}/why/evaluate?subscriberId=${nobody}`, undefined, {
      status: 404,
      field: 'subscriberId',
      error: 'subscriberId: subscriber not found',
    });
  }
  for (const query of [
    `subscriberId=${ada}&subscriberId=${ben}`,
    `subscriberId=${ada}&subscriberId=`,
  ])
    await refuses(t, `GET ${flags}/why/evaluate?${query}`, undefined, {
      status: 400,
      field: 'subscriberId',
      error: 'subscriberId: appears more than once; expected one value',
    });
  await refuses(t, `GET ${flags}/none/evaluate?subscriberId=${ada}`, undefined, {
    status: 404,
    error: /flag/,
  });
  await refuses(t, `GET ${flags}/why/evaluate`, undefined, { status: 400, field: 'subscriberId' });
});

t.test('a filter that counts is answered from what happened, off or on', async (t) => {
  const filter = { event: 'visit', withinDays: 30, atLeast: 2 };
  await api.must(`POST ${flags}`, { key: 'loyal', enabled: true, filter });
  const is = async (person: string) =>
    (await api.must(`GET ${flags}/loyal/evaluate?subscriberId=external:${person}`)).reason;
  const visit = () =>
    api.must('POST /e', { appId: app, events: [{ name: 'visit', externalUserId: 'ada' }] });
  await visit();
  t.equal(await is('ada'), 'filter');
  await visit();
  t.equal(await is('ada'), 'on');
  t.equal(await is('ben'), 'filter');
  await api.must(`PATCH ${flags}/loyal`, { enabled: false });
  t.equal(await is('ada'), 'off');
});

t.test('events are kept as long as a flag looks back', async (t) => {
  const filter = { activeWithinDays: 80 };
  await api.must(`POST ${flags}`, { key: 'long', filter });
  await refuses(
    t,
    `PATCH ${base}/settings`,
    { eventsRetentionDays: 70 },
    { status: 400, field: 'eventsRetentionDays', error: /the flag "long" looks back 80 days/ },
  );
  await takes(t, `DELETE ${flags}/long`, undefined, 204);
  await takes(t, `PATCH ${base}/settings`, { eventsRetentionDays: 70 }, 200);
  await refuses(
    t,
    `POST ${flags}`,
    { key: 'long', filter },
    { status: 400, field: 'filter.activeWithinDays', error: /keeps events \(70 days\)/ },
  );
});

t.test('flags are read with read and changed with write', async (t) => {
  const narrow = async (scopes: string[]) =>
    withKey(whole, (await api.must('POST /v1/keys', { name: 'narrow', scopes })).key);
  const [reader, writer] = [await narrow(['read']), await narrow(['write'])];
  t.equal((await reader.call(`GET ${flags}/why/evaluate?subscriberId=${ada}`)).status, 200);
  t.equal((await reader.call(`POST ${flags}`, { key: 'x' })).status, 403);
  t.equal((await writer.call(`GET ${flags}`)).status, 403);
  t.equal((await writer.call(`POST ${flags}`, { key: 'x' })).status, 201);
});
