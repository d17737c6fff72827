// People, devices and opt-outs: every bound at, below and above, and the rules of upserting
// (contract, sections 3, 4).

import t from 'tap';
import { chapter, withKey } from './chapter.ts';

const all = await chapter(t);
const { api, base, takes, refuses } = all;
const people = `POST ${base}/subscribers`;
let serial = 0;
const fresh = () => `p${serial++}`;
const email = (name: string) => ({ channel: 'email', endpoint: `${name}@example.com` });

t.test('an external id has 1 to 256 characters on one line', async (t) => {
  for (const id of ['x', 'y'.repeat(256), 'ü/? #%', '😀']) {
    await takes(t, people, { externalUserId: id }, 201, id.slice(0, 9));
    const path = `GET ${base}/subscribers/external:${encodeURIComponent(id)}`;
    t.equal((await takes(t, path, undefined, 200)).json.externalUserId, id);
  }
  for (const id of ['', 'y'.repeat(257), 'a\nb', 'a\u0000', '\ud800', 'x\udc00x', 7, {}]) {
    await refuses(
      t,
      people,
      { externalUserId: id },
      { status: 400, code: 'invalid', field: 'externalUserId' },
    );
  }
});

t.test('an upsert creates once, then merges tags, adds devices and leaves the rest', async (t) => {
  const externalUserId = fresh();
  const first = await takes(
    t,
    people,
    { externalUserId, tags: { a: 1, b: 'x' }, timezone: 'Asia/Bangkok', devices: [email('one')] },
    201,
  );
  const second = await takes(
    t,
    people,
    { externalUserId, tags: { b: null, c: ['d'] }, devices: [email('two')] },
    200,
  );
  t.equal(second.json.id, first.json.id);
  t.same(second.json.tags, { a: 1, c: ['d'] });
  t.equal(second.json.timezone, 'Asia/Bangkok');
  t.same(
    second.json.devices.map((one: { endpoint: string }) => one.endpoint),
    ['one@example.com', 'two@example.com'],
  );
  const anonymous = [await takes(t, people, {}, 201), await takes(t, people, {}, 201)];
  t.not(anonymous[0]?.json.id, anonymous[1]?.json.id, 'without an external id always a new person');
  t.equal(anonymous[0]?.json.externalUserId, null);
});

t.test('a tag has a key of 1 to 128 characters and a value of at most 1 KiB', async (t) => {
  const tags = (key: string, value: unknown) => ({
    externalUserId: fresh(),
    tags: { [key]: value },
  });
  await takes(t, people, tags('k'.repeat(128), 'v'), 201);
  await refuses(t, people, tags('k'.repeat(129), 'v'), { status: 400, code: 'invalid' });
  await refuses(t, people, tags('', 'v'), { status: 400, code: 'invalid' });
  await refuses(t, people, tags('$k', 'v'), { status: 400, field: 'tags.$k' });
  await takes(t, people, tags('k', '"'.repeat(1_024)), 201, 'however JSON writes it');
  await refuses(t, people, tags('k', 'v'.repeat(1_025)), {
    status: 400,
    field: 'tags.k',
    error: /1024 bytes/,
  });
  await refuses(
    t,
    people,
    tags('k', 'é'.repeat(513)),
    { status: 400, field: 'tags.k' },
    'bytes, not characters',
  );
  for (const value of [1, 0.5, true, '', [], ['a', 'b']])
    await takes(t, people, tags('k', value), 201);
  for (const value of [{}, [1], [null], [['a']]]) {
    await refuses(
      t,
      people,
      tags('k', value),
      { status: 400, field: 'tags.k' },
      JSON.stringify(value),
    );
  }
});

t.test('a record has at most 64 KiB, a person at most 50 devices', async (t) => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 'v'.repeat(1_000)]));
  const externalUserId = fresh();
  await takes(t, people, { externalUserId, tags: many(60) }, 201);
  await refuses(
    t,
    people,
    { externalUserId, tags: many(66) },
    { status: 400, field: 'tags', error: /65536 bytes/ },
  );
  const devices = (count: number) =>
    Array.from({ length: count }, (_, i) => email(`${externalUserId}-${i}`));
  await takes(t, people, { externalUserId: fresh(), devices: devices(50) }, 201);
  await refuses(
    t,
    people,
    { externalUserId: fresh(), devices: devices(51) },
    { status: 400, field: 'devices' },
  );
  const full = await takes(t, people, { externalUserId: fresh(), devices: devices(50) }, 201);
  await refuses(t, `POST ${base}/subscribers/${full.json.id}/devices`, email('one-more'), {
    status: 400,
    error: /at most 50 devices/,
  });
  await takes(
    t,
    `POST ${base}/subscribers/${full.json.id}/devices`,
    devices(1)[0],
    201,
    'one it has already',
  );
});

t.test('channels, preference and time zone are checked and named', async (t) => {
  const with_ = (more: object) => ({ externalUserId: fresh(), ...more });
  await takes(t, people, with_({ preferredChannels: ['email', 'sms'] }), 201);
  await takes(t, people, with_({ preferredChannels: null }), 201);
  await refuses(t, people, with_({ preferredChannels: [] }), {
    status: 400,
    field: 'preferredChannels',
  });
  await refuses(t, people, with_({ preferredChannels: ['pigeon'] }), {
    status: 400,
    field: 'preferredChannels[0]',
  });
  for (const timezone of ['Asia/Bangkok', 'UTC', 'America/Argentina/Buenos_Aires', null]) {
    await takes(t, people, with_({ timezone }), 201, String(timezone));
  }
  for (const timezone of ['Mars/Olympus', '+07:00', '', 7]) {
    await refuses(
      t,
      people,
      with_({ timezone }),
      { status: 400, field: 'timezone' },
      String(timezone),
    );
  }
  await refuses(t, people, with_({ devices: [{ channel: 'pigeon', endpoint: 'x' }] }), {
    status: 400,
    field: 'devices[0].channel',
  });
  await refuses(t, people, with_({ devices: [{ channel: 'email' }] }), {
    status: 400,
    field: 'devices[0].endpoint',
  });
});

t.test('an endpoint is kept in its normal form or refused by name', async (t) => {
  const good: readonly (readonly [string, unknown, unknown])[] = [
    ['email', ' Ada@Example.COM ', 'Ada@example.com'],
    ['sms', '+1 415 555 0123', '+14155550123'],
    ['whatsapp', '+66812345678', '+66812345678'],
    ['telegram', '123456789', '123456789'],
    ['fcm', 'token:abc-DEF_123', 'token:abc-DEF_123'],
    ['apns', 'AB'.repeat(32), 'ab'.repeat(32)],
  ];
  for (const [channel, endpoint, kept] of good) {
    const made = await takes(
      t,
      people,
      { externalUserId: fresh(), devices: [{ channel, endpoint }] },
      201,
      channel,
    );
    t.equal(made.json.devices[0].endpoint, kept);
    t.match(made.json.devices[0], { id: /^dev_/, enabled: true, channel });
  }
  const bad: readonly (readonly [string, unknown])[] = [
    ['email', 'nobody'],
    ['email', 'a@b@c'],
    ['email', 'a\r\nBcc: x@example.com'],
    ['sms', '4155550123'],
    ['sms', '+1'],
    ['voice', '+1415555012345678'],
    ['kakao', 'hello'],
    ['fcm', ''],
    ['apns', 'zz'],
    ['webpush', 'https://push.example/x'],
    ['webpush', { endpoint: 'ftp://push.example/x', keys: { p256dh: 'x', auth: 'y' } }],
  ];
  for (const [channel, endpoint] of bad) {
    await refuses(
      t,
      people,
      { externalUserId: fresh(), devices: [{ channel, endpoint }] },
      { status: 400, field: 'devices[0].endpoint' },
      `${channel} ${JSON.stringify(endpoint)}`,
    );
  }
});

t.test(
  'an endpoint has one owner: registered for another, it moves; again, it stays',
  async (t) => {
    const [a, b] = [fresh(), fresh()];
    const shared = email('moves');
    const first = await takes(t, people, { externalUserId: a, devices: [shared] }, 201);
    const again = await takes(
      t,
      people,
      { externalUserId: a, devices: [{ ...shared, endpoint: 'MOVES@example.com' }] },
      200,
    );
    t.equal(again.json.devices.length, 1);
    t.equal(again.json.devices[0].id, first.json.devices[0].id);
    const moved = await takes(t, people, { externalUserId: b, devices: [shared] }, 201);
    t.equal(moved.json.devices.length, 1);
    t.same((await api.must(`GET ${base}/subscribers/${first.json.id}`)).devices, []);
  },
);

t.test('a person is patched, found, paged and erased', async (t) => {
  const externalUserId = fresh();
  const { json } = await takes(
    t,
    people,
    { externalUserId, devices: [email(externalUserId)] },
    201,
  );
  const path = `${base}/subscribers/${json.id}`;
  t.same((await takes(t, `PATCH ${path}`, { tags: { a: 1 } }, 200)).json.tags, { a: 1 });
  t.same((await takes(t, `PATCH ${path}`, { tags: { a: null } }, 200)).json.tags, {});
  t.same((await takes(t, `PATCH ${path}`, {}, 200)).json.externalUserId, externalUserId);
  for (const [member, value] of Object.entries({ externalUserId: 'new', devices: [email('x')] })) {
    const refusal = { status: 400, code: 'invalid', field: member, error: /POST \/v1\/apps/ };
    await refuses(t, `PATCH ${path}`, { [member]: value }, refusal);
  }
  await refuses(
    t,
    `PATCH ${path}`,
    { preferredChannels: [] },
    { status: 400, field: 'preferredChannels' },
  );
  const device = `${path}/devices/${json.devices[0].id}`;
  const told = { channel: 'fcm', endpoint: 'told-why', enabled: false, disabledReason: 'inactive' };
  t.match((await takes(t, `POST ${path}/devices`, told, 201)).json, {
    enabled: false,
    disabledReason: 'inactive',
  });
  await refuses(
    t,
    `POST ${path}/devices`,
    { ...told, disabledReason: 'Not so!' },
    { status: 400, field: 'disabledReason' },
  );
  const again = { externalUserId, devices: [{ channel: 'fcm', endpoint: 'told-why' }] };
  const upserted = (await takes(t, people, again, 200)).json;
  t.match(
    upserted.devices.find(({ channel }: { channel: string }) => channel === 'fcm'),
    { enabled: false, disabledReason: 'inactive' },
    'what an upsert leaves out stays',
  );
  t.match(
    (await takes(t, `POST ${path}/devices`, { channel: 'fcm', endpoint: 'told-why' }, 201)).json,
    { enabled: true },
    'registering it turns it on',
  );
  t.match((await takes(t, `PATCH ${device}`, { enabled: false }, 200)).json, {
    enabled: false,
    disabledReason: String,
  });
  t.same(
    (await api.must(`GET ${base}/subscribers?externalUserId=${externalUserId}&channel=email`))
      .items,
    [],
  );
  t.equal(
    (await takes(t, `PATCH ${device}`, { enabled: true }, 200)).json.disabledReason,
    undefined,
  );
  t.equal(
    (await api.must(`GET ${base}/subscribers?externalUserId=${externalUserId}&channel=email`)).items
      .length,
    1,
  );
  const first = await api.must(`GET ${base}/subscribers?limit=3`);
  const next = await api.must(`GET ${base}/subscribers?limit=3&cursor=${first.nextCursor}`);
  t.equal(new Set([...first.items, ...next.items].map(({ id }: { id: string }) => id)).size, 6);
  await takes(t, `DELETE ${device}`, undefined, 204);
  await refuses(t, `DELETE ${device}`, undefined, { status: 404, code: 'not_found' });
  await takes(t, `DELETE ${path}`, undefined, 204);
  await refuses(t, `GET ${path}`, undefined, { status: 404, code: 'not_found' });
  await takes(t, people, { externalUserId }, 201, 'the name is free again');
});

t.test(
  'a device says whether its address has opted out, and whether it can be reached',
  async (t) => {
    const devices = [
      { channel: 'email', endpoint: 'Shown@example.com' },
      { channel: 'sms', endpoint: '+14155550177' },
      { channel: 'fcm', endpoint: 'token-of-shown' },
    ];
    const { id, devices: made } = await api.must(`POST ${base}/subscribers`, {
      externalUserId: 'shown',
      tags: { shown: true },
      devices,
    });
    const path = `${base}/subscribers/${id}`;
    const shown = (device: { suppressed: object | null; reachable: boolean; enabled: boolean }) => {
      const { enabled, suppressed, reachable } = device;
      return { enabled, suppressed, reachable };
    };
    const free = { enabled: true, suppressed: null, reachable: true };
    t.same(made.map(shown), [free, free, free]);
    const phone = { channel: 'voice', address: '+14155550177', reason: 'asked' };
    await api.must(`POST ${base}/suppressions`, phone);
    await api.must(`POST ${base}/suppressions`, { channel: 'email', address: 'shown@EXAMPLE.com' });
    const optedOut = (reason: string) => ({
      enabled: true,
      suppressed: { scope: 'all', reason, at: String },
      reachable: false,
    });
    const expected = [optedOut('api'), optedOut('asked'), free];
    const listed = await api.must(`GET ${base}/subscribers?externalUserId=shown`);
    const sampled = await api.must(`POST ${base}/segments/preview`, {
      filter: { tag: 'shown', eq: true },
      sample: 20,
    });
    const one = sampled.sample.find((person: { id: string }) => person.id === id);
    for (const person of [await api.must(`GET ${path}`), listed.items[0], one])
      t.match(person.devices.map(shown), expected);
    const [email, , push] = made;
    t.match(
      await api.must(`PATCH ${path}/devices/${email.id}`, { enabled: true }),
      optedOut('api'),
    );
    t.match(await api.must(`PATCH ${path}/devices/${push.id}`, { enabled: false }), {
      suppressed: null,
      reachable: false,
    });
    const number = { channel: 'whatsapp', endpoint: '+14155550177' };
    t.match(await api.must(`POST ${path}/devices`, number), optedOut('asked'));
    const query = `channel=sms&address=${encodeURIComponent('+14155550177')}`;
    await takes(t, `DELETE ${base}/suppressions?${query}`, undefined, 204);
    t.match(shown((await api.must(`GET ${path}`)).devices[1]), free);
    await takes(
      t,
      `DELETE ${base}/suppressions?channel=email&address=shown@example.com`,
      undefined,
      204,
    );
    await takes(t, `DELETE ${path}`, undefined, 204);
  },
);

t.test(
  'one opt-out silences every channel of its identity; deleting by any of them lifts it',
  async (t) => {
    const suppressions = `${base}/suppressions`;
    const phone = { channel: 'sms', address: '+1 415 555 0199', reason: 'asked' };
    const made = await takes(t, `POST ${suppressions}`, phone, 201);
    t.match(made.json, {
      identity: 'phone',
      address: '+14155550199',
      reason: 'asked',
      source: 'api',
      channels: ['sms', 'voice', 'whatsapp', 'rcs', 'kakao'],
    });
    const again = await takes(
      t,
      `POST ${suppressions}`,
      { ...phone, channel: 'voice', reason: 'again' },
      201,
    );
    t.same(again.json, made.json, 'the first record stays');
    t.equal((await api.must(`GET ${suppressions}?channel=kakao`)).items.length, 1);
    t.equal((await api.must(`GET ${suppressions}?channel=email`)).items.length, 0);
    const query = `channel=whatsapp&address=${encodeURIComponent('+14155550199')}`;
    t.equal((await api.must(`GET ${suppressions}?${query}`)).items.length, 1);
    await takes(t, `DELETE ${suppressions}?${query}`, undefined, 204);
    await refuses(t, `DELETE ${suppressions}?${query}`, undefined, {
      status: 404,
      code: 'not_found',
    });
    t.equal((await api.must(`GET ${suppressions}`)).items.length, 0);
    for (const channel of ['fcm', 'apns', 'webpush']) {
      await refuses(
        t,
        `POST ${suppressions}`,
        { channel, address: 'x' },
        { status: 400, field: 'channel' },
        channel,
      );
    }
    await refuses(
      t,
      `POST ${suppressions}`,
      { channel: 'email', address: 'nobody' },
      { status: 400, field: 'address' },
    );
    await refuses(
      t,
      `POST ${suppressions}`,
      { channel: 'email' },
      { status: 400, field: 'address' },
    );
    await refuses(
      t,
      `POST ${suppressions}`,
      { channel: 'email', address: 'a@example.com', reason: 'r'.repeat(501) },
      { status: 400, field: 'reason' },
    );
    await refuses(t, `DELETE ${suppressions}?channel=email`, undefined, {
      status: 400,
      field: 'address',
    });
  },
);

t.test('a time zone is kept as IANA writes it, wherever it comes in', async (t) => {
  const id = fresh();
  const sent = { externalUserId: id, timezone: 'asia/saigon' };
  t.equal((await takes(t, people, sent, 201)).json.timezone, 'Asia/Saigon');
  const rows = [{ externalUserId: id, timezone: 'AMERICA/ARGENTINA/BUENOS_AIRES' }];
  await takes(t, 'POST /v1/import/subscribers', { appId: all.app, rows }, 200);
  const { timezone } = await api.must(`GET ${base}/subscribers/external:${id}`);
  t.match(timezone, /^America\//i);
  await takes(t, `PATCH ${base}`, { timezone: 'europe/berlin' }, 200);
  t.equal((await api.must(`GET ${base}`)).timezone, 'Europe/Berlin');
  await takes(t, `PATCH ${base}`, { timezone: 'UTC' }, 200);
  await refuses(t, people, { timezone: 'asia/atlantis' }, { status: 400, field: 'timezone' });
});

t.test('an import upserts row by row; a bad row is an error of its own', async (t) => {
  const line = 'POST /v1/import/subscribers';
  const [known, made, other] = [fresh(), fresh(), fresh()];
  const before = await takes(t, people, { externalUserId: known, tags: { a: 1, b: 2 } }, 201);
  const rows = [
    { externalUserId: known, tags: { b: null, c: ['x'] }, preferredChannels: ['email'] },
    { externalUserId: made, timezone: 'Asia/Bangkok', devices: [email(`${made}-import`)] },
    { externalUserId: made, tags: { first: true } },
    { externalUserId: other, devices: [email('fine'), { channel: 'email', endpoint: 'nobody' }] },
    { externalUserId: '' },
    { tags: { $x: 1 } },
    { tags: { half: '\ud800' } },
    { preferredChannels: [] },
    { devices: [email(`${made}-import`)] },
    'text',
  ];
  const got = await takes(t, line, { appId: all.app, rows }, 200);
  t.match(got.json, { created: 3, updated: 2, failed: 5 });
  t.same(
    got.json.errors.map(({ row, error }: { row: number; error: string }) => [
      row,
      error.slice(0, error.indexOf(': ')),
    ]),
    [
      [3, 'devices[1].endpoint'], // the row is imported without it
      [4, 'externalUserId'],
      [5, 'tags.$x'],
      [6, 'tags.half'],
      [7, 'preferredChannels'],
      [9, 'row'],
    ],
  );
  const read = async (id: string) => api.must(`GET ${base}/subscribers/external:${id}`);
  t.match(await read(known), {
    id: before.json.id,
    tags: { a: 1, c: ['x'] },
    preferredChannels: ['email'],
  });
  t.match(await read(made), { tags: { first: true }, timezone: 'Asia/Bangkok', devices: [] });
  t.match((await read(other)).devices, [{ endpoint: 'fine@example.com' }]);
  t.equal((await read(other)).devices.length, 1);
  await takes(t, line, { appId: all.app, rows: [{ externalUserId: known }] }, 200);
  t.same((await read(known)).preferredChannels, ['email'], 'what is left out stays');
});

t.test('an import takes 10,000 people, and says how many values are too many', async (t) => {
  const line = 'POST /v1/import/subscribers';
  const rows = Array.from({ length: 10_000 }, (_, i) => ({
    externalUserId: `many-${i}`,
    tags: { a: 'x', b: i, c: true, d: 'yy' },
    preferredChannels: ['email'],
  }));
  const { json } = await takes(t, line, { appId: all.app, rows }, 200);
  t.match(json, { created: 10_000, updated: 0, failed: 0 });
  const tags = { a: [...'x'.repeat(200_000)].map(() => 1) };
  await refuses(
    t,
    line,
    { appId: all.app, rows: [{ tags }] },
    {
      status: 400,
      code: 'invalid_json',
      field: 'body',
      error: 'body: more than 200000 values',
    },
  );
  await refuses(t, people, { tags }, { status: 400, error: 'body: more than 50000 values' });
});

t.test('an import takes 1 MiB of rows, and names what of the call is wrong', async (t) => {
  const line = 'POST /v1/import/subscribers';
  const tags = { plan: 'professional', language: 'en-GB', note: 'x'.repeat(60) };
  const many = Array.from({ length: 4_000 }, (_, i) => ({
    externalUserId: `bulk-${i}`,
    tags,
    devices: [email(`bulk-${i}`)],
  }));
  const first = await takes(t, line, { appId: all.app, rows: many }, 200);
  t.same(first.json, { created: 4_000, updated: 0, failed: 0, errors: [] });
  const again = await takes(t, line, { appId: all.app, rows: many }, 200);
  t.same(again.json, { created: 0, updated: 4_000, failed: 0, errors: [] });
  await takes(t, line, { appId: all.app, rows: [] }, 200);
  await refuses(t, line, { rows: [{}] }, { status: 400, code: 'invalid', field: 'appId' });
  await refuses(t, line, { appId: 7, rows: [] }, { status: 400, field: 'appId' });
  await refuses(t, line, { appId: 'app_x', rows: [] }, { status: 404, field: 'appId' });
  await refuses(t, line, { appId: all.app }, { status: 400, field: 'rows' });
  await refuses(t, line, { appId: all.app, rows: {} }, { status: 400, field: 'rows' });
  const tooMany = new Array(10_001).fill({});
  await refuses(t, line, { appId: all.app, rows: tooMany }, { status: 400, field: 'rows' });
  const { key } = await api.must('POST /v1/keys', {
    name: 'importer',
    scopes: ['write'],
    appId: all.app,
  });
  const own = await withKey(all, key).call(line, { rows: [{ externalUserId: 'bulk-0' }] });
  t.match([own.status, own.json], [200, { updated: 1 }], 'a key of one app means its own');
});
