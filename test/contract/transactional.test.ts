// The transactional lane at its bounds: who is reached, what renders, how keys replay, and which
// member a refusal names (specification, "Transactional lane" and "Errors"; contract, sections 5
// and 7).

import t from 'tap';
import { eventually } from '../support/server.ts';
import { chapter, withKey } from './chapter.ts';

const all = await chapter(t);
const { api, base, takes, refuses } = all;
const line = `POST ${base}/notifications`;
const ada = await api.must(`POST ${base}/subscribers`, {
  externalUserId: 'ada',
  tags: { first_name: 'Ada', language: 'th-TH' },
  devices: [
    { channel: 'email', endpoint: 'ada@example.com' },
    { channel: 'fcm', endpoint: 'token-of-ada' },
  ],
});
const send = (more: object = {}) => ({
  externalUserId: 'ada',
  title: 'Hello',
  body: 'World',
  ...more,
});
const keyed = (key: string, body: object) => api.call(line, body, { 'idempotency-key': key });

t.test(
  'a send is a 202 with its id, and its status is pending until something is known',
  async (t) => {
    const made = await takes(t, line, send(), 202);
    t.match(made.json, { id: /^ntf_[0-9a-hjkmnp-tv-z]{26}$/, status: 'pending' });
    const read = await takes(t, `GET ${base}/notifications/${made.json.id}`, undefined, 200);
    t.ok(['pending', 'delivered'].includes(read.json.status));
    for (const id of ['ntf_00000000000000000000000000', 'nonsense', ada.id]) {
      const unknown = await takes(t, `GET ${base}/notifications/${id}?story=true`, undefined, 200);
      const { story, ...rest } = unknown.json;
      t.same(rest, {
        id,
        status: 'pending',
        outcomes: [],
        failures: { open: 0, recovered: 0 },
        content: null,
        contentState: 'not_kept',
        contentUntil: null,
      });
      t.match(story, [{ code: 'unknown_send', text: /^Nothing is known about this send/ }]);
    }
  },
);

t.test(
  'a recipient is one id or the other, and one that is not there is a 404 that names it',
  async (t) => {
    const content = { title: 'x', body: 'x' };
    await takes(t, line, { ...content, subscriberId: ada.id }, 202);
    await refuses(t, line, content, { status: 400, field: 'subscriberId' });
    await refuses(
      t,
      line,
      { ...content, subscriberId: ada.id, externalUserId: 'ada' },
      { status: 400, field: 'externalUserId' },
    );
    await refuses(
      t,
      line,
      { ...content, externalUserId: 'bob' },
      { status: 404, code: 'not_found', field: 'externalUserId' },
    );
    await refuses(
      t,
      line,
      { ...content, subscriberId: 'sub_x' },
      { status: 404, code: 'not_found', field: 'subscriberId' },
    );
  },
);

t.test('channels filter, and nobody to reach is suppressed as no_device', async (t) => {
  const made = await takes(t, line, send({ channels: ['sms'] }), 202);
  const read = await api.must(`GET ${base}/notifications/${made.json.id}`);
  t.match(read, { status: 'suppressed', outcomes: [{ deviceId: null, reason: 'no_device' }] });
  await refuses(t, line, send({ channels: [] }), { status: 400, field: 'channels' });
  await refuses(t, line, send({ channels: ['pigeon'] }), { status: 400, field: 'channels[0]' });
  const one = await takes(t, line, send({ channels: ['fcm', 'fcm'] }), 202);
  const done = await eventually(async () => {
    const view = await api.must(`GET ${base}/notifications/${one.json.id}`);
    return view.status === 'pending' ? undefined : view;
  }, 'it stays pending');
  t.same(
    done.outcomes.map(({ channel }: { channel: string }) => channel),
    ['fcm'],
  );
});

t.test('what cannot render is a 400 that names the field and says why', async (t) => {
  const wrong: readonly (readonly [object, string, RegExp])[] = [
    [{ body: 'Order {{ order_id }}' }, 'body', /^body: undefined variable: order_id$/],
    [{ title: '{{ nobody.name }}' }, 'title', /^title: undefined variable/],
    [{ body: '{{ first_name | nope }}' }, 'body', /^body: undefined filter: nope/],
    [{ body: '{{ first_name' }, 'body', /^body: /],
    [{ body: '{% if true %}' }, 'body', /^body: /],
    [{ title: '  ' }, 'title', /^title: /],
    [{ body: '{% if false %}x{% endif %}' }, 'body', /^body: /],
    [{ body: '' }, 'body', /^body: /],
    [
      { body: '{% for i in (1..100000) %}{% for j in (1..100000) %}x{% endfor %}{% endfor %}' },
      'body',
      /^body: /,
    ],
    [{ data: { a: '{{ order_id }}' } }, 'data.a', /^data\.a: undefined variable: order_id$/],
    // The person reads Thai, so the Thai body is the body; the fault names what was written.
    [
      { localizations: { th: { body: '{{ order_id }}' } } },
      'localizations.th.body',
      /^localizations\.th\.body: undefined variable: order_id$/,
    ],
    [{ body: '{{ 1 | divided_by: 0 }}' }, 'body', /^body: divided by 0$/],
    [{ title: 'a\u0001' }, 'title', /^title: must not contain control characters$/],
    [{ data: { from: 'x' } }, 'data.from', /^data\.from: this key is reserved$/],
    [{ channels: ['kakao'] }, 'payload.kakao', /^payload\.kakao: is missing/],
    [{ payload: { whatsapp: 'x' } }, 'payload.whatsapp', /expected an object/],
    [{ payload: { whatsapp: null } }, 'payload.whatsapp', /expected an object/],
    [
      { payload: { whatsapp: { templateName: 'a', languageCode: 'en', bodyParams: ['a', 1] } } },
      'payload.whatsapp.bodyParams[1]',
      /expected a string/,
    ],
    [
      { payload: { zalo: { templateId: 'order' } } },
      'payload.zalo.templateId',
      /^payload\.zalo\.templateId: expected a kind of transaction message/,
    ],
    [
      { payload: { zalo: { templateId: 'transaction_order', params: { a: {} } } } },
      'payload.zalo.params.a',
      /expected a string/,
    ],
  ];
  for (const [more, field, error] of wrong) {
    await refuses(
      t,
      line,
      send(more),
      { status: 400, code: 'invalid', field, error },
      JSON.stringify(more).slice(0, 60),
    );
  }
  await takes(
    t,
    line,
    send({ data: { empty: '{% if false %}x{% endif %}' } }),
    202,
    'data may render empty',
  );
  await refuses(
    t,
    line,
    { externalUserId: 'ada', title: 'x' },
    { status: 400, field: 'body' },
    'no body',
  );
});

t.test('variables are at most 50 flat scalars; null is refused', async (t) => {
  const variables = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`v${i}`, i]));
  await takes(t, line, send({ variables: variables(50) }), 202);
  await refuses(t, line, send({ variables: variables(51) }), {
    status: 400,
    field: 'variables',
    error: /50/,
  });
  await takes(t, line, send({ variables: { s: 'x', n: 0.5, b: false } }), 202);
  for (const value of [null, {}, [], ['x']]) {
    await refuses(
      t,
      line,
      send({ variables: { order: value } }),
      { status: 400, field: 'variables.order' },
      JSON.stringify(value),
    );
  }
  await takes(t, line, send({ variables: { ['k'.repeat(64)]: 1 } }), 202);
  await refuses(t, line, send({ variables: { ['k'.repeat(65)]: 1 } }), {
    status: 400,
    code: 'invalid',
  });
});

t.test('content is bounded', async (t) => {
  const at: readonly (readonly [object, object, string])[] = [
    [{ title: 't'.repeat(1_024) }, { title: 't'.repeat(1_025) }, 'title'],
    [{ body: 'b'.repeat(16_384) }, { body: 'b'.repeat(16_385) }, 'body'],
    [{ buttons: buttons(5) }, { buttons: buttons(6) }, 'buttons'],
    [{ data: members(100) }, { data: members(101) }, 'data'],
    [{ badgeCount: 0, ttlSeconds: 2_147_483_647 }, { badgeCount: -1 }, 'badgeCount'],
    [{ collapseKey: 'c'.repeat(256) }, { collapseKey: 'c'.repeat(257) }, 'collapseKey'],
  ];
  for (const [good, bad, field] of at) {
    await takes(t, line, send({ ...good, channels: ['sms'] }), 202, field);
    await refuses(
      t,
      line,
      send({ ...bad, channels: ['sms'] }),
      { status: 400, code: 'invalid', field },
      field,
    );
  }
});

t.test('a delivery option has one type wherever it is written', async (t) => {
  const wrong: readonly (readonly [string, unknown])[] = [
    ['badgeCount', '3'],
    ['badgeCount', 1.5],
    ['ttlSeconds', -1],
    ['ttlSeconds', '60'],
    ['sound', 1],
    ['collapseKey', true],
    ['androidChannelId', {}],
    ['priority', 'urgent'],
  ];
  for (const [name, value] of wrong) {
    await refuses(t, line, send({ [name]: value }), { status: 400, field: name }, `${value}`);
    await refuses(
      t,
      line,
      send({ payload: { [name]: value } }),
      { status: 400, field: `payload.${name}` },
      `${value}`,
    );
    if (typeof value === 'object') continue; // `data` holds scalars only
    await refuses(
      t,
      line,
      send({ data: { [name]: value } }),
      { status: 400, field: `data.${name}` },
      `${value}`,
    );
  }
  await takes(
    t,
    line,
    send({ badgeCount: 3, payload: { ttlSeconds: 60 }, data: { priority: 'high' } }),
    202,
  );
});

t.test('a button cannot become a script, in any disguise', async (t) => {
  for (const url of [
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    '\u0001javascript:x',
    'javascript&colon;x',
    '//evil.example',
  ]) {
    await refuses(
      t,
      line,
      send({ buttons: [{ label: 'Open', url }] }),
      { status: 400, code: 'invalid' },
      JSON.stringify(url),
    );
  }
  for (const url of [
    'https://example.com/x',
    'http://example.com',
    'myapp://orders/1',
    'mailto:a@example.com',
    'tel:+14155550123',
  ]) {
    await takes(t, line, send({ buttons: [{ label: 'Open', url }] }), 202, url);
  }
});

t.test(
  'a key replays its first answer, whatever the order of members, for header and body alike',
  async (t) => {
    const first = await keyed('replay', send());
    t.equal(first.status, 202);
    t.equal(first.headers['x-idempotent-replay'], undefined);
    for (const again of [
      await keyed('replay', { body: 'World', title: 'Hello', externalUserId: 'ada' }),
      await api.call(line, send({ idempotencyKey: 'replay' })),
      await keyed('replay', send({ idempotencyKey: 'replay' })),
    ]) {
      t.equal(again.status, 202);
      t.same(again.json, first.json);
      t.equal(again.headers['x-idempotent-replay'], 'true');
    }
    const other = await keyed('replay', send({ body: 'Other' }));
    t.match(
      [other.status, other.json],
      [409, { code: 'idempotency_conflict', field: 'idempotencyKey' }],
    );
    const empty = await keyed('', send());
    t.match([empty.status, empty.json], [400, { field: 'idempotencyKey' }], 'sent, but empty');
    const both = await keyed('one', send({ idempotencyKey: 'two' }));
    t.match([both.status, both.json], [400, { field: 'idempotencyKey' }]);
    const { id: second } = await api.must('POST /v1/apps', { name: 'Second' });
    await api.must(`POST /v1/apps/${second}/subscribers`, { externalUserId: 'ada' });
    const elsewhere = await api.call(`POST /v1/apps/${second}/notifications`, send(), {
      'idempotency-key': 'replay',
    });
    t.equal(elsewhere.status, 202);
    t.not(elsewhere.json.id, first.json.id, 'a key is of one app');
  },
);

t.test('many calls with one key at once are one send', async (t) => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => keyed('at-once', send())));
  t.ok(answers.every(({ status }) => status === 202));
  t.equal(new Set(answers.map(({ json }) => json.id)).size, 1);
  const replays = answers.filter(({ headers }) => headers['x-idempotent-replay'] === 'true');
  t.equal(replays.length, 19);
});

t.test('a refused call hands its key back', async (t) => {
  const refused = await keyed('released', send({ body: '{{ order_id }}' }));
  t.equal(refused.status, 400);
  const missing = await keyed('released', send({ externalUserId: 'bob' }));
  t.equal(missing.status, 404);
  const taken = await keyed('released', send());
  t.match([taken.status, taken.headers['x-idempotent-replay']], [202, undefined]);
});

t.test('a key has 1 to 255 bytes without control characters', async (t) => {
  t.equal((await keyed('k'.repeat(255), send())).status, 202);
  t.match((await keyed('k'.repeat(256), send())).json, {
    code: 'invalid',
    field: 'idempotencyKey',
  });
  await takes(t, line, send({ idempotencyKey: 'é'.repeat(127) }), 202);
  await refuses(t, line, send({ idempotencyKey: 'é'.repeat(128) }), {
    status: 400,
    field: 'idempotencyKey',
  });
  await refuses(t, line, send({ idempotencyKey: '' }), { status: 400, field: 'idempotencyKey' });
  await refuses(t, line, send({ idempotencyKey: 'a\u0000b' }), {
    status: 400,
    field: 'idempotencyKey',
  });
});

t.test(
  'naming a template needs read beside send, and one that is not there is a 404',
  async (t) => {
    await refuses(
      t,
      line,
      { externalUserId: 'ada', templateName: 'welcome' },
      { status: 404, code: 'not_found', field: 'templateName' },
    );
    await refuses(
      t,
      line,
      { externalUserId: 'ada', templateId: 'tpl_x', templateName: 'x' },
      { status: 400, field: 'templateId' },
    );
    await refuses(t, line, send({ templateName: 'not a handle' }), {
      status: 400,
      field: 'templateName',
    });
    const { key } = await api.must('POST /v1/keys', { name: 'sender', scopes: ['send'] });
    const sender = withKey(all, key);
    t.equal((await sender.call(line, send())).status, 202);
    t.match((await sender.call(line, send({ templateName: 'welcome' }))).json, {
      code: 'forbidden',
      error: /read/,
    });
    const made = await api.must(line, send());
    t.equal(
      (await sender.call(`GET ${base}/notifications/${made.id}`)).status,
      200,
      'send or read',
    );
  },
);

t.test('dead letters are redriven by exactly one choice', async (t) => {
  const redrive = `POST ${base}/dead-letters/redrive`;
  t.same((await takes(t, redrive, { all: true }, 202)).json, { redriven: 0 });
  t.same((await takes(t, redrive, { reason: 'unavailable' }, 202)).json, { redriven: 0 });
  const narrow = { reason: 'unavailable', channel: 'sms', lane: 'campaign' };
  t.same((await takes(t, redrive, narrow, 202)).json, { redriven: 0 });
  for (const body of [
    {},
    { all: true, reason: 'x' },
    { ids: [] },
    { all: false },
    { ids: ['nonsense'] },
    { channel: 'sms' },
    { ids: [`dl_${'0'.repeat(26)}`], channel: 'sms' },
    { all: true, channel: 'pigeon' },
    { all: true, lane: 'express' },
  ]) {
    await refuses(t, redrive, body, { status: 400, code: 'invalid' }, JSON.stringify(body));
  }
});

function buttons(count: number) {
  return Array.from({ length: count }, (_, i) => ({
    label: `Button ${i}`,
    url: 'https://example.com',
  }));
}

function members(count: number) {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 'v']));
}
