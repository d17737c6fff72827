// Live Activities from end to end (specification, "Live Activities" and "Limits"; contract,
// sections 1 and 9): a client registers and rotates, the tenant updates and ends, a stand-in of
// Apple, or of FCM, judges what comes and shows it.

import { generateKeyPairSync } from 'node:crypto';
import t, { type Test } from 'tap';
import { afterKill } from '../support/after-kill.ts';
import { otherId } from '../support/other-id.ts';
import { client, eventually, makeOrg } from '../support/server.ts';
import { chapter, checkRefusal, withKey } from './chapter.ts';

const all = await chapter(t);
const { api, app, base, server, takes, refuses } = all;
const web = client(server.url);
const sandbox = client(server.sandboxUrl);
const line = `${base}/live-activities`;

let tokens = 0;
/** A push token that nobody else has. */
const aToken = (digits = '') => (digits + (++tokens).toString(16).padStart(8, '0')).repeat(10);
const logIn = (body: object = {}): Promise<{ subscriberId: string; clientToken: string }> =>
  web.must('POST /v1/sdk/subscriber', { appId: app, ...body });
const me = await logIn({ externalUserId: 'ada' });

interface Registered {
  readonly id: string;
  readonly pushToken: string;
}

async function registered(pushToken = aToken(), who = me, appId = app): Promise<Registered> {
  const { clientToken } = who;
  const body = { appId, clientToken, activityType: 'DeliveryAttributes', pushToken };
  const { id } = await web.must('POST /v1/sdk/live-activities', body);
  return { id, pushToken };
}

const stateOf = async (id: string) => {
  const { items } = await api.must(`GET ${line}?subscriberId=${me.subscriberId}`);
  return items.find((one: { id: string }) => one.id === id)?.state;
};

/** Waits until nothing of a send is pending. */
const settled = (send: string, of = base) =>
  eventually(async () => {
    const view = await api.must(`GET ${of}/notifications/${send}`);
    return view.status === 'pending' ? undefined : view;
  }, `${send} stays pending`);

/** What a stand-in was handed for a recipient, newest first. */
async function handed(to: string) {
  const { messages } = await sandbox.must(`GET /control/messages?limit=200&q=${to}`);
  const whole = [];
  for (const { id, note } of messages) {
    const { exchange } = await sandbox.must(`GET /control/messages/${id}`);
    whole.push({ note, exchange, body: JSON.parse(exchange.requestBody) });
  }
  return whole;
}

t.test(
  'a registered activity is updated and ended, and each is a send with its receipt',
  async (t) => {
    const attributes = { order: '1042', nested: { of: [1, null] } };
    const pushToken = aToken().toUpperCase();
    const made = await web.call('POST /v1/sdk/live-activities', {
      appId: app,
      clientToken: me.clientToken,
      activityType: 'DeliveryAttributes',
      pushToken,
      attributes,
    });
    t.equal(made.status, 201, made.text);
    t.same(Object.keys(made.json), ['id']);
    const { id } = made.json;
    t.match(id, /^la_[0-9a-hjkmnp-tv-z]{26}$/);
    const { items } = await api.must(`GET ${line}`);
    t.match(items, [
      {
        id,
        activityType: 'DeliveryAttributes',
        subscriberId: me.subscriberId,
        externalUserId: 'ada',
        state: 'active',
        attributes,
        createdAt: /^20.*Z$/,
        updatedAt: /^20.*Z$/,
      },
    ]);
    t.notMatch(JSON.stringify(items), new RegExp(pushToken, 'i'), 'a token is never shown');

    const contentState = { status: 'on_the_way', etaMinutes: 12, note: null, text: 'süß {{ x }}' };
    const alert = { title: 'On its way', body: 'Twelve minutes' };
    const updated = await takes(t, `POST ${line}/${id}/update`, { contentState, alert }, 202);
    t.same(Object.keys(updated.json), ['id']);
    t.match(updated.json.id, /^ntf_/);
    t.match(await settled(updated.json.id), {
      status: 'delivered',
      outcomes: [{ deviceId: id, channel: 'apns', status: 'delivered', attempts: 1 }],
    });
    const ended = await takes(t, `POST ${line}/${id}/end`, { contentState: { done: true } }, 202);
    t.match(await settled(ended.json.id), { status: 'delivered' });
    const [last, first] = await handed(pushToken.toLowerCase());
    t.same(first?.body.aps, {
      timestamp: first?.body.aps.timestamp,
      event: 'update',
      'content-state': contentState,
      alert: { ...alert, sound: 'default' },
    });
    t.same(Object.keys(first?.body), ['aps']);
    const headers: string[] = first?.exchange.requestHeaders.flat();
    const header = (name: string) => headers[headers.indexOf(name) + 1];
    t.equal(header('apns-topic'), 'sandbox.push-type.liveactivity');
    t.equal(header('apns-push-type'), 'liveactivity');
    t.equal(header('apns-priority'), '10');
    t.match(last?.body.aps, { event: 'end', 'content-state': { done: true } });
    t.ok(last?.body.aps.timestamp > first?.body.aps.timestamp);
    t.equal(last?.note, 'A Live Activity: end');

    t.equal(await stateOf(id), 'ended');
    for (const verb of ['update', 'end'])
      await refuses(
        t,
        `POST ${line}/${id}/${verb}`,
        { contentState: {} },
        { status: 409, code: 'wrong_state' },
      );
    const { items: events } = await api.must(`GET ${base}/events?name=delivered`);
    t.match(
      events.find((event: { sendId: string }) => event.sendId === updated.json.id),
      { deviceId: id, channel: 'apns', subscriberId: me.subscriberId },
    );
  },
);

t.test('what is wrong with a registration, a rotation or a push is named', async (t) => {
  const { id } = await registered();
  const { clientToken } = me;
  const good = { appId: app, clientToken, activityType: 'A', pushToken: aToken() };
  const registrations: [object, string, number?][] = [
    [{ activityType: undefined }, 'activityType'],
    [{ activityType: '' }, 'activityType'],
    [{ activityType: 'x'.repeat(129) }, 'activityType'],
    [{ activityType: 'a\u0007' }, 'activityType'],
    [{ pushToken: undefined }, 'pushToken'],
    [{ pushToken: 'zz'.repeat(40) }, 'pushToken'],
    [{ pushToken: 'a'.repeat(65) }, 'pushToken'],
    [{ pushToken: 'ab'.repeat(31) }, 'pushToken'],
    [{ pushToken: 'ab'.repeat(201) }, 'pushToken'],
    [{ attributes: [] }, 'attributes'],
    [{ attributes: { x: 'x'.repeat(2_041) } }, 'attributes'],
    [{ clientToken: 'ct_no' }, 'clientToken', 401],
    [{ appId: otherId(app) }, 'appId', 404],
    [{ deviceId: 'dev_x' }, 'deviceId', 404],
  ];
  for (const [more, field, status = 400] of registrations) {
    const reply = await web.call('POST /v1/sdk/live-activities', { ...good, ...more });
    checkRefusal(t, reply, { status, field }, JSON.stringify(more).slice(0, 80));
  }
  for (const pushToken of ['ab'.repeat(32), 'ab'.repeat(200)])
    t.equal((await web.call('POST /v1/sdk/live-activities', { ...good, pushToken })).status, 201);
  const most = { ...good, attributes: { x: 'x'.repeat(2_040) } };
  t.equal((await web.call('POST /v1/sdk/live-activities', most)).status, 201);

  const rotate = (of: string, body: object) => web.call(`PUT /v1/sdk/live-activities/${of}`, body);
  checkRefusal(t, await rotate(id, { clientToken }), { status: 400, field: 'pushToken' }, 'none');
  const stranger = await logIn();
  const unknown = { status: 404, code: 'not_found', error: 'live activity not found' };
  const pushToken = aToken();
  checkRefusal(t, await rotate(id, { ...stranger, pushToken }), unknown, 'of somebody else');
  for (const of of ['la_x', otherId(id), `la_${'0'.repeat(26)}`, `la_${'z'.repeat(26)}`])
    checkRefusal(t, await rotate(of, { clientToken, pushToken }), unknown, of);

  const pushes: [object, string][] = [
    [{}, 'contentState'],
    [{ contentState: [] }, 'contentState'],
    [{ contentState: 'x' }, 'contentState'],
    [{ contentState: null }, 'contentState'],
    [{ contentState: {}, alert: {} }, 'alert.title'],
    [{ contentState: {}, alert: { title: 'x' } }, 'alert.body'],
    [{ contentState: {}, alert: { body: 'x' } }, 'alert.title'],
    [{ contentState: {}, alert: { title: ' ', body: 'x' } }, 'alert.title'],
    [{ contentState: {}, alert: 'x' }, 'alert'],
  ];
  for (const [body, field] of pushes)
    await refuses(t, `POST ${line}/${id}/update`, body, { status: 400, code: 'invalid', field });
  for (const of of ['la_x', otherId(id)])
    await refuses(t, `POST ${line}/${of}/update`, { contentState: {} }, { status: 404 });
  await refuses(t, `GET ${line}?state=over`, undefined, { status: 400, field: 'state' });
  await refuses(t, `GET ${line}?cursor=x`, undefined, { status: 400, field: 'cursor' });
  await refuses(t, `GET ${line}?subscriberId=sub_x`, undefined, {
    status: 404,
    field: 'subscriberId',
  });
});

t.test(
  'the whole payload is bounded at 4,096 bytes: one below is taken by Apple, one above is a 400 that says so',
  async (t) => {
    const { id, pushToken } = await registered();
    const push = (bytes: number, more: object = {}) =>
      api.call(`POST ${line}/${id}/update`, { contentState: { x: 'x'.repeat(bytes) }, ...more });
    const far = await push(4_096);
    checkRefusal(
      t,
      far,
      { status: 400, field: 'contentState', error: /\d+ bytes over Apple's limit of 4096/ },
      'far',
    );
    const over = Number(/which is (\d+) bytes over/.exec(far.json.error)?.[1]);
    for (const bytes of [4_096 - over, 4_095 - over]) {
      const reply = await push(bytes);
      t.equal(reply.status, 202, reply.text);
      t.match(await settled(reply.json.id), { status: 'delivered' });
    }
    const whole = (await handed(pushToken)).map(({ exchange }) =>
      Buffer.byteLength(exchange.requestBody),
    );
    t.same(whole, [4_095, 4_096]);
    checkRefusal(
      t,
      await push(4_097 - over),
      { status: 400, error: /which is 1 bytes over/ },
      'one',
    );
    const alert = { title: 'T', body: 'B' };
    checkRefusal(
      t,
      await push(4_096 - over, { alert }),
      { status: 400, field: 'contentState' },
      'alert',
    );
  },
);

t.test('a dead token closes its activity, and a new one opens it again', async (t) => {
  const { id } = await registered(aToken('dead'));
  const lost = await takes(t, `POST ${line}/${id}/update`, { contentState: { n: 1 } }, 202);
  t.match(await settled(lost.json.id), {
    status: 'bounced',
    outcomes: [{ deviceId: id, reason: 'unregistered' }],
  });
  t.equal(await stateOf(id), 'closed');
  t.same(
    (await api.must(`GET ${line}?state=closed`)).items.map((one: { id: string }) => one.id),
    [id],
  );
  await refuses(
    t,
    `POST ${line}/${id}/update`,
    { contentState: {} },
    { status: 409, code: 'wrong_state' },
  );
  const pushToken = aToken();
  const { clientToken } = me;
  const rotated = await web.call(`PUT /v1/sdk/live-activities/${id}`, { clientToken, pushToken });
  t.equal(rotated.status, 200, rotated.text);
  t.same(rotated.json, { id, state: 'active' });
  const sent = await takes(t, `POST ${line}/${id}/update`, { contentState: { n: 2 } }, 202);
  t.match(await settled(sent.json.id), { status: 'delivered' });
  t.equal((await handed(pushToken)).length, 1);
});

t.test('a token of neither of Apple’s servers closes its activity, too', async (t) => {
  const { id } = await registered(aToken('e400a'.padEnd(8, '0')));
  const { json } = await takes(t, `POST ${line}/${id}/update`, { contentState: {} }, 202);
  t.match(await settled(json.id), {
    status: 'bounced',
    outcomes: [{ reason: 'bad_device_token' }],
  });
  t.equal(await stateOf(id), 'closed');
});

t.test('a burst shows in its order, whatever overtakes whatever', async (t) => {
  const { id, pushToken } = await registered();
  const sends = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      takes(t, `POST ${line}/${id}/update`, { contentState: { n } }, 202),
    ),
  );
  const views = await Promise.all(sends.map(({ json }) => settled(json.id)));
  for (const view of views)
    t.ok(
      view.status === 'delivered' || view.outcomes[0].reason === 'superseded',
      JSON.stringify(view.outcomes),
    );
  const stamps = (await handed(pushToken)).map(({ body }) => body.aps.timestamp);
  t.equal(new Set(stamps).size, stamps.length, 'no two are alike');
  t.equal(stamps.length, views.filter(({ status }) => status === 'delivered').length);
});

t.test('a busy provider is tried again', async (t) => {
  await sandbox.must('POST /control/faults', {
    channel: 'apns',
    match: '*',
    fault: 'status',
    value: 503,
    count: 1,
  });
  const other = await registered();
  const again = await takes(t, `POST ${line}/${other.id}/end`, { contentState: {} }, 202);
  const view = await settled(again.json.id);
  t.match(view, { status: 'delivered', outcomes: [{ attempts: 2 }] });
});

t.test('an idempotency key makes a retry one push, of the end as well', async (t) => {
  const { id, pushToken } = await registered();
  const body = { contentState: { done: true } };
  const keyed = (verb: string, more: object, key = 'k-1') =>
    api.call(`POST ${line}/${id}/${verb}`, more, { 'idempotency-key': key });
  const one = await keyed('update', body);
  const two = await keyed('update', body);
  t.same([one.status, two.status, two.json], [202, 202, one.json]);
  t.equal(two.headers['x-idempotent-replay'], 'true');
  checkRefusal(
    t,
    await keyed('update', { contentState: {} }),
    { status: 409, code: 'idempotency_conflict' },
    'other',
  );
  const end = await keyed('end', body);
  t.equal(end.status, 202, 'a key of an end is not one of an update');
  t.same((await keyed('end', body)).json, end.json);
  await settled(end.json.id);
  t.ok((await handed(pushToken)).length <= 2);
});

t.test(
  'an update costs one unit of the transactional lane, and needs the scope to send',
  async (t) => {
    const { id } = await registered();
    const push = await api.call(`POST ${line}/${id}/update`, { contentState: {} });
    t.equal(push.headers['x-ratelimit-lane'], 'transactional');
    t.equal((await api.call(`GET ${line}`)).headers['x-ratelimit-lane'], 'standard');
    const keyOf = async (scopes: string[]) =>
      withKey(all, (await api.must('POST /v1/keys', { name: 'k', scopes })).key);
    const writer = await keyOf(['write', 'read']);
    for (const verb of ['update', 'end']) {
      const reply = await writer.call(`POST ${line}/${id}/${verb}`, { contentState: {} });
      checkRefusal(t, reply, { status: 403, code: 'forbidden' }, verb);
    }
    const sender = await keyOf(['send']);
    t.equal((await sender.call(`POST ${line}/${id}/update`, { contentState: {} })).status, 202);
    checkRefusal(t, await sender.call(`GET ${line}`), { status: 403 }, 'list');
    const org = await makeOrg(server, 'Narrow', {
      rateLimits: { transactional: 1, standard: null },
    });
    const { id: narrow } = await org.client.must('POST /v1/apps', { name: 'Narrow' });
    const who = await web.must('POST /v1/sdk/subscriber', { appId: narrow });
    const theirs = await registered(aToken(), who, narrow);
    const path = `POST /v1/apps/${narrow}/live-activities/${theirs.id}/update`;
    t.equal((await org.client.call(path, { contentState: {} })).status, 202);
    checkRefusal(
      t,
      await org.client.call(path, { contentState: {} }),
      { status: 429 },
      'the second',
    );
  },
);

t.test('an app that has FCM alone reaches the phone and its activity through it', async (t) => {
  const { id: fcmApp } = await api.must('POST /v1/apps', { name: 'Fire' });
  const of = `/v1/apps/${fcmApp}`;
  await api.must(`POST ${of}/credentials/fcm`, serviceAccount());
  const who = await web.must('POST /v1/sdk/subscriber', { appId: fcmApp });
  const { id, pushToken } = await registered(aToken(), who, fcmApp);
  const push = async (t: Test, contentState: object) => {
    const { json } = await takes(
      t,
      `POST ${of}/live-activities/${id}/update`,
      { contentState },
      202,
    );
    return settled(json.id, of);
  };
  t.match(await push(t, { n: 1 }), { status: 'suppressed', outcomes: [{ reason: 'no_device' }] });
  const phone = `phone-of-${id}`;
  const { clientToken } = who;
  const body = { appId: fcmApp, clientToken, channel: 'fcm', endpoint: phone };
  await web.must('POST /v1/sdk/register', body);
  t.match(await push(t, { n: 2 }), {
    status: 'delivered',
    outcomes: [{ channel: 'fcm', deviceId: id, status: 'delivered' }],
  });
  const [message] = await handed(phone);
  t.match(message?.body.message, {
    token: phone,
    apns: {
      live_activity_token: pushToken,
      headers: { 'apns-priority': '10' },
      payload: { aps: { event: 'update', 'content-state': { n: 2 } } },
    },
  });
  const dead = aToken('dead');
  await web.must(`PUT /v1/sdk/live-activities/${id}`, { clientToken, pushToken: dead });
  t.match(await push(t, { n: 3 }), { status: 'bounced' });
  const { items } = await api.must(`GET ${of}/live-activities`);
  t.match(items, [{ id, state: 'closed' }]);
  const person = await api.must(`GET ${of}/subscribers/${who.subscriberId}`);
  t.match(person.devices, [{ endpoint: phone, enabled: true }], 'the phone is not to blame');
});

t.test(
  'a kill forgets nothing: neither rows, nor tokens, nor how far timestamps have come',
  async (t) => {
    const { id, pushToken } = await registered();
    for (let n = 0; n < 5; n++) {
      const { json } = await takes(t, `POST ${line}/${id}/update`, { contentState: { n } }, 202);
      await settled(json.id);
    }
    const { id: ended } = await registered();
    const { json } = await takes(t, `POST ${line}/${ended}/end`, { contentState: { n: 0 } }, 202);
    await settled(json.id);
    afterKill(server, 'an activity goes on, and one that has ended stays ended', async (t) => {
      const { json } = await takes(t, `POST ${line}/${id}/end`, { contentState: { n: 5 } }, 202);
      await settled(json.id);
      t.equal(await stateOf(id), 'ended');
      // The sandbox went with it; what is left is the order.
      const [last] = await handed(pushToken);
      t.match(last?.body.aps, { event: 'end' });
      t.equal(await stateOf(ended), 'ended');
      await refuses(t, `POST ${line}/${ended}/update`, { contentState: {} }, { status: 409 });
    });
  },
);

function serviceAccount(): object {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return {
    type: 'service_account',
    project_id: 'fire',
    private_key_id: 'k1',
    private_key: privateKey,
    client_email: 'push@fire.iam.gserviceaccount.com',
    token_uri: 'https://oauth2.googleapis.com/token',
  };
}
