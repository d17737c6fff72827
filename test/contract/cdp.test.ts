// What a customer-data platform sends, and connecting it (contract, sections 3 and 10): the very
// requests of Segment's and RudderStack's server libraries, write keys from their making to their
// end, and the bounds of a body.

import { gzipSync } from 'node:zlib';
import t from 'tap';
import { afterKill } from '../support/after-kill.ts';
import { client } from '../support/server.ts';
import { chapter, checkRefusal, withKey } from './chapter.ts';

const all = await chapter(t);
const { api, app, base, server, takes, refuses } = all;
const success = { success: true };
const basic = (key: string) => `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
const { writeKey } = await api.must(`PUT ${base}/integrations/cdp`);
const stranger = client(server.url);

let address = 0;
/** Sends as a platform does, each from an address of its own. */
function send(
  body: object | string | Uint8Array,
  { path = `/i/cdp/${app}`, key = writeKey as string, headers = {} as Record<string, string> } = {},
) {
  return stranger.call(`POST ${path}`, body, {
    authorization: basic(key),
    'x-forwarded-for': `10.3.${address >> 8}.${address++ & 255}`,
    ...headers,
  });
}
const tagsOf = async (user: string) =>
  (await api.must(`GET ${base}/subscribers/external:${user}`)).tags;
const eventsOf = async (user: string) =>
  (await api.must(`GET ${base}/events?subscriberId=external:${user}`)).items;

t.test('Segment’s library for Node works unchanged', async (t) => {
  const now = Date.now();
  const iso = (ms: number) => new Date(now + ms).toISOString();
  const context = { library: { name: '@segment/analytics-node', version: '3.1.0' } };
  const common = { integrations: {}, _metadata: { nodeVersion: 'v20.18.1', jsRuntime: 'node' } };
  const sent = {
    batch: [
      {
        type: 'identify',
        userId: 'seg-1',
        traits: { plan: 'pro', email: 'ada@example.com', address: { city: 'Riga' } },
        messageId: 'node-next-1-a',
        timestamp: iso(-2_000),
        context,
        ...common,
      },
      {
        type: 'track',
        userId: 'seg-1',
        event: 'Order Completed',
        properties: { total: 42.5 },
        messageId: 'node-next-1-b',
        timestamp: iso(-1_000),
        context,
        ...common,
      },
    ],
    writeKey,
    sentAt: iso(0),
  };
  const headers = { 'user-agent': 'analytics-node-next/latest' };
  for (const retry of [{}, { 'x-retry-count': '1' }]) {
    const got = await send(sent, { headers: { ...headers, ...retry } });
    t.equal(got.status, 200, got.text);
    t.same(got.json, {
      success: true,
      problems: 1,
      errors: [
        {
          index: 0,
          error: 'traits.address: expected a string, number, boolean or list of strings',
        },
      ],
    });
  }
  t.same(await tagsOf('seg-1'), { plan: 'pro', email: 'ada@example.com' });
  const { devices } = await api.must(`GET ${base}/subscribers/external:seg-1`);
  t.match(devices, [{ channel: 'email', endpoint: 'ada@example.com', enabled: true }]);
  t.equal(devices.length, 1, 'an address among the traits is a device, too');
  const events = await eventsOf('seg-1');
  t.equal(events.length, 1, 'a retry stores nothing twice');
  t.match(events[0], {
    id: 'node-next-1-b',
    name: 'Order Completed',
    props: { total: 42.5 },
    externalUserId: 'seg-1',
  });
  const lateMs = Date.parse(events[0].at) - (now - 1_000);
  t.ok(lateMs >= 0 && lateMs < 10_000, `corrected by the way it took: ${lateMs} ms`);
});

t.test('Segment’s mobile library connects an app: a token, a zone, a language', async (t) => {
  const token = 'a1'.repeat(32);
  const now = new Date().toISOString();
  const context = {
    app: { build: '3', name: 'Shop', namespace: 'com.example.shop', version: '1.2' },
    device: {
      adTrackingEnabled: false,
      id: 'D0E2C1F3-0000-4000-8000-000000000001',
      manufacturer: 'Apple',
      model: 'iPhone15,2',
      name: 'iPhone',
      type: 'ios',
    },
    instanceId: '5B5B2C2E-0000-4000-8000-000000000002',
    library: { name: '@segment/analytics-react-native', version: '2.19.5' },
    locale: 'th-TH',
    network: { cellular: false, wifi: true },
    os: { name: 'iOS', version: '17.4' },
    screen: { height: 852, width: 393 },
    timezone: 'Asia/Bangkok',
    traits: {},
  };
  const common = { anonymousId: 'anon-1', integrations: {}, timestamp: now, messageId: '' };
  const withToken = { ...context, device: { ...context.device, token } };
  const batch = [
    { ...common, type: 'track', event: 'Application Opened', context, messageId: 'm-1' },
    {
      ...common,
      type: 'identify',
      userId: 'mob-1',
      traits: { name: 'Mali', email: 'mali@example.com', phone: '+66 81 234 5678' },
      context,
      messageId: 'm-2',
    },
    {
      ...common,
      type: 'screen',
      userId: 'mob-1',
      name: 'Home',
      context: withToken,
      messageId: 'm-3',
    },
  ];
  const path = `/i/cdp/${app}/v1/batch`;
  for (let i = 0; i < 2; i++) {
    const got = await send({ batch, sentAt: now, writeKey }, { path });
    t.match([got.status, got.json], [200, { success: true, problems: 1, errors: [{ index: 0 }] }]);
  }
  const person = await api.must(`GET ${base}/subscribers/external:mob-1`);
  t.match(person, {
    timezone: 'Asia/Bangkok',
    tags: { name: 'Mali', email: 'mali@example.com', phone: '+66 81 234 5678', language: 'th-TH' },
    devices: [
      { channel: 'email', endpoint: 'mali@example.com', reachable: true },
      { channel: 'sms', endpoint: '+66812345678', reachable: true },
      { channel: 'apns', endpoint: token, reachable: true },
    ],
  });
  t.equal(person.devices.length, 3);
});

t.test('RudderStack’s mobile library connects an app: traits in the context', async (t) => {
  const now = new Date().toISOString();
  const identify = (traits: object, messageId: string) => ({
    anonymousId: '6b1f',
    channel: 'mobile',
    context: {
      device: {
        id: '6b1f',
        manufacturer: 'Google',
        model: 'Pixel 8',
        name: 'shiba',
        token: 'fcm:T1',
        type: 'Android',
      },
      library: { name: 'com.rudderstack.android.sdk.core', version: '1.27.0' },
      locale: 'id-ID',
      os: { name: 'Android', version: '14' },
      timezone: 'Asia/Jakarta',
      traits: { anonymousId: '6b1f', userId: 'mob-2', ...traits },
    },
    event: 'identify',
    integrations: { All: true },
    messageId,
    originalTimestamp: now,
    type: 'identify',
    userId: 'mob-2',
  });
  const path = `/i/cdp/${app}/v1/batch`;
  const first = await send(
    { batch: [identify({ email: 'budi@example.com' }, 'r-1')], sentAt: now },
    { path },
  );
  t.same([first.status, first.json], [200, success]);
  await send({ batch: [identify({ email: 'budi@kantor.example' }, 'r-2')], sentAt: now }, { path });
  const person = await api.must(`GET ${base}/subscribers/external:mob-2`);
  t.match(person, {
    timezone: 'Asia/Jakarta',
    tags: { email: 'budi@kantor.example', language: 'id-ID' },
    devices: [
      { channel: 'fcm', endpoint: 'fcm:T1' },
      { channel: 'email', endpoint: 'budi@kantor.example' },
    ],
  });
  t.equal(person.devices.length, 2);
});

t.test('libraries in apps name the key in the body, and have paths of their own', async (t) => {
  const call = (id: string) => ({ type: 'identify', userId: id, traits: { seen: true } });
  const bare = (path: string, body: object | string | Uint8Array, headers: object = {}) =>
    stranger.call(`POST /i/cdp/${app}${path}`, body, {
      'content-type': 'text/plain',
      'x-forwarded-for': `10.6.0.${address++ & 255}`,
      ...headers,
    });
  for (const path of ['/v1/b', '/b', '/v1/batch', '', '/v1/import']) {
    const id = `bare${path.replaceAll('/', '-')}`;
    const got = await bare(path, { batch: [call(id)], sentAt: new Date().toISOString(), writeKey });
    t.same([got.status, got.json], [200, success], path);
    t.same(await tagsOf(id), { seen: true }, path);
  }
  const zipped = gzipSync(JSON.stringify({ writeKey, batch: [call('bare-zip')] }));
  t.equal((await bare('/v1/b', zipped, { 'content-encoding': 'gzip' })).status, 200);
  t.equal((await bare('/v1/identify', { ...call('bare-one'), writeKey })).status, 200);
  for (const key of [undefined, '', 7, `${writeKey}x`, all.org.key]) {
    const got = await bare('/v1/b', { batch: [call('nobody')], writeKey: key });
    checkRefusal(t, got, { status: 401, code: 'unauthorized' }, String(key));
  }
  const wrongHeader = await bare('/v1/b', { batch: [], writeKey }, { authorization: basic('x') });
  t.equal(wrongHeader.status, 401, 'a header wins over the body');
  const bomb = gzipSync(`{"writeKey":"${writeKey}","batch":[],"x":"${'x'.repeat(1_048_576)}"}`);
  const got = await bare('/v1/b', bomb, { 'content-encoding': 'gzip' });
  checkRefusal(t, got, { status: 413, code: 'body_too_large', error: /1048576/ }, 'inflated');
  const from = { 'x-forwarded-for': '10.7.0.1' };
  for (let i = 0; i < 20; i++)
    t.equal((await bare('/v1/b', { batch: [], writeKey: `wrong-${i}` }, from)).status, 401);
  t.equal((await bare('/v1/b', { batch: [], writeKey: 'wrong' }, from)).status, 429);
  t.equal((await bare('/v1/x', { batch: [], writeKey })).status, 404);
});

t.test('traits become devices unless the integration says no', async (t) => {
  const line = `PATCH ${base}/integrations/cdp`;
  const before = await api.must(`GET ${base}/integrations/cdp`);
  t.equal(before.devicesFromTraits, true);
  await refuses(t, line, { devicesFromTraits: 'no' }, { status: 400, field: 'devicesFromTraits' });
  const { json } = await takes(t, line, { devicesFromTraits: false }, 200);
  t.match(json, { ...before, devicesFromTraits: false, etag: String });
  t.not(json.etag, before.etag);
  await send({ type: 'identify', userId: 'off-1', traits: { email: 'off@example.com' } });
  t.same((await api.must(`GET ${base}/subscribers/external:off-1`)).devices, []);
  t.match((await api.must('GET /v1/org/audit-log?action=integration.saved')).items[0], {
    target: 'cdp',
    after: { devicesFromTraits: false },
  });
  await takes(t, line, { devicesFromTraits: true }, 200);
  const { id } = await api.must('POST /v1/apps', { name: 'Unconnected' });
  await refuses(t, `PATCH /v1/apps/${id}/integrations/cdp`, {}, { status: 404 });
});

t.test('RudderStack’s library for Node works unchanged: gzip, declared as a form', async (t) => {
  const now = new Date().toISOString();
  const common = {
    context: { library: { name: '@rudderstack/rudder-sdk-node', version: '3.0.13' } },
    _metadata: { nodeVersion: '20.18.1' },
    channel: 'server',
    originalTimestamp: now,
    sentAt: now,
  };
  const sent = {
    batch: [
      {
        ...common,
        type: 'identify',
        userId: 'rud-1',
        traits: { plan: 'free' },
        messageId: '8c4b7d0e',
      },
      {
        ...common,
        type: 'track',
        userId: 'rud-1',
        event: 'Signed up',
        properties: {},
        messageId: 'a77',
      },
      { ...common, type: 'page', anonymousId: 'x', name: 'Home', messageId: 'a78' },
      { ...common, type: 'screen', userId: 'rud-1', name: 'Start', messageId: 'a79' },
      { ...common, type: 'group', anonymousId: 'x', groupId: 'g', messageId: 'a80' },
      { ...common, type: 'alias', previousId: 'x', messageId: 'a81' },
    ],
    timestamp: now,
    sentAt: now,
  };
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'content-encoding': 'gzip',
    accept: 'application/json, text/plain, */*',
    'user-agent': 'axios/1.18.1',
  };
  const zipped = gzipSync(JSON.stringify(sent));
  const path = `/i/cdp/${app}/v1/batch`;
  for (let i = 0; i < 2; i++) {
    const got = await send(zipped, { path, headers });
    t.same([got.status, got.json], [200, success]);
  }
  t.same(await tagsOf('rud-1'), { plan: 'free' });
  const events = await eventsOf('rud-1');
  t.same(
    events.map(({ name }: { name: string }) => name),
    ['screen', 'Signed up'],
  );
  t.same(events[0].props, { name: 'Start' });
});

t.test('single calls, to the address of their name or to the bare one', async (t) => {
  const one = (tail: string) => ({ path: `/i/cdp/${app}${tail}` });
  t.same((await send({ userId: 'one', traits: { a: 1 } }, one('/v1/identify'))).json, success);
  t.same((await send({ userId: 'one', event: 'Single' }, one('/v1/track'))).json, success);
  t.same((await send({ type: 'track', userId: 'one', event: 'Bare' }, one('/'))).json, success);
  t.same((await send([{ type: 'track', userId: 'one', event: 'List' }], one(''))).json, success);
  for (const tail of ['page', 'screen', 'group', 'alias'])
    t.same((await send({ anonymousId: 'x' }, one(`/v1/${tail}`))).json, success, tail);
  t.same(await tagsOf('one'), { a: 1 });
  t.same(
    (await eventsOf('one')).map(({ name }: { name: string }) => name),
    ['List', 'Bare', 'Single'],
  );
  t.equal((await send({}, one('/v1/delete'))).status, 404);
  t.equal((await send({}, one('/v2/track'))).status, 404);
  for (const tail of ['', '/v1/batch', '/v1/identify']) {
    const { status, headers } = await stranger.call(`GET /i/cdp/${app}${tail}`);
    t.same([status, headers['allow']], [405, 'POST'], tail);
  }
  t.equal((await stranger.call(`GET /i/cdp/${app}/v1/nonsense`)).status, 404);
});

t.test('what cannot be used is told, and takes nothing with it', async (t) => {
  const calls = [
    { type: 'track', userId: 'part', event: 'Good' },
    { type: 'track', anonymousId: 'a', event: 'Nobody' },
    { type: 'track', userId: 'part', event: 'delivered' },
    { type: 'identify', userId: 'part', traits: { ok: 1, bad: { x: 1 } } },
    { type: 'track', userId: 'part', event: 'Old', timestamp: '2001-01-01T00:00:00Z' },
    7,
  ];
  const { status, json } = await send({ batch: calls });
  t.equal(status, 200);
  t.match(json, { success: true, problems: 5 });
  t.same(
    json.errors.map(({ index }: { index: number }) => index),
    [1, 2, 3, 4, 5],
  );
  t.same(
    (await eventsOf('part')).map(({ name }: { name: string }) => name),
    ['Good'],
  );
  t.same(await tagsOf('part'), { ok: 1 });
});

t.test('a batch of thousands is taken whole, in its order', async (t) => {
  const batch = Array.from({ length: 3_000 }, (_, i) =>
    i % 3 === 0
      ? { type: 'identify', userId: `many-${i % 7}`, traits: { last: i }, messageId: `many-${i}` }
      : { type: 'track', userId: `many-${i % 7}`, event: 'Many', messageId: `many-${i}` },
  );
  const zipped = gzipSync(JSON.stringify({ batch }));
  const headers = { 'content-encoding': 'gzip' };
  const replies = await Promise.all([send(zipped, { headers }), send(zipped, { headers })]);
  for (const { status, json } of replies) t.same([status, json], [200, success]);
  let stored = 0;
  for (let cursor = ''; ; ) {
    const page = await api.must(`GET ${base}/events?name=Many&limit=200${cursor}`);
    stored += page.items.length;
    if (page.nextCursor === null) break;
    cursor = `&cursor=${page.nextCursor}`;
  }
  t.equal(stored, 2_000, 'two at once store no event twice');
  for (let user = 0; user < 7; user++) {
    const last = Math.max(...[...batch.keys()].filter((i) => i % 3 === 0 && i % 7 === user));
    t.same(await tagsOf(`many-${user}`), { last });
  }
});

t.test('a body is at most 1 MiB as sent and 8 MiB inflated', async (t) => {
  const filler = (bytes: number) => `{"batch":[],"x":"${'x'.repeat(bytes - 19)}"}`;
  t.equal((await send(filler(1_048_576))).status, 200);
  checkRefusal(t, await send(filler(1_048_577)), { status: 413, code: 'body_too_large' }, 'sent');
  const zip = (bytes: number) =>
    send(gzipSync(filler(bytes)), { headers: { 'content-encoding': 'gzip' } });
  t.equal((await zip(8_388_608)).status, 200);
  const bomb = await zip(8_388_609);
  checkRefusal(t, bomb, { status: 413, code: 'body_too_large', error: /8388608/ }, 'inflated');
});

t.test('what is no JSON, or compressed in another way, is refused whole', async (t) => {
  for (const body of ['', '{', 'batch=1', '{"batch":[{"type":"track"},}', '{"batch":7}']) {
    const got = await send(body);
    checkRefusal(t, got, { status: 400, code: 'invalid_json' }, body);
  }
  const br = await send('{}', { headers: { 'content-encoding': 'br' } });
  checkRefusal(t, br, { status: 415, code: 'unsupported_media_type' }, 'br');
});

t.test(
  'without a valid write key it is the same 401, and 429 for whoever keeps trying',
  async (t) => {
    const call = { type: 'track', userId: 'u', event: 'x' };
    const path = `POST /i/cdp/${app}`;
    const answers = new Set<string>();
    const wrong = `${writeKey.slice(0, -1)}${writeKey.endsWith('A') ? 'B' : 'A'}`;
    for (const authorization of [
      undefined,
      '',
      'Basic',
      'Basic ???',
      basic(''),
      basic(wrong),
      basic(all.org.key),
      `Bearer ${writeKey}`,
      `Bearer ${all.org.key}`,
    ]) {
      const headers = { 'x-forwarded-for': `10.4.0.${address++ & 255}` };
      const got = await stranger.call(
        path,
        call,
        authorization === undefined ? headers : { ...headers, authorization },
      );
      t.equal(got.status, 401, String(authorization));
      answers.add(got.text);
    }
    for (const other of ['app_00000000000000000000000000', 'x', '%00'])
      answers.add((await send(call, { path: `/i/cdp/${other}` })).text);
    t.equal(answers.size, 1, [...answers].join());
    t.match([...answers][0], /write key.*Basic/);
    const from = { 'x-forwarded-for': '10.5.0.1' };
    for (let i = 0; i < 20; i++)
      t.equal((await send(call, { key: `wrong-${i}`, headers: from })).status, 401);
    const late = await send(call, { key: wrong, headers: from });
    checkRefusal(t, late, { status: 429, code: 'rate_limited' }, 'the 21st');
    t.ok(Number(late.headers['retry-after']) > 0);
    t.equal((await send(call, { headers: from })).status, 200, 'a key in use is not kept out');
  },
);

t.test(
  'a write key is shown once; the one before is good for a day, until it is ended',
  async (t) => {
    const { id } = await api.must('POST /v1/apps', { name: 'Keys' });
    const path = `/i/cdp/${id}`;
    const list = `GET /v1/apps/${id}/integrations`;
    const works = async (key: string) =>
      (await send({ type: 'track', userId: 'u', event: 'x' }, { path, key })).status;
    t.same(await api.must(list), { items: [], nextCursor: null, total: 0 });
    const line = `PUT /v1/apps/${id}/integrations/cdp`;
    const first = (await takes(t, line, undefined, 201)).json;
    t.match(first, { type: 'cdp', enabled: true, writeKey: /^wk_[\w-]{43}$/, path });
    const second = (await takes(t, line, undefined, 200)).json;
    const third = (await takes(t, `POST /v1/apps/${id}/write-key`, undefined, 201)).json;
    t.same(Object.keys(third), ['writeKey']);
    t.same(
      [await works(first.writeKey), await works(second.writeKey), await works(third.writeKey)],
      [401, 200, 200],
    );
    const { items } = await api.must(list);
    t.match(items, [{ type: 'cdp', enabled: true, createdAt: first.createdAt }]);
    for (const made of [first, second, third])
      t.notOk(JSON.stringify(items).includes(made.writeKey));
    await refuses(t, `${list}?cursor=x`, undefined, { status: 400, field: 'cursor' });
    afterKill(server, 'write keys are good until they are ended', async (t) => {
      t.equal(await works(third.writeKey), 200);
      await takes(t, `DELETE /v1/apps/${id}/integrations/cdp`, undefined, 204);
      t.same([await works(second.writeKey), await works(third.writeKey)], [401, 401], 'at once');
      await refuses(t, `DELETE /v1/apps/${id}/integrations/cdp`, undefined, {
        status: 404,
        code: 'not_found',
      });
      t.same((await api.must(list)).items, []);
    });
  },
);

t.test('the catalog says what there is, and connecting needs the scope', async (t) => {
  t.match(await api.must('GET /v1/integrations'), {
    items: [{ type: 'cdp', name: String, description: String, configSchema: { type: 'object' } }],
    nextCursor: null,
  });
  const { key } = await api.must('POST /v1/keys', { name: 'w', scopes: ['read', 'write'] });
  const writer = withKey(all, key);
  t.equal((await writer.call('GET /v1/integrations')).status, 200);
  for (const line of [
    `GET ${base}/integrations`,
    `PUT ${base}/integrations/cdp`,
    `PATCH ${base}/integrations/cdp`,
    `POST ${base}/write-key`,
    `DELETE ${base}/integrations/cdp`,
  ])
    t.equal((await writer.call(line)).status, 403, line);
  t.equal((await api.call(`PUT ${base}/integrations/x`, {})).status, 400);
});
