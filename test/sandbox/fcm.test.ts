// The FCM stand-in by a real client: what it takes, and each refusal with or without the FcmError
// detail that decides whether a device may be pruned.

import t, { type Test } from 'tap';
import { withSandbox } from './with-sandbox.ts';

const path = '/fcm/v1/projects/acme/messages:send';
const authorization = { authorization: 'Bearer sandbox' };
const errorCodeOf = (json: { error: { details?: { errorCode?: string }[] } }) =>
  json.error.details?.[0]?.errorCode;

async function rig(test: Test) {
  const sandbox = await withSandbox(test);
  return {
    ...sandbox,
    send: (message: unknown, headers: Record<string, string> = authorization) =>
      sandbox.call('POST', path, { message }, headers),
  };
}

t.test(
  'a message is accepted under its project and recorded as its recipient sees it',
  async (test) => {
    const { send, messages, call } = await rig(test);
    const reply = await send({
      token: 'phone-1',
      notification: { title: 'Shipped', body: 'On its way' },
      android: { priority: 'HIGH', ttl: '60s', notification: { notification_count: 3 } },
      data: { deepLink: 'acme://o/1', engageSendId: 'ntf_1', engageDeviceId: 'dev_1' },
    });
    test.equal(reply.status, 200);
    test.match(reply.json.name, /^projects\/acme\/messages\/0:\d+%[0-9a-f]{16}$/);
    const [message] = await messages();
    test.match(message, {
      channel: 'fcm',
      look: 'phone',
      to: 'phone-1',
      title: 'Shipped',
      text: 'On its way',
      badge: 3,
      link: 'acme://o/1',
      sendId: 'ntf_1',
      deviceId: 'dev_1',
      outcome: 'accepted',
      status: 200,
    });
    const { exchange } = (await call('GET', `/control/messages/${message.id}`)).json;
    test.equal(exchange.request, `POST ${path} HTTP/1.1`);
    test.match(JSON.parse(exchange.requestBody), { message: { token: 'phone-1' } });
    test.equal(exchange.answer.status, 200);
  },
);

t.test('each recipient name gets the refusal that FCM would give', async (test) => {
  const { send } = await rig(test);
  const expected: [
    token: string,
    status: number,
    errorCode: string | undefined,
    retryAfter?: string,
  ][] = [
    ['dead-1', 404, 'UNREGISTERED'],
    ['badproj-1', 404, undefined],
    ['badarg-1', 400, 'INVALID_ARGUMENT'],
    ['quota-1', 429, 'QUOTA_EXCEEDED', '2'],
    ['quota30-1', 429, 'QUOTA_EXCEEDED', '30'],
    ['busy-1', 503, 'UNAVAILABLE'],
    ['mism-1', 403, 'SENDER_ID_MISMATCH'],
    ['iam-1', 403, undefined],
    ['DEAD-upper', 404, 'UNREGISTERED'],
  ];
  for (const [token, status, errorCode, retryAfter] of expected) {
    const reply = await send({ token, notification: { title: 'x' } });
    test.equal(reply.status, status, token);
    test.equal(errorCodeOf(reply.json), errorCode, token);
    test.equal(reply.headers['retry-after'], retryAfter, token);
  }
});

t.test(
  'a dropped call gets no answer and a hanging one none for as long as the caller waits',
  async (test) => {
    const { send, url, messages } = await rig(test);
    await test.rejects(send({ token: 'drop-1' }));
    const body = JSON.stringify({ message: { token: 'hang-1' } });
    const signal = AbortSignal.timeout(150);
    await test.rejects(fetch(url + path, { method: 'POST', headers: authorization, body, signal }));
    test.same(
      (await messages()).map(({ to, outcome }) => [to, outcome]),
      [
        ['hang-1', 'unanswered'],
        ['drop-1', 'unanswered'],
      ],
    );
  },
);

t.test('a slow call is accepted after the delay that its name asks for', async (test) => {
  const { send } = await rig(test);
  const started = performance.now();
  test.equal((await send({ token: 'slow40-1' })).status, 200);
  test.ok(performance.now() - started >= 39);
});

t.test('what FCM refuses is refused before any fault is played', async (test) => {
  const { send } = await rig(test);
  const notification = { title: 'x' };
  const refused: [why: string, message: unknown, status: number, errorCode?: string][] = [
    ['no target', { notification }, 400, 'INVALID_ARGUMENT'],
    ['two targets', { token: 'dead-1', topic: 'b' }, 400],
    ['a number in data', { token: 'dead-1', data: { n: 1 } }, 400],
    ['a reserved key', { token: 'dead-1', data: { from: 'x' } }, 400, 'INVALID_ARGUMENT'],
    ['a reserved prefix', { token: 'dead-1', data: { 'google.x': 'x' } }, 400, 'INVALID_ARGUMENT'],
    ['an unknown field', { token: 'dead-1', notificaton: {} }, 400],
    ['a ttl without its unit', { token: 'dead-1', android: { ttl: '60' } }, 400],
    [
      'a ttl past 28 days',
      { token: 'dead-1', android: { ttl: '2419201s' } },
      400,
      'INVALID_ARGUMENT',
    ],
    ['a wrong priority', { token: 'dead-1', android: { priority: 'MAX' } }, 400],
    ['not a message', 7, 400],
  ];
  for (const [why, message, status, errorCode] of refused) {
    const reply = await send(message);
    test.equal(reply.status, status, why);
    test.equal(errorCodeOf(reply.json), errorCode, why);
  }
  test.equal((await send({ token: 'a' }, {})).status, 401, 'no credential');
  test.equal(
    (await send({ token: 'a' }, { authorization: 'Bearer other' })).status,
    401,
    'an unknown token',
  );
});

t.test(
  'the payload may have 4,096 bytes for a device and half of that for a topic',
  async (test) => {
    const { send } = await rig(test);
    const overhead = Buffer.byteLength(JSON.stringify({ body: '' }));
    const body = (bytes: number) => ({ notification: { body: 'x'.repeat(bytes - overhead) } });
    test.equal((await send({ token: 'a', ...body(4096) })).status, 200);
    test.equal((await send({ token: 'a', ...body(4097) })).status, 400);
    test.equal(
      (await send({ token: 'a', ...body(4096), android: { priority: 'HIGH' } })).status,
      200,
    );
    test.equal((await send({ topic: 'a', ...body(2048) })).status, 200);
    test.equal((await send({ topic: 'a', ...body(2049) })).status, 400);
  },
);

t.test('an unknown path is a 404 without an FcmError and reaches nobody', async (test) => {
  const { call, messages } = await rig(test);
  const reply = await call('POST', '/fcm/v1/projects/acme/messages', {}, authorization);
  test.equal(reply.status, 404);
  test.equal(errorCodeOf(reply.json), undefined);
  test.same(await messages(), []);
});
