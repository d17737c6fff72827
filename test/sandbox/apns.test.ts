// The APNs stand-in by a bare HTTP/2 client: what it takes and shows, what it refuses in the order
// Apple does, and what it thinks of provider tokens.

import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { type ClientHttp2Session, connect } from 'node:http2';
import t, { type Test } from 'tap';
import { apnsStandIn } from '../../sandbox/apns/apns.ts';
import { Zone } from '../../sandbox/dns/zone.ts';
import { FaultRules } from '../../sandbox/faults.ts';
import { Ledger } from '../../sandbox/ledger.ts';
import { certificate } from '../actors/channels/certificate.ts';
import { fixedClock } from '../actors/channels/stand-ins.ts';
import { withSandbox } from './with-sandbox.ts';

const device = 'ab'.repeat(32);
const nowMs = Date.UTC(2026, 10, 22);
const good = {
  ':path': `/3/device/${device}`,
  authorization: 'bearer sandbox',
  'apns-topic': 'com.example.shop',
  'apns-push-type': 'alert',
};
const payload = JSON.stringify({ aps: { alert: { title: 'Shipped', body: 'On its way' } } });

interface Reply {
  status: number;
  headers: Record<string, unknown>;
  reason: string | undefined;
  timestamp: number | undefined;
}

async function post(
  session: ClientHttp2Session,
  headers: Record<string, string | string[] | undefined> = good,
  body: string | Buffer = payload,
): Promise<Reply> {
  const stream = session.request({ ':method': 'POST', ...headers });
  stream.end(body);
  const [answer] = await once(stream, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const { ':status': status, ...rest } = answer;
  return {
    status,
    headers: rest,
    ...{ reason: undefined, timestamp: undefined },
    ...(text !== '' && JSON.parse(text)),
  };
}

async function rig(test: Test) {
  const sandbox = await withSandbox(test);
  const open = () => {
    const session = connect(sandbox.providerUrls['APNS'] ?? '');
    session.on('error', () => {});
    test.teardown(() => session.destroy());
    return session;
  };
  return { ...sandbox, open };
}

t.test('a push is accepted with its id and shown as its recipient sees it', async (test) => {
  const { open, messages, call } = await rig(test);
  const id = '0f0e0d0c-0b0a-5908-8706-050403020100';
  const body = JSON.stringify({
    aps: {
      alert: { title: 'Shipped', body: 'On its way' },
      badge: 3,
      sound: 'ding',
      'mutable-content': 1,
    },
    image: 'https://cdn.example.com/a.png',
    deepLink: 'acme://o/1',
    buttons: [{ id: 'a', label: 'View', url: 'https://acme.example' }, { url: 'x' }],
    order: '1',
    engageSendId: 'ntf_1',
    engageDeviceId: 'dev_1',
  });
  const reply = await post(open(), { ...good, 'apns-id': id, 'apns-priority': '5' }, body);
  test.equal(reply.status, 200);
  test.equal(reply.headers['apns-id'], id);
  const [message] = await messages();
  test.match(message, {
    channel: 'apns',
    look: 'phone',
    to: device,
    title: 'Shipped',
    text: 'On its way',
    image: 'https://cdn.example.com/a.png',
    badge: 3,
    link: 'acme://o/1',
    sendId: 'ntf_1',
    deviceId: 'dev_1',
    outcome: 'accepted',
    status: 200,
  });
  const whole = (await call('GET', `/control/messages/${message.id}`)).json;
  test.equal(whole.exchange.request, `POST /3/device/${device} HTTP/2`);
  test.equal(whole.exchange.requestBody, body);
  test.match(JSON.stringify(whole), /apns-priority.{1,20}5/);
  test.match(await post(open()), { headers: { 'apns-id': /^[0-9a-f-]{36}$/ } }, 'an id is made');
});

t.test('what Apple refuses is refused with its reason', async (test) => {
  const { open } = await rig(test);
  const session = open();
  const path = (token: string) => ({ ':path': `/3/device/${token}` });
  const liveActivity = { 'apns-push-type': 'liveactivity' };
  const refused: [object, number, string, (string | Buffer)?][] = [
    [{ ':path': '/3/devices/x' }, 404, 'BadPath'],
    [{ ':method': 'PUT' }, 405, 'MethodNotAllowed'],
    [path(''), 400, 'MissingDeviceToken'],
    [path('abc'), 400, 'BadDeviceToken'],
    [path('ab'.repeat(31)), 400, 'BadDeviceToken'],
    [path('ab'.repeat(201)), 400, 'BadDeviceToken'],
    [path('xy'.repeat(32)), 400, 'BadDeviceToken'],
    [{ 'apns-topic': undefined }, 400, 'MissingTopic'],
    [{ 'apns-topic': 'a b' }, 400, 'BadTopic'],
    [{ 'apns-push-type': undefined }, 400, 'InvalidPushType'],
    [{ 'apns-push-type': 'loud' }, 400, 'InvalidPushType'],
    [liveActivity, 400, 'TopicDisallowed'],
    [{ 'apns-topic': 'com.example.shop.push-type.liveactivity' }, 400, 'TopicDisallowed'],
    [{ 'apns-priority': '7' }, 400, 'BadPriority'],
    [{ 'apns-push-type': 'background', 'apns-priority': '10' }, 400, 'BadPriority'],
    [{ 'apns-expiration': '1.5' }, 400, 'BadExpirationDate'],
    [{ 'apns-collapse-id': 'x'.repeat(65) }, 400, 'BadCollapseId'],
    [{ 'apns-id': 'ntf_1' }, 400, 'BadMessageId'],
    [{}, 400, 'PayloadEmpty', ''],
    [{}, 400, 'PayloadEmpty', '{}'],
    [{}, 400, 'PayloadEmpty', 'no json'],
    [{}, 413, 'PayloadTooLarge', 'x'.repeat(4_097)],
    [{}, 413, 'PayloadTooLarge', Buffer.alloc(100_000)],
    [{ authorization: undefined }, 403, 'MissingProviderToken'],
    [{ authorization: 'bearer other' }, 403, 'InvalidProviderToken'],
    [{ authorization: 'sandbox' }, 403, 'InvalidProviderToken'],
  ];
  for (const [change, status, reason, body] of refused) {
    const reply = await post(session, { ...good, ...change }, body);
    test.match(reply, { status, reason }, JSON.stringify(change));
  }
  const taken: [object, (string | Buffer)?][] = [
    [path('ab'.repeat(200))],
    [{ 'apns-push-type': 'background' }],
    [
      { ...liveActivity, 'apns-topic': 'com.example.shop.push-type.liveactivity' },
      '{"aps": {"timestamp": 1790000000, "event": "update", "content-state": {}}}',
    ],
    [{ 'apns-collapse-id': 'x'.repeat(64), 'apns-expiration': '0', 'apns-priority': '1' }],
    [{}, JSON.stringify({ a: 'x'.repeat(4_096 - 8) })],
  ];
  for (const [change, body] of taken) {
    test.equal(
      (await post(session, { ...good, ...change }, body)).status,
      200,
      JSON.stringify(change),
    );
  }
});

t.test('410 tells since when, before and after a registration', async (test) => {
  const { open } = await rig(test);
  const session = open();
  const of = (name: string) =>
    post(session, { ...good, ':path': `/3/device/${name.padEnd(64, 'f')}` });
  const before = Date.now();
  const dead = await of('dead');
  test.match(dead, { status: 410, reason: 'Unregistered' });
  test.ok((dead.timestamp ?? 0) >= before);
  const old = await of('e410a');
  test.match(old, { status: 410, reason: 'Unregistered' });
  test.ok((old.timestamp ?? before) < Date.UTC(2002, 0, 1));
});

t.test('a rule of the control route plays on APNs too', async (test) => {
  const { open, call } = await rig(test);
  await call('POST', '/control/faults', {
    channel: 'apns',
    fault: 'status',
    value: 429,
    retryAfterSeconds: 9,
    count: 1,
  });
  const session = open();
  test.match(await post(session), {
    status: 429,
    reason: 'TooManyRequests',
    headers: { 'retry-after': '9' },
  });
  test.match(await post(session), { status: 200 });
});

t.test('it announces its limit of streams, and another one when that is set', async (test) => {
  const { open, call } = await rig(test);
  const [settings] = await once(open(), 'remoteSettings');
  test.equal(settings.maxConcurrentStreams, 100);
  const session = open();
  await once(session, 'remoteSettings');
  const changed = once(session, 'remoteSettings');
  const set = await call('POST', '/control/apns', { streamsMax: 2 });
  test.match(set.json, { streamsMax: 2 });
  test.equal((await changed)[0].maxConcurrentStreams, 2);
  test.equal((await once(open(), 'remoteSettings'))[0].maxConcurrentStreams, 2);
  test.equal((await call('POST', '/control/apns', { streamsMax: 0 })).status, 400);
  await call('DELETE', '/control/apns');
  test.equal((await once(open(), 'remoteSettings'))[0].maxConcurrentStreams, 100);
});

t.test('GOAWAY on demand and by name', async (test) => {
  const { open, call } = await rig(test);
  const session = open();
  await post(session);
  const gone = once(session, 'close');
  await call('POST', '/control/apns', { goAway: true });
  await gone;
  const other = open();
  const named = once(other, 'goaway');
  test.match(await post(other, { ...good, ':path': `/3/device/${'e000d'.padEnd(64, 'f')}` }), {
    status: 200,
  });
  test.match(await named, [0, 1]);
});

/** A provider token by hand. */
function token(key: KeyObject, head: object, claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part(head)}.${part(claims)}`;
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
  return `bearer ${text}.${signature.toString('base64url')}`;
}

/** The stand-in by itself, under a clock that the test moves. */
async function alone(test: Test, options?: Parameters<typeof apnsStandIn>[1]) {
  const clock = fixedClock(nowMs);
  const ledger = new Ledger(clock);
  const standIn = apnsStandIn(
    { ledger, faults: new FaultRules(), zone: new Zone(), clock, url: () => '' },
    options,
  );
  const listener = await standIn.listen('127.0.0.1', 0);
  test.teardown(async () => {
    ledger.close();
    await listener.close();
  });
  const open = () => {
    const url = listener.url.replace('127.0.0.1', 'localhost');
    const session = connect(options ? url : listener.url, options && { ca: certificate.cert });
    session.on('error', () => {});
    test.teardown(() => session.destroy());
    return session;
  };
  const control = (body: object) =>
    standIn.controls
      ?.find((one) => one.method === 'POST')
      ?.handle({ id: '', query: new URLSearchParams(), body });
  return { clock, open, control };
}

t.test('a provider token is judged by form, age, signature and its connection', async (test) => {
  const { clock, open, control } = await alone(test);
  const pair = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const stranger = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey;
  const publicKey = pair.publicKey.export({ type: 'spki', format: 'pem' });
  await control({ keyId: 'KEY1234567', publicKey });
  const iat = nowMs / 1000;
  const head = { alg: 'ES256', kid: 'KEY1234567' };
  const claims = { iss: 'TEAM123456', iat };
  const reasonOf = async (authorization: string, session = open()) =>
    (await post(session, { ...good, authorization })).reason;
  const key = pair.privateKey;
  const table: [string | undefined, string][] = [
    [undefined, token(key, head, claims)],
    [undefined, token(key, head, { ...claims, iat: iat - 3_600 })],
    ['ExpiredProviderToken', token(key, head, { ...claims, iat: iat - 3_601 })],
    [undefined, token(key, head, { ...claims, iat: iat + 60 })],
    ['InvalidProviderToken', token(key, head, { ...claims, iat: iat + 61 })],
    ['InvalidProviderToken', token(stranger, head, claims)],
    ['InvalidProviderToken', token(key, { ...head, alg: 'HS256' }, claims)],
    ['InvalidProviderToken', token(key, { alg: 'ES256' }, claims)],
    ['InvalidProviderToken', token(key, { ...head, kid: 'short' }, claims)],
    ['InvalidProviderToken', token(key, head, { iat })],
    ['InvalidProviderToken', token(key, head, { ...claims, iat: String(iat) })],
    ['InvalidProviderToken', token(key, head, { ...claims, exp: iat + 60 })],
    ['InvalidProviderToken', `${token(key, head, claims)}.x`],
    ['InvalidProviderToken', token(key, head, claims).slice(0, -4)],
  ];
  for (const [reason, authorization] of table) test.equal(await reasonOf(authorization), reason);

  const session = open();
  const at = (minutes: number, own: object = {}, ownHead: object = {}) =>
    reasonOf(
      token(key, { ...head, ...ownHead }, { ...claims, iat: iat + minutes * 60, ...own }),
      session,
    );
  test.equal(await at(0), undefined);
  test.equal(await at(0, { iss: 'TEAM999999' }), 'InvalidProviderToken', 'a second team');
  test.equal(await at(0, {}, { kid: 'KEY9999999' }), 'UnrelatedKeyIdInToken', 'a second key');
  clock.nowMs = nowMs + 30 * 60_000;
  test.equal(await at(19), 'TooManyProviderTokenUpdates');
  test.equal(await at(20), undefined);
  test.equal(await at(0), undefined, 'the older one may be gone back to');
});

t.test('with a certificate it speaks TLS', async (test) => {
  const { open } = await alone(test, { certificate });
  const session = open();
  test.equal((await post(session)).status, 200);
  test.ok(session.encrypted);
});
