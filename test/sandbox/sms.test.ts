// The carrier's stand-in for text messages by a real client: what it takes, what it refuses, and
// the signed callbacks.

import t, { type Test } from 'tap';
import { listenForCallbacks } from './carrier-listener.ts';
import { withSandbox } from './with-sandbox.ts';

const sid = `AC${'1'.repeat(32)}`;
const path = `/carrier/2010-04-01/Accounts/${sid}/Messages.json`;
const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});
const authorization = basic(sid, 'the-token');
const type = { 'content-type': 'application/x-www-form-urlencoded' };
const good = { To: '+14155550123', From: '+14155550100', Body: 'Hello' };
type Form = Record<string, string | readonly string[]>;

function encoded(form: Form): string {
  const pairs = Object.entries(form).flatMap(([name, value]) =>
    [value].flat().map((one) => [name, one] as [string, string]),
  );
  return new URLSearchParams(pairs).toString();
}

async function rig(test: Test) {
  const sandbox = await withSandbox(test);
  return {
    ...sandbox,
    send: (form: Form, headers: Record<string, string> = authorization) =>
      sandbox.call('POST', path, encoded(form), { ...type, ...headers }),
    callbacks: (setting?: object) =>
      sandbox.call(setting ? 'POST' : 'GET', '/control/sms/callbacks', setting),
  };
}

t.test('a message is taken and recorded as its recipient sees it', async (test) => {
  const { send, messages } = await rig(test);
  const reply = await send({
    ...good,
    Body: 'Shipped’\nhttps://shop.example.com/1',
    MediaUrl: 'https://cdn.example.com/a.png',
    ValidityPeriod: '60',
    StatusCallback: 'http://127.0.0.1:1/v1/x?app=app_1&send=ntf_1&device=dev_1',
  });
  test.equal(reply.status, 201);
  test.match(reply.json, {
    sid: /^MM[0-9a-f]{32}$/,
    status: 'queued',
    account_sid: sid,
    to: good.To,
    from: good.From,
    messaging_service_sid: null,
    num_segments: '1',
    num_media: '1',
    error_code: null,
  });
  const [message] = await messages();
  test.match(message, {
    channel: 'sms',
    look: 'chat',
    to: good.To,
    sender: good.From,
    text: 'Shipped’\nhttps://shop.example.com/1',
    image: 'https://cdn.example.com/a.png',
    link: 'https://shop.example.com/1',
    sendId: 'ntf_1',
    deviceId: 'dev_1',
    outcome: 'accepted',
    status: 201,
  });
  const service = `MG${'2'.repeat(32)}`;
  const { From: _from, ...rest } = good;
  test.match((await send({ ...rest, MessagingServiceSid: service })).json, {
    sid: /^SM/,
    status: 'accepted',
    from: null,
    messaging_service_sid: service,
  });
});

t.test('what the carrier refuses is refused in its own words', async (test) => {
  const { send, call, messages } = await rig(test);
  const { From: _from, ...nobody } = good;
  const host = 'https://engage.example.com/';
  const refused: [why: string, form: Form, status: number, code: number][] = [
    ['no recipient', { ...good, To: '' }, 400, 21604],
    ['a number without its country', { ...good, To: '4155550123' }, 400, 21211],
    ['a number with a blank', { ...good, To: '+1 4155550123' }, 400, 21211],
    ['nobody it is from', nobody, 400, 21603],
    ['a sender that is none', { ...good, From: 'a name too long' }, 400, 21212],
    ['a service that is none', { ...nobody, MessagingServiceSid: 'MG1' }, 400, 21703],
    ['no text', { ...good, Body: '' }, 400, 21602],
    ['a text too long', { ...good, Body: 'x'.repeat(1601) }, 400, 21617],
    ['a picture from nowhere', { ...good, MediaUrl: 'file:///etc/passwd' }, 400, 21620],
    ['eleven pictures', { ...good, MediaUrl: Array(11).fill(`${host}a`) }, 400, 21620],
    ['a life of nothing', { ...good, ValidityPeriod: '0' }, 400, 20001],
    ['a life too long', { ...good, ValidityPeriod: '36001' }, 400, 20001],
    ['a life with its unit', { ...good, ValidityPeriod: '60s' }, 400, 20001],
    ['a callback to nowhere', { ...good, StatusCallback: '/v1/x' }, 400, 21609],
    ['a callback to a host_name', { ...good, StatusCallback: 'http://a_b.example/' }, 400, 21609],
    ['a callback too long', { ...good, StatusCallback: host + 'x'.repeat(3974) }, 400, 21609],
    ['a parameter nobody knows', { ...good, StatusCallBack: host }, 400, 20001],
  ];
  for (const [why, form, status, code] of refused) {
    const reply = await send(form);
    test.match(reply, { status, json: { code, status, more_info: /errors/ } }, why);
  }
  for (const form of [
    { ...good, Body: 'x'.repeat(1600) },
    { ...good, MediaUrl: Array(10).fill(`${host}a`) },
    { ...good, ValidityPeriod: '1' },
    { ...good, ValidityPeriod: '36000' },
    { ...good, StatusCallback: host + 'x'.repeat(3973) },
    { ...good, From: 'Shop' },
    { ...good, From: '12345' },
  ]) {
    test.equal((await send(form)).status, 201);
  }
  const before = (await messages()).length;
  test.match(await call('POST', path, encoded(good), authorization), {
    status: 400,
    json: { code: 21604 },
  });
  const other = path.replace('Messages', 'Message');
  test.match(await call('POST', other, encoded(good), { ...type, ...authorization }), {
    status: 404,
    json: { code: 20404 },
  });
  test.equal((await call('GET', path, undefined, authorization)).status, 404);
  test.equal((await messages()).length, before, 'and none of them is a message to anybody');
});

t.test('only who signs in is heard', async (test) => {
  const { send, call } = await rig(test);
  const refused: Record<string, string>[] = [
    {},
    { authorization: 'Bearer the-token' },
    { authorization: 'Basic ???' },
    basic(sid, ''),
    basic(`AC${'2'.repeat(32)}`, 'the-token'),
    basic('SK1', 'secret'),
  ];
  for (const headers of refused) {
    test.match(await send(good, headers), { status: 401, json: { code: 20003 } });
  }
  test.equal((await send(good, basic(`SK${'3'.repeat(32)}`, 'secret'))).status, 201);
  const own = `AC${'5a'.repeat(16)}`;
  const sandboxPath = path.replace(sid, own);
  for (const [password, status] of [
    ['sandbox-auth-token', 201],
    ['another', 401],
  ] as const) {
    const headers = { ...type, ...basic(own, password) };
    test.equal((await call('POST', sandboxPath, encoded(good), headers)).status, status);
  }
});

t.test('each number of the test range gets what it says', async (test) => {
  const { send, call, callbacks } = await rig(test);
  await callbacks({ on: false });
  const expected: [digits: string, status: number, code?: number][] = [
    ['0001', 400, 21211],
    ['0002', 400, 21612],
    ['0003', 400, 21408],
    ['0004', 400, 21610],
    ['0005', 429, 20429],
    ['0006', 503],
    ['0007', 201],
    ['0009', 400, 21614],
    ['0010', 401, 20003],
    ['0011', 201],
    ['0012', 201],
    ['0013', 201],
    ['0014', 201],
    ['0015', 201],
    ['0019', 201],
    ['0020', 201],
  ];
  for (const [digits, status, code] of expected) {
    const reply = await send({ ...good, To: `+1500555${digits}` });
    test.equal(reply.status, status, digits);
    if (code !== undefined) test.equal(reply.json.code, code, digits);
    test.equal(reply.headers['retry-after'], digits === '0005' ? '2' : undefined, digits);
  }
  for (const digits of ['0008', '0018']) {
    await test.rejects(send({ ...good, To: `+1500555${digits}` }), digits);
  }
  const { channels } = (await call('GET', '/control/channels')).json;
  const told = channels
    .find(({ channel }: { channel: string }) => channel === 'sms')
    .faults.map(({ prefix }: { prefix: string }) => prefix);
  for (const [digits] of expected) test.ok(told.includes(`+1500555${digits}`), digits);
});

t.test('callbacks tell what became of a message, signed and with our ids', async (test) => {
  const { send, callbacks } = await rig(test);
  const listener = await listenForCallbacks(test);
  await callbacks({ delayMs: 0 });
  const query = '?app=app_1&send=ntf_1&device=dev_1';
  const reply = await send({ ...good, StatusCallback: `${listener.url}/v1/s${query}` });
  const came = await listener.came(2);
  test.same(
    came.map(({ form }) => form['MessageStatus']),
    ['sent', 'delivered'],
  );
  for (const { path: to, headers, form, isSignedWith } of came) {
    test.equal(to, `/v1/s${query}`);
    test.ok(isSignedWith('the-token'));
    test.notOk(isSignedWith('another'));
    test.equal(headers['x-twilio-signature'], headers['x-carrier-signature']);
    test.match(form, {
      MessageSid: reply.json.sid,
      SmsSid: reply.json.sid,
      AccountSid: sid,
      From: good.From,
      To: good.To,
      SmsStatus: form['MessageStatus'],
      ApiVersion: '2010-04-01',
    });
    test.notOk('ErrorCode' in form);
  }
  test.match(came[1]?.form, { RawDlrDoneDate: /^\d{10}$/ });
});

t.test('a number decides what its callbacks say', async (test) => {
  const { send, callbacks } = await rig(test);
  await callbacks({ delayMs: 0 });
  const expected: [digits: string, statuses: string[], code?: string][] = [
    ['0000', ['sent', 'delivered']],
    ['0007', ['sent', 'undelivered'], '30005'],
    ['0011', ['sent', 'sent', 'delivered', 'delivered']],
    ['0012', ['delivered', 'sent']],
    ['0013', ['sent', 'delivered', 'undelivered'], '30005'],
    ['0014', ['sent', 'undelivered'], '30003'],
    ['0015', ['sent', 'delivered']],
    ['0020', ['sent', 'undelivered'], '30007'],
  ];
  for (const [digits, statuses, code] of expected) {
    const listener = await listenForCallbacks(test);
    const StatusCallback = `${listener.url}/v1/s`;
    await send({ ...good, To: `+1500555${digits}`, StatusCallback });
    const came = await listener.came(statuses.length);
    test.same(
      came.map(({ form }) => form['MessageStatus']),
      statuses,
      digits,
    );
    const codes = came.flatMap(({ form }) => form['ErrorCode'] ?? []);
    test.same(codes, code === undefined ? [] : [code], digits);
    for (const one of came) test.equal(one.isSignedWith('the-token'), digits !== '0015', digits);
  }
});

t.test(
  'a message that was sent though nobody was told has callbacks all the same',
  async (test) => {
    const { send, callbacks } = await rig(test);
    const listener = await listenForCallbacks(test);
    await callbacks({ delayMs: 0 });
    const StatusCallback = `${listener.url}/v1/s`;
    // Neither a refusal, nor what was read and forgotten, nor a number that is silent, has any.
    for (const digits of ['0001', '0005', '0019']) {
      await send({ ...good, To: `+1500555${digits}`, StatusCallback });
    }
    await test.rejects(send({ ...good, To: '+15005550008', StatusCallback }));
    await test.rejects(send({ ...good, To: '+15005550018', StatusCallback }));
    const came = await listener.came(2);
    test.same(
      came.map(({ form }) => form['To']),
      ['+15005550018', '+15005550018'],
    );
  },
);

t.test('callbacks that nobody takes disturb nobody, and are counted', async (test) => {
  const { send, callbacks } = await rig(test);
  const listener = await listenForCallbacks(test);
  await callbacks({ delayMs: 0 });
  const counts = async () => (await callbacks()).json;
  const settled = async () => {
    for (;;) {
      const now = await counts();
      if (now.waiting === 0) return now;
    }
  };
  listener.answer = 404;
  test.equal((await send({ ...good, StatusCallback: `${listener.url}/s` })).status, 201);
  await listener.came(2);
  test.match(await settled(), { taken: 0, refused: 2, unanswered: 0, elsewhere: 0 });
  listener.answer = 'cut';
  await send({ ...good, StatusCallback: `${listener.url}/s` });
  await listener.came(4);
  test.match(await settled(), { refused: 2, unanswered: 2 });
  for (const StatusCallback of [
    'https://engage.example.com/s',
    'http://192.0.2.1/s',
    'https://127.0.0.1/s',
  ]) {
    await send({ ...good, StatusCallback });
  }
  test.match(await settled(), { refused: 2, unanswered: 2, elsewhere: 6 });
  listener.answer = 204;
  test.match((await callbacks({ on: false })).json, { on: false });
  await send({ ...good, StatusCallback: `${listener.url}/s` });
  test.match((await callbacks({ on: true })).json, { on: true, waiting: 0 });
  await send({ ...good, StatusCallback: `${listener.url}/s`, To: '+14155550199' });
  const came = await listener.came(6);
  test.same(
    came.slice(4).map(({ form }) => form['To']),
    ['+14155550199', '+14155550199'],
    'none of those that were off',
  );
  for (const setting of [{ delayMs: -1 }, { delayMs: 60_001 }, { on: 'yes' }, { other: 1 }]) {
    test.equal((await callbacks(setting)).status, 400);
  }
});

t.test('a person who was written to answers', async (test) => {
  const { send, call, callbacks } = await rig(test);
  await callbacks({ on: false });
  const listener = await listenForCallbacks(test);
  const answer = (body: object) => call('POST', '/control/sms/inbound', body);
  test.match(await answer({ from: good.To, body: 'STOP' }), {
    status: 404,
    json: { error: /url/ },
  });
  const base = `${listener.url}/v1/webhooks/twilio`;
  await send({ ...good, StatusCallback: `${base}/sms-status?app=app_1&send=ntf_1&device=dev_1` });
  const url = `${base}/sms-inbound/app_1`;
  test.match(await answer({ from: good.To, body: 'STOP' }), {
    status: 200,
    json: { url, status: 204 },
  });
  test.match(listener.callbacks[0], {
    path: '/v1/webhooks/twilio/sms-inbound/app_1',
    form: {
      MessageSid: /^SM[0-9a-f]{32}$/,
      AccountSid: sid,
      From: good.To,
      To: good.From,
      Body: 'STOP',
      NumMedia: '0',
      NumSegments: '1',
    },
  });
  test.ok(listener.callbacks[0]?.isSignedWith('the-token'));
  await answer({ from: good.To, body: 'start', optOutType: 'START', isForged: true });
  test.match(listener.callbacks[1]?.form, { Body: 'start', OptOutType: 'START' });
  test.notOk(listener.callbacks[1]?.isSignedWith('the-token'));
  test.not(listener.callbacks[0]?.form['MessageSid'], listener.callbacks[1]?.form['MessageSid']);
  const other = { from: '+66812345678', body: 'หยุด', url, authToken: 'other', to: '+1' };
  await answer(other);
  test.match(listener.callbacks[2]?.form, { From: other.from, Body: other.body, To: '+1' });
  test.ok(listener.callbacks[2]?.isSignedWith('other'));
  listener.answer = 'cut';
  test.match(await answer({ from: good.To, body: 'STOP' }), { status: 502 });
  test.match(await answer({ from: 'x', body: '' }), { status: 400, json: { error: /^from: / } });
});
