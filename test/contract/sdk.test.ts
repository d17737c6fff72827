// What the apps and pages of users may do without a key (contract, sections 1, 3, 9 and 10):
// logging in under each setting of `identityVerification`, merging, devices and tags with a client
// token, events under `required`, and CORS. Ceilings per address: rate-ceilings.test.ts.

import { createHmac } from 'node:crypto';
import t from 'tap';
import { afterKill } from '../support/after-kill.ts';
import { otherId } from '../support/other-id.ts';
import { type Client, client } from '../support/server.ts';
import { chapter, checkRefusal } from './chapter.ts';

const all = await chapter(t);
const { api, app, base, server, org } = all;

let address = 0;
/** A client without a key, at an address of its own. */
function page(): Client {
  address++;
  const headers = { 'x-forwarded-for': `10.9.${address >> 8}.${address & 255}` };
  return client(server.url, '', headers);
}

const web = page();
const login = (body: object, from = web) =>
  from.call('POST /v1/sdk/subscriber', { appId: app, ...body });
async function loggedIn(body: object = {}): Promise<{ subscriberId: string; clientToken: string }> {
  return page().must('POST /v1/sdk/subscriber', { appId: app, ...body });
}
const hashOf = (secret: string, user: string) =>
  createHmac('sha256', secret).update(user).digest('hex');
const read = (who: string) => api.must(`GET ${base}/subscribers/${who}`);
const verify = (identityVerification: string) =>
  api.must(`PATCH ${base}/settings`, { identityVerification });
const eventsOf = async (id: string) =>
  (await api.must(`GET ${base}/events?subscriberId=${id}`)).items as {
    name: string;
    subscriberId: string;
  }[];
const needsProof = { status: 403, code: 'identity_required' };
const badToken = { status: 401, code: 'invalid_client_token', field: 'clientToken' };

t.test('an SDK reads the public face of its app, and nothing of another', async (t) => {
  const { status, json } = await web.call(`GET /v1/sdk/app/${app}`);
  t.equal(status, 200);
  const { vapidPublicKey } = await api.must(`GET ${base}`);
  t.same(json, {
    appId: app,
    name: 'Contract',
    vapidPublicKey,
    branding: {
      productName: 'Engage',
      logoUrl: null,
      accentColor: null,
      hideServiceBranding: false,
    },
    features: { webPush: true, identityVerification: 'first-use' },
    ingestUrl: server.url,
  });
  checkRefusal(
    t,
    await web.call(`GET /v1/sdk/app/${otherId(app)}`),
    { status: 404 },
    'no such app',
  );
});

t.test(
  'reads of apps in the field ignore parameters, and of one given twice the last counts',
  async (t) => {
    const { clientToken } = await loggedIn();
    const read = (path: string) =>
      web.call(`GET /v1/sdk/${path}`, undefined, { authorization: `Bearer ${clientToken}` });
    t.equal((await read(`app/${app}?sdk=9`)).status, 200);
    for (const path of ['flags', 'feed']) {
      t.equal((await read(`${path}?appId=${app}&sdk=9`)).status, 200);
      t.equal((await read(`${path}?appId=nonsense&appId=${app}`)).status, 200);
      t.equal((await read(`${path}?appId=${app}&appId=nonsense`)).status, 404);
    }
  },
);

t.test(
  'a login without an external id makes somebody anonymous, and again with the token it is them',
  async (t) => {
    const first = await login({ timezone: 'Asia/Bangkok', language: 'th' });
    t.equal(first.status, 200, first.text);
    t.same(Object.keys(first.json), ['subscriberId', 'clientToken']);
    const { subscriberId, clientToken } = first.json;
    t.match(await read(subscriberId), {
      externalUserId: null,
      timezone: 'Asia/Bangkok',
      tags: { language: 'th' },
      devices: [],
    });
    t.match((await read(subscriberId)).lastActiveAt, /^20/, 'a login is activity');
    const before = await read(subscriberId);
    const again = await login({ clientToken });
    t.same(again.json, { subscriberId, clientToken });
    t.equal((await read(subscriberId)).updatedAt, before.updatedAt, 'nothing new was said');
    t.same(
      (await eventsOf(subscriberId)).map(({ name }) => name),
      ['session', 'session'],
    );
  },
);

t.test('what a login says is judged, and named where it is wrong', async (t) => {
  for (const [body, field] of [
    [{ timezone: 'Mars/Base' }, 'timezone'],
    [{ language: 'not a language' }, 'language'],
    [{ externalUserId: '' }, 'externalUserId'],
    [{ identityHash: 'ab' }, 'identityHash'],
  ] as const) {
    checkRefusal(t, await login(body), { status: 400, field }, JSON.stringify(body));
  }
  checkRefusal(
    t,
    await web.call('POST /v1/sdk/subscriber', {}),
    { status: 400, field: 'appId' },
    'no app',
  );
  const appId = otherId(app);
  checkRefusal(
    t,
    await login({ appId }),
    { status: 404, field: 'appId' },
    'an app that is not there',
  );
  checkRefusal(t, await login({ clientToken: 'nonsense' }), badToken, 'a token that is none');
});

t.test(
  'first-use: an id that nobody had may be claimed once, and needs proof from then on',
  async (t) => {
    const first = await login({ externalUserId: 'fu-1' });
    t.equal(first.status, 200, first.text);
    checkRefusal(
      t,
      await login({ externalUserId: 'fu-1' }, page()),
      { ...needsProof, field: 'externalUserId' },
      'no proof',
    );
    const own = await login({ externalUserId: 'fu-1', clientToken: first.json.clientToken });
    t.equal(own.json.subscriberId, first.json.subscriberId, 'the token of that person will do');
    const wrong = { externalUserId: 'fu-1', identityHash: '0'.repeat(64) };
    checkRefusal(t, await login(wrong), { ...needsProof, field: 'identityHash' }, 'no secret yet');
    await verify('first-use');
    const { secret } = await api.must(`POST ${base}/identity-secret`);
    t.match(secret, /^is_[A-Za-z0-9_-]{43}$/);
    const right = { externalUserId: 'fu-1', identityHash: hashOf(secret, 'fu-1').toUpperCase() };
    t.equal((await login(right)).json.subscriberId, first.json.subscriberId);
    const other = { externalUserId: 'fu-1', identityHash: hashOf(secret, 'fu-2') };
    checkRefusal(t, await login(other), { ...needsProof, field: 'identityHash' }, "another's hash");
  },
);

t.test(
  'required: every claim needs the hash, also of nobody known and with one’s own token',
  async (t) => {
    const { secret } = await api.must(`POST ${base}/identity-secret`);
    await verify('required');
    t.teardown(() => verify('first-use'));
    checkRefusal(
      t,
      await login({ externalUserId: 'rq-1' }),
      { ...needsProof, field: 'externalUserId' },
      'new',
    );
    const proven = { externalUserId: 'rq-1', identityHash: hashOf(secret, 'rq-1') };
    const { status, json } = await login(proven);
    t.equal(status, 200);
    const { clientToken } = json;
    checkRefusal(
      t,
      await login({ externalUserId: 'rq-1', clientToken }),
      needsProof,
      'only the token',
    );
    t.equal(
      (await login({ clientToken })).json.subscriberId,
      json.subscriberId,
      'who names no id claims none',
    );
    t.equal((await login({})).status, 200, 'anonymous people need none');
    const { secret: next } = await api.must(`POST ${base}/identity-secret`);
    t.equal((await login(proven)).status, 200, 'the secret before is good for a day');
    t.equal((await login({ ...proven, identityHash: hashOf(next, 'rq-1') })).status, 200);
  },
);

t.test('open: no claim needs anything, and a wrong hash is still a mistake', async (t) => {
  await verify('open');
  t.teardown(() => verify('first-use'));
  const { subscriberId } = (await login({ externalUserId: 'fu-1' })).json;
  t.equal(subscriberId, (await read('external:fu-1')).id, 'although they have logged in');
  checkRefusal(
    t,
    await login({ externalUserId: 'fu-1', identityHash: 'ff' }),
    needsProof,
    'a wrong hash',
  );
});

t.test('who is anonymous gets an id that nobody has, and stays who they are', async (t) => {
  const { subscriberId, clientToken } = await loggedIn();
  const known = await login({ clientToken, externalUserId: 'claimed-1' });
  t.equal(known.json.subscriberId, subscriberId);
  t.equal((await read('external:claimed-1')).id, subscriberId);
  checkRefusal(
    t,
    await login({ clientToken: known.json.clientToken, externalUserId: 'claimed-2' }),
    { status: 409, code: 'wrong_state', field: 'clientToken' },
    'somebody known is nobody else',
  );
  t.equal((await api.call(`GET ${base}/subscribers/external:claimed-2`)).status, 404);
});

t.test(
  'somebody anonymous who logs in is merged: the old id means the known person, the token ends',
  async (t) => {
    await verify('open');
    t.teardown(() => verify('first-use'));
    const known = await api.must(`POST ${base}/subscribers`, {
      externalUserId: 'merge-1',
      tags: { plan: 'pro', seats: 3 },
      timezone: 'Europe/Riga',
    });
    const anonymous = await loggedIn({ timezone: 'Asia/Tokyo', language: 'ja' });
    const old = anonymous.subscriberId;
    let { clientToken } = anonymous;
    await web.must('POST /v1/sdk/tags', {
      appId: app,
      clientToken,
      tags: { plan: 'free', theme: 'dark' },
    });
    const { deviceId } = await web.must('POST /v1/sdk/register', {
      appId: app,
      clientToken,
      channel: 'fcm',
      endpoint: 'merge-1-phone',
    });
    await web.must('POST /e', { appId: app, events: [{ name: 'browsed', subscriberId: old }] });

    const merged = await login({ clientToken, externalUserId: 'merge-1' });
    t.equal(merged.json.subscriberId, known.id);
    checkRefusal(t, await login({ clientToken }), badToken, 'the anonymous token');
    ({ clientToken } = merged.json);
    const person = await read(known.id);
    t.match(person, {
      externalUserId: 'merge-1',
      tags: { plan: 'pro', seats: 3, theme: 'dark', language: 'ja' },
      timezone: 'Europe/Riga',
      devices: [{ id: deviceId, endpoint: 'merge-1-phone', enabled: true }],
    });
    t.same(await read(old), person, 'the old id answers for them');
    t.same(
      (await eventsOf(known.id)).map(({ name }) => name),
      ['session', 'browsed', 'session'],
    );
    t.same(await eventsOf(old), await eventsOf(known.id));
    t.same(
      new Set((await eventsOf(old)).map(({ subscriberId }) => subscriberId)),
      new Set([known.id]),
    );
    const everybody = (await api.must(`GET ${base}/events?name=browsed`)).items;
    t.equal(everybody[0].subscriberId, known.id, 'in a list of everybody too');

    // The new token acts for the known person; the old id does on every route.
    await web.must('POST /v1/sdk/tags', {
      appId: app,
      clientToken,
      tags: { theme: null, seen: true },
    });
    t.match((await api.must(`PATCH ${base}/subscribers/${old}`, { tags: { seats: 4 } })).tags, {
      seats: 4,
      seen: true,
    });
    const { accepted } = await web.must('POST /e', {
      appId: app,
      events: [{ name: 'bought', subscriberId: old }],
    });
    t.equal(accepted, 1);
    t.equal((await eventsOf(known.id))[0]?.name, 'bought');
    const sent = await api.must(`POST ${base}/notifications`, {
      subscriberId: old,
      title: 'Hi',
      body: 'You',
    });
    t.ok(sent.id);
    const added = await api.must(`POST ${base}/subscribers/${old}/devices`, {
      channel: 'email',
      endpoint: 'm1@example.com',
    });
    await api.must(`PATCH ${base}/subscribers/${old}/devices/${added.id}`, { enabled: false });
    const { id: segment } = await api.must(`POST ${base}/segments`, {
      name: 'Browsed twice or bought',
      filter: {
        any: [
          { event: 'browsed', withinDays: 7, atLeast: 1 },
          { event: 'bought', withinDays: 7 },
        ],
      },
    });
    const explained = await api.must(`GET ${base}/segments/${segment}/explain?subscriberId=${old}`);
    t.equal(explained.matches, true);
    const counted = await api.must(`POST ${base}/segments/preview`, {
      filter: { event: 'session', withinDays: 1, atLeast: 2 },
      sample: 20,
    });
    t.ok(
      counted.sample.some(({ id }: { id: string }) => id === known.id),
      'events of both are counted together',
    );
    const listed = await api.must(`GET ${base}/subscribers?limit=200`);
    t.notOk(
      listed.items.some(({ id }: { id: string }) => id === old),
      'and there is one person, not two',
    );

    afterKill(server, 'people who were merged are one, until they are erased', async (t) => {
      t.same(await read(old), await read(known.id));
      t.equal((await login({ clientToken })).json.subscriberId, known.id);
      t.equal((await api.call(`DELETE ${base}/subscribers/${old}`)).status, 204);
      for (const id of [old, known.id, 'external:merge-1'])
        t.equal((await api.call(`GET ${base}/subscribers/${id}`)).status, 404, id);
      t.same(
        (await api.must(`GET ${base}/events?name=browsed`)).items,
        [],
        'the events of both are gone',
      );
      checkRefusal(t, await login({ clientToken }), badToken, 'and so is the token');
    });
  },
);

t.test('a client changes its own devices and tags, and reads nothing', async (t) => {
  const { subscriberId, clientToken } = await loggedIn({ externalUserId: 'own-1' });
  const call = (line: string, body: object) => web.call(line, { appId: app, clientToken, ...body });
  const registered = await call('POST /v1/sdk/register', {
    channel: 'email',
    endpoint: 'Own@Example.com',
  });
  t.equal(registered.status, 200);
  t.same(Object.keys(registered.json), ['deviceId']);
  const again = await call('POST /v1/sdk/register', {
    channel: 'email',
    endpoint: 'Own@example.com',
  });
  t.equal(again.json.deviceId, registered.json.deviceId, 'the same endpoint is the same device');
  checkRefusal(
    t,
    await call('POST /v1/sdk/register', { channel: 'sms', endpoint: '12' }),
    { status: 400, field: 'endpoint' },
    'no number',
  );
  checkRefusal(
    t,
    await call('POST /v1/sdk/register', { channel: 'pigeon', endpoint: 'x' }),
    { status: 400, field: 'channel' },
    'no channel',
  );
  const tagged = await call('POST /v1/sdk/tags', { tags: { plan: 'pro', level: 3 } });
  t.equal(tagged.status, 204);
  t.equal(tagged.text, '');
  await call('POST /v1/sdk/tags', { tags: { plan: null } });
  t.same((await read(subscriberId)).tags, { level: 3 });
  checkRefusal(
    t,
    await call('POST /v1/sdk/tags', { tags: { $x: 1 } }),
    { status: 400, field: 'tags.$x' },
    'a reserved tag',
  );
  const gone = await call('POST /v1/sdk/unregister', { deviceId: registered.json.deviceId });
  t.equal(gone.status, 204);
  t.same((await read(subscriberId)).devices, []);
  checkRefusal(
    t,
    await call('POST /v1/sdk/unregister', { deviceId: registered.json.deviceId }),
    { status: 404, field: 'deviceId' },
    'twice',
  );
});

t.test('a client removes an address by what it is', async (t) => {
  const { subscriberId, clientToken } = await loggedIn({ externalUserId: 'address-1' });
  const call = (line: string, body: object) => web.call(line, { appId: app, clientToken, ...body });
  const remove = (body: object) => call('POST /v1/sdk/unregister', body);
  const address = { channel: 'email', endpoint: 'Mine@Example.com' };
  await call('POST /v1/sdk/register', address);
  t.equal((await remove({ ...address, endpoint: ' mine@example.COM ' })).status, 204);
  t.same((await read(subscriberId)).devices, []);
  t.equal((await remove(address)).status, 204, 'twice');
  await api.must(`POST ${base}/subscribers`, {
    externalUserId: 'address-2',
    devices: [{ channel: 'email', endpoint: 'theirs@example.com' }],
  });
  t.equal((await remove({ ...address, endpoint: 'theirs@example.com' })).status, 204);
  t.equal(
    (await read('external:address-2')).devices.length,
    1,
    'of somebody else, and still there',
  );
  await api.must(`POST ${base}/subscribers`, {
    externalUserId: 'address-1',
    devices: [{ channel: 'email', endpoint: 'tenant@example.com' }],
  });
  checkRefusal(
    t,
    await remove({ ...address, endpoint: 'tenant@example.com' }),
    { status: 403, code: 'identity_required', field: 'endpoint' },
    'by a call with a key',
  );
  const wrong: [object, string][] = [
    [{}, 'deviceId'],
    [{ channel: 'email' }, 'deviceId'],
    [{ channel: 'email', endpoint: 'nobody' }, 'endpoint'],
    [{ channel: 'pigeon', endpoint: 'x' }, 'channel'],
  ];
  for (const [body, field] of wrong)
    checkRefusal(t, await remove(body), { status: 400, field }, JSON.stringify(body));
});

t.test('a client reads its feed and its flags with its token, also after a merge', async (t) => {
  const { id: messageId } = await api.must(`POST ${base}/messages`, {
    title: 'Hi',
    body: 'Hello {{ nick }}',
  });
  const shown = await api.must(`POST ${base}/in-app-messages`, {
    messageId,
    filter: { tag: 'nick', exists: true },
    priority: 3,
    inbox: true,
  });
  await api.must(`POST ${base}/flags`, {
    key: 'beta',
    enabled: true,
    filter: { tag: 'nick', eq: 'Bo' },
  });
  const { clientToken } = await loggedIn();
  const read = (path: string, token: string) =>
    page().call(
      `GET /v1/sdk/${path}`,
      undefined,
      token === '' ? {} : { authorization: `Bearer ${token}` },
    );
  const feed = (token = clientToken) => read(`feed?appId=${app}`, token);
  t.same((await feed()).json, { messages: [], inbox: { items: [], unread: 0, nextCursor: null } });
  t.same((await read(`flags?appId=${app}`, clientToken)).json, { beta: { enabled: false } });
  await web.must('POST /v1/sdk/tags', { appId: app, clientToken, tags: { nick: 'Bo' } });
  t.match((await feed()).json, {
    messages: [
      { id: shown.id, title: 'Hi', body: 'Hello Bo', priority: 3, endAt: null, buttons: [] },
    ],
    inbox: { items: [{ id: shown.id, read: false }], unread: 1, nextCursor: null },
  });
  t.same((await read(`flags?appId=${app}`, clientToken)).json, { beta: { enabled: true } });
  const { subscriberId } = (await login({ clientToken })).json;
  const events = [{ name: 'inapp_dismissed', subscriberId, messageId: shown.id }];
  await web.must('POST /e', { appId: app, events });
  await api.must(`POST ${base}/subscribers`, { externalUserId: 'feed-1' });
  const known = (await login({ clientToken, externalUserId: 'feed-1' })).json;
  for (const token of [clientToken, known.clientToken])
    t.same(
      (await feed(token)).json.messages,
      [],
      'dismissed is dismissed, whoever they are by now',
    );
  for (const path of [`feed?appId=${app}`, `flags?appId=${app}`]) {
    checkRefusal(t, await read(path, ''), badToken, 'without a token');
    checkRefusal(t, await read(path, org.key), badToken, 'a key is no client token');
    checkRefusal(
      t,
      await read(otherId(path), clientToken),
      { status: 404, field: 'appId' },
      'no such app',
    );
    checkRefusal(
      t,
      await read(path.replace(/\?.*/, ''), clientToken),
      { status: 400, field: 'appId' },
      'no app',
    );
  }
  checkRefusal(
    t,
    await read(`feed?appId=${app}&cursor=no-cursor`, clientToken),
    { status: 400, field: 'cursor' },
    'a cursor',
  );
});

const mark = (clientToken: string, body: object) =>
  page().call('POST /v1/sdk/inbox', { appId: app, clientToken, ...body });

t.test('a client marks its inbox once, also after a merge and a kill', async (t) => {
  const inboxOf = async () => {
    const { id: messageId } = await api.must(`POST ${base}/messages`, { body: 'Sale' });
    const filter = { tag: 'inbox', exists: true };
    return api.must(`POST ${base}/in-app-messages`, { messageId, filter, show: 'inbox' });
  };
  const [{ id: first }, { id: second }, { id: third }] = [
    await inboxOf(),
    await inboxOf(),
    await inboxOf(),
  ];
  const { clientToken, subscriberId } = await loggedIn();
  await web.must('POST /v1/sdk/tags', { appId: app, clientToken, tags: { inbox: 'yes' } });
  const feed = async (token = clientToken, query = '') => {
    const bearer = { authorization: `Bearer ${token}` };
    return (await page().call(`GET /v1/sdk/feed?appId=${app}${query}`, undefined, bearer)).json
      .inbox;
  };
  t.equal((await feed()).unread, 3);
  const asked = await mark(clientToken, { read: [first, 'iam_none'], archive: [second] });
  t.same([asked.status, asked.json], [200, { unread: 1, unknown: ['iam_none'] }], asked.text);
  t.same((await mark(clientToken, { read: [first] })).json, { unread: 1, unknown: [] }, 'again');
  const marks = (await eventsOf(subscriberId)).filter(({ name }) => name.startsWith('inbox_'));
  t.same(marks.map(({ name }) => name).sort(), ['inbox_archived', 'inbox_read'], 'an event each');
  const here = { items: [{ id: third }, { id: first, read: true }], unread: 1 };
  t.match(await feed(), here);
  t.match(await feed(clientToken, '&archived=true'), {
    items: [{ id: second, read: false, archived: true }],
    unread: 1,
    nextCursor: null,
  });
  t.match(await feed(clientToken, '&archived=false'), here);

  await api.must(`POST ${base}/subscribers`, { externalUserId: 'inbox-1', tags: { inbox: 'yes' } });
  await verify('open');
  const { clientToken: known } = await loggedIn({ clientToken, externalUserId: 'inbox-1' });
  await verify('first-use');
  t.match(await feed(known), here, 'what the anonymous person did moves along');
  afterKill(server, 'what was read and archived stays so', async (t) => {
    t.match(await feed(known), here);
    t.same((await mark(known, { read: 'all' })).json, { unread: 0, unknown: [] });
    t.equal((await feed(known)).unread, 0);
    const { counts } = await api.must(`GET ${base}/in-app-messages/${second}`);
    t.match(counts, { read: 0, archived: 1 });
  });
});

t.test('what a client marks is judged, and none of it is of another app', async (t) => {
  const { clientToken } = await loggedIn();
  const { id: elsewhere } = await api.must('POST /v1/apps', { name: 'Elsewhere' });
  const { id: messageId } = await api.must(`POST /v1/apps/${elsewhere}/messages`, { body: 'x' });
  const path = `/v1/apps/${elsewhere}/in-app-messages`;
  const { id: foreign } = await api.must(`POST ${path}`, { messageId, show: 'inbox' });
  t.same((await mark(clientToken, { read: [foreign], archive: [foreign] })).json.unknown, [
    foreign,
  ]);
  const { counts } = await api.must(`GET ${path}/${foreign}`);
  t.match(counts, { read: 0, archived: 0 }, 'of another app');
  const many = Array.from({ length: 201 }, (_, i) => `iam_${i}`);
  for (const [body, field] of [
    [{}, 'read'],
    [{ read: null, archive: null }, 'read'],
    [{ read: 'some' }, 'read'],
    [{ read: many }, 'read'],
    [{ read: [''] }, 'read[0]'],
    [{ archive: 'all' }, 'archive'],
    [{ archive: many }, 'archive'],
  ] as const) {
    const what = JSON.stringify(body).slice(0, 60);
    checkRefusal(t, await mark(clientToken, body), { status: 400, field }, what);
  }
  checkRefusal(t, await mark('nonsense', { read: 'all' }), badToken, 'a token that is none');
  const none = { appId: otherId(app), read: 'all' };
  checkRefusal(t, await mark(clientToken, none), { status: 404, field: 'appId' }, 'no such app');
});

t.test('required: a keyless event for an external id needs the token of that person', async (t) => {
  const { secret } = await api.must(`POST ${base}/identity-secret`);
  await verify('required');
  t.teardown(() => verify('first-use'));
  const proven = (user: string) =>
    loggedIn({ externalUserId: user, identityHash: hashOf(secret, user) });
  const [one, other] = [await proven('ev-1'), await proven('ev-2')];
  const events = (users: string[]) => ({
    appId: app,
    events: users.map((externalUserId) => ({ name: 'seen', externalUserId })),
  });
  const send = (users: string[], token = '') =>
    page().call('POST /e', events(users), token === '' ? {} : { authorization: `Bearer ${token}` });
  t.match((await send(['ev-1'])).json, {
    accepted: 0,
    rejected: 1,
    errors: [{ error: /^externalUserId: this app requires identity verification/ }],
  });
  const mixed = await send(['ev-1', 'ev-2', 'nobody-yet'], one.clientToken);
  t.match(mixed.json, {
    accepted: 1,
    rejected: 2,
    errors: [
      { index: 1, error: 'externalUserId: the clientToken belongs to someone else' },
      { index: 2, error: 'externalUserId: the clientToken belongs to someone else' },
    ],
  });
  t.match((await send(['ev-2'], other.clientToken)).json, { accepted: 1, rejected: 0 });

  const anonymous = await loggedIn();
  const merged = await loggedIn();
  const fresh = await loggedIn({
    externalUserId: 'ev-1',
    identityHash: hashOf(secret, 'ev-1'),
    clientToken: merged.clientToken,
  });
  const byId = (who: readonly { subscriberId: string }[], token = '') =>
    page().call(
      'POST /e',
      { appId: app, events: who.map(({ subscriberId }) => ({ name: 'by-id', subscriberId })) },
      token === '' ? {} : { authorization: `Bearer ${token}` },
    );
  t.match((await byId([one, anonymous, merged])).json, {
    accepted: 1,
    rejected: 2,
    errors: [
      { index: 0, error: /^subscriberId: this app requires identity verification; / },
      { index: 2, error: /^subscriberId: this app requires identity verification; / },
    ],
  });
  t.match((await byId([one, other, merged, anonymous], one.clientToken)).json, {
    accepted: 3,
    rejected: 1,
    errors: [{ index: 1, error: 'subscriberId: the clientToken belongs to someone else' }],
  });
  t.match((await byId([one, merged], fresh.clientToken)).json, { accepted: 2, rejected: 0 });
  checkRefusal(
    t,
    await send(
      ['ev-1'],
      `${one.clientToken.slice(0, -1)}${one.clientToken.endsWith('A') ? 'B' : 'A'}`,
    ),
    badToken,
    'forged',
  );
  t.match(
    (await api.call('POST /e', events(['ev-1', 'ev-9']))).json,
    { accepted: 2 },
    'a key needs no token',
  );
  t.equal((await api.call(`GET ${base}/subscribers/external:nobody-yet`)).status, 404);
});

t.test(
  'client tokens live through restarts, and end all at once where that is asked for',
  async (t) => {
    const { id: ending } = await api.must('POST /v1/apps', { name: 'Ending' });
    const path = `/v1/apps/${ending}`;
    await api.must(`PATCH ${path}/settings`, { identityVerification: 'first-use' });
    const { subscriberId, clientToken } = await loggedIn({ appId: ending });
    const again = () => login({ appId: ending, clientToken });
    afterKill(server, 'a client token lives until all are ended', async (t) => {
      t.equal((await again()).json.subscriberId, subscriberId);
      await api.must(`POST ${path}/identity-secret`);
      t.equal((await again()).status, 200, 'a new secret ends none');
      await api.must(`POST ${path}/identity-secret?endClientTokens=true`);
      checkRefusal(t, await again(), badToken, 'ended');
    });
    const { id: other } = await org.client.must('POST /v1/apps', { name: 'Other' });
    const theirs = await page().must('POST /v1/sdk/subscriber', { appId: other });
    await org.client.must(`DELETE /v1/apps/${other}`);
    const got = await page().call('POST /v1/sdk/subscriber', {
      appId: other,
      clientToken: theirs.clientToken,
    });
    checkRefusal(t, got, { status: 404, field: 'appId' }, 'of a deleted app');
  },
);

t.test('only an admin makes an identity secret, and of its own app', async (t) => {
  const { key } = await org.client.must('POST /v1/keys', {
    name: 'w',
    scopes: ['read', 'write', 'send'],
  });
  checkRefusal(
    t,
    await client(server.url, key).call(`POST ${base}/identity-secret`),
    { status: 403 },
    'no admin',
  );
  checkRefusal(t, await web.call(`POST ${base}/identity-secret`), { status: 401 }, 'no key');
});

t.test('any page may call /v1/sdk and /e and read the answer, and nothing else', async (t) => {
  const ask = (path: string) =>
    web.call(`OPTIONS ${path}`, undefined, { origin: 'https://shop.example' });
  for (const path of ['/e', '/v1/sdk/subscriber', '/v1/sdk/tags', `/v1/sdk/app/${app}`]) {
    const { status, headers } = await ask(path);
    t.equal(status, 204, path);
    t.equal(headers['access-control-allow-origin'], '*');
    t.match(headers['access-control-allow-methods'], /POST/);
    t.equal(
      headers['access-control-allow-headers'],
      'authorization, content-type, idempotency-key, if-none-match, x-engage-strict, x-request-id',
    );
    t.equal(headers['access-control-max-age'], '86400');
    t.notOk(headers['access-control-allow-credentials']);
  }
  const answers = [
    await web.call(`GET /v1/sdk/app/${app}`),
    await login({}),
    await login({ clientToken: 'x' }),
    await web.call('POST /v1/sdk/tags', '{'),
    await web.call('GET /v1/sdk/nothing'),
    await web.call('DELETE /v1/sdk/tags'),
    await web.call('POST /v1/sdk/tags', 'x'.repeat(1_100_000)),
    await web.call('POST /e', {}),
  ];
  for (const { status, headers } of answers) {
    t.equal(headers['access-control-allow-origin'], '*', String(status));
    t.match(headers['access-control-expose-headers'], /x-request-id/);
  }
  const closed = await ask(`${base}/subscribers`);
  t.not(closed.status, 204);
  t.notOk(closed.headers['access-control-allow-origin']);
  t.notOk((await api.call('GET /v1/org')).headers['access-control-allow-origin']);
});

t.test('a feed and flags that have not changed are a 304', async (t) => {
  const { clientToken } = (await login({})).json;
  const bearer = { authorization: `Bearer ${clientToken}` };
  const read = (path: string, etag = '') =>
    web.call(`GET /v1/sdk/${path}?appId=${app}`, undefined, {
      ...bearer,
      ...(etag === '' ? {} : { 'if-none-match': etag }),
    });
  const [feed, flags] = [await read('feed'), await read('flags')];
  for (const [path, first] of [
    ['feed', feed],
    ['flags', flags],
  ] as const) {
    t.equal(first.status, 200, path);
    const etag = String(first.headers['etag']);
    t.match(etag, /^"[\w-]{22}"$/);
    const again = await read(path, etag);
    t.equal(again.status, 304, path);
    t.equal(again.text, '');
    t.equal((await read(path, '"other"')).status, 200);
  }
  await api.must(`POST ${base}/flags`, { key: 'newest', enabled: true });
  const changed = await read('flags', String(flags.headers['etag']));
  t.equal(changed.status, 200);
  t.match(changed.json, { newest: { enabled: true } });
});
