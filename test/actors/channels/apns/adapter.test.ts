// The APNs adapter against a loopback stand-in: the conformance suite with every reason Apple
// gives, which server is asked, and provider tokens as they age.

import { generateKeyPairSync, verify } from 'node:crypto';
import t, { type Test } from 'tap';
import { createApns } from '../../../../actors/channels/apns/adapter.ts';
import {
  type ApnsCallRequest,
  type ApnsConnections,
  createApnsConnections,
} from '../../../../actors/channels/apns/connections.ts';
import { apnsMessage } from '../../../../actors/channels/apns/message.ts';
import { createOutbound } from '../../../../actors/channels/outbound/outbound.ts';
import type { OutboundResult } from '../../../../actors/channels/outbound/outbound-call.ts';
import type { Attempt } from '../../../../actors/channels/port/attempt.ts';
import type { ProviderConfig } from '../../../../actors/channels/port/provider-config.ts';
import { type ChannelSubject, channelConformance } from '../../../conformance/channel.ts';
import { withSandbox } from '../../../sandbox/with-sandbox.ts';
import { answer, type Http2Behavior, http2StandIn } from '../http2-stand-in.ts';
import { acceptedMs, anAttempt, closedPort, fixedClock } from '../stand-ins.ts';

const keys = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const credential = {
  teamId: 'TEAM123456',
  keyId: 'KEY1234567',
  p8: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  bundleId: 'com.example.shop',
  environment: 'production',
} as const;
const device = 'ab'.repeat(32);
const registeredMs = acceptedMs - 86_400_000;
const minutes = 60_000;

function anApnsAttempt(over: Parameters<typeof anAttempt>[0] = {}): Attempt {
  return anAttempt({ channel: 'apns', endpoint: device, environment: 'production', ...over });
}

const refusal = (
  status: number,
  reason: string,
  more: object = {},
  headers = {},
): Http2Behavior => ({
  status,
  headers,
  body: JSON.stringify({ reason, ...more }),
});
const plain = (status: number, reason: string) =>
  [`${status} ${reason}`, refusal(status, reason)] as const;
const success: Http2Behavior = { status: 200, headers: { 'apns-id': 'ECHOED-ID' } };
const retryAfter = (value: string) =>
  refusal(503, 'ServiceUnavailable', {}, { 'retry-after': value });

const behaviors: Record<string, Http2Behavior> = {
  accept: success,
  hang: 'hang',
  cut: 'cut',
  'unregistered since': refusal(410, 'Unregistered', { timestamp: registeredMs + 1 }),
  'unregistered at the very registration': refusal(410, 'Unregistered', {
    timestamp: registeredMs,
  }),
  'unregistered before': refusal(410, 'Unregistered', { timestamp: registeredMs - 1 }),
  'expired token since': refusal(410, 'ExpiredToken', { timestamp: registeredMs + 1 }),
  'expired token before': refusal(410, 'ExpiredToken', { timestamp: registeredMs - 1 }),
  'unregistered, without a time': refusal(410, 'Unregistered'),
  'another 410': { status: 410, body: '<html>Gone</html>' },
  'a token of another app, where nothing succeeded yet': refusal(400, 'DeviceTokenNotForTopic'),
  'a token of another app, where others succeed': refusal(400, 'DeviceTokenNotForTopic'),
  ...Object.fromEntries([
    plain(400, 'BadDeviceToken'),
    plain(400, 'BadCollapseId'),
    plain(400, 'BadExpirationDate'),
    plain(400, 'BadMessageId'),
    plain(400, 'BadPriority'),
    plain(400, 'DuplicateHeaders'),
    plain(400, 'InvalidPushType'),
    plain(400, 'MissingDeviceToken'),
    plain(400, 'PayloadEmpty'),
    plain(400, 'BadTopic'),
    plain(400, 'MissingTopic'),
    plain(400, 'TopicDisallowed'),
    plain(400, 'IdleTimeout'),
    plain(400, 'SomethingNew'),
    plain(403, 'BadCertificate'),
    plain(403, 'BadCertificateEnvironment'),
    plain(403, 'BadEnvironmentKeyIdInToken'),
    plain(403, 'ExpiredProviderToken'),
    plain(403, 'Forbidden'),
    plain(403, 'InvalidProviderToken'),
    plain(403, 'MissingProviderToken'),
    plain(403, 'UnrelatedKeyIdInToken'),
    plain(403, 'SomethingNew'),
    plain(404, 'BadPath'),
    plain(405, 'MethodNotAllowed'),
    plain(413, 'PayloadTooLarge'),
    plain(429, 'TooManyRequests'),
    plain(429, 'TooManyProviderTokenUpdates'),
    plain(429, 'SomethingNew'),
    plain(500, 'InternalServerError'),
    plain(503, 'ServiceUnavailable'),
    plain(503, 'Shutdown'),
    plain(400, 'constructor'),
  ]),
  'a bad gateway': { status: 502, body: 'oops' },
  'a redirect': { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
  'seconds to wait': retryAfter('7'),
  'a date to wait for': retryAfter(new Date(acceptedMs + 90_000).toUTCString()),
  'a day to wait': retryAfter('86400'),
  'a device that had too many': refusal(429, 'TooManyRequests'),
  'too many tokens': refusal(429, 'TooManyProviderTokenUpdates'),
  echo: (call, stream) =>
    answer(stream, {
      status: 400,
      body: JSON.stringify({
        reason: `no good: ${call.path} ${call.headers.authorization} someone@example.com +14155550123`,
      }),
    }),
};

function config(url: string | undefined, mode: 'live' | 'sandbox' = 'live'): ProviderConfig {
  return {
    mode,
    urls: url === undefined ? {} : { APNS: url },
    vapidSubject: 'mailto:a@example.com',
    publicUrl: 'http://127.0.0.1',
  };
}

const outbound = createOutbound({ allowPrivateNetworks: false });
t.teardown(() => outbound.close(0));

const subject: ChannelSubject = {
  name: 'apns',
  attempt: () => anApnsAttempt(),
  async open({ timeoutMs, down, bare }) {
    const apns = await http2StandIn(success);
    const connections = createApnsConnections({ timeoutMs });
    const url = down ? `http://127.0.0.1:${await closedPort()}` : apns.url;
    const context = { config: config(url), outbound, clock: fixedClock(acceptedMs) };
    const adapter = createApns(context, connections);
    return {
      adapter,
      credentials: bare ? undefined : credential,
      meet: (key) => apns.meet(behaviors[key] ?? 'hang'),
      calls: () => apns.calls.length,
      release: () => {
        for (const held of apns.held) answer(held, { status: 200 });
      },
      shutDown: () => adapter.close(),
      async close() {
        await connections.close(0);
        await apns.close();
      },
    };
  },
  outcomes: {
    'unregistered since': { outcome: 'dead', reason: 'unregistered' },
    'unregistered at the very registration': {
      outcome: 'permanent',
      reason: 'unregistered_before',
    },
    'unregistered before': { outcome: 'permanent', reason: 'unregistered_before' },
    'expired token since': { outcome: 'dead', reason: 'expired_token' },
    'expired token before': { outcome: 'permanent', reason: 'expired_token_before' },
    'unregistered, without a time': { outcome: 'dead', reason: 'unregistered' },
    'another 410': { outcome: 'permanent', reason: 'http_410' },
    'a token of another app, where nothing succeeded yet': {
      outcome: 'config',
      reason: 'device_token_not_for_topic',
    },
    'a token of another app, where others succeed': {
      outcome: 'dead',
      reason: 'device_token_not_for_topic',
      afterSuccess: true,
    },
    '400 BadDeviceToken': { outcome: 'dead', reason: 'bad_device_token' },
    '400 BadCollapseId': { outcome: 'permanent', reason: 'bad_collapse_id' },
    '400 BadExpirationDate': { outcome: 'permanent', reason: 'bad_expiration_date' },
    '400 BadMessageId': { outcome: 'permanent', reason: 'bad_message_id' },
    '400 BadPriority': { outcome: 'permanent', reason: 'bad_priority' },
    '400 DuplicateHeaders': { outcome: 'permanent', reason: 'duplicate_headers' },
    '400 InvalidPushType': { outcome: 'permanent', reason: 'invalid_push_type' },
    '400 MissingDeviceToken': { outcome: 'permanent', reason: 'missing_device_token' },
    '400 PayloadEmpty': { outcome: 'permanent', reason: 'payload_empty' },
    '400 BadTopic': { outcome: 'config', reason: 'bad_topic' },
    '400 MissingTopic': { outcome: 'config', reason: 'missing_topic' },
    '400 TopicDisallowed': { outcome: 'config', reason: 'topic_disallowed' },
    '400 IdleTimeout': { outcome: 'retry', reason: 'idle_timeout' },
    '400 SomethingNew': { outcome: 'permanent', reason: 'http_400' },
    '400 constructor': { outcome: 'permanent', reason: 'http_400' },
    '403 BadCertificate': { outcome: 'config', reason: 'bad_certificate' },
    '403 BadCertificateEnvironment': { outcome: 'config', reason: 'bad_certificate_environment' },
    '403 BadEnvironmentKeyIdInToken': { outcome: 'config', reason: 'bad_environment_key' },
    '403 ExpiredProviderToken': { outcome: 'config', reason: 'expired_provider_token' },
    '403 Forbidden': { outcome: 'config', reason: 'forbidden' },
    '403 InvalidProviderToken': { outcome: 'config', reason: 'invalid_provider_token' },
    '403 MissingProviderToken': { outcome: 'config', reason: 'missing_provider_token' },
    '403 UnrelatedKeyIdInToken': { outcome: 'config', reason: 'unrelated_key' },
    '403 SomethingNew': { outcome: 'config', reason: 'forbidden' },
    '404 BadPath': { outcome: 'config', reason: 'bad_path' },
    '405 MethodNotAllowed': { outcome: 'config', reason: 'method_not_allowed' },
    '413 PayloadTooLarge': { outcome: 'permanent', reason: 'payload_too_large' },
    '429 TooManyRequests': { outcome: 'retry', reason: 'too_many_requests' },
    '429 TooManyProviderTokenUpdates': { outcome: 'rate', reason: 'too_many_provider_tokens' },
    '429 SomethingNew': { outcome: 'rate', reason: 'throttled' },
    '500 InternalServerError': { outcome: 'retry', reason: 'internal' },
    '503 ServiceUnavailable': { outcome: 'retry', reason: 'unavailable' },
    '503 Shutdown': { outcome: 'retry', reason: 'shutdown' },
    'a bad gateway': { outcome: 'retry', reason: 'http_502' },
    'a redirect': { outcome: 'config', reason: 'http_302' },
  },
  delays: {
    'seconds to wait': 7_000,
    'a date to wait for': 90_000,
    'a day to wait': 3_600_000,
    'a device that had too many': 60_000,
    'too many tokens': 60_000,
  },
  tooLarge: () => anApnsAttempt({ content: { body: 'é'.repeat(2_040) } }),
  tooLargeReason: 'payload_too_large',
  secrets: [device, 'eyJ', 'someone@example.com', '4155550123'],
};

await channelConformance(t, subject);

/** An adapter with scripted connections: the response of each origin, and the calls made. */
function scripted(answers: (call: ApnsCallRequest, index: number) => OutboundResult, url?: string) {
  const calls: ApnsCallRequest[] = [];
  const connections: ApnsConnections = {
    call(request) {
      calls.push(request);
      return Promise.resolve(answers(request, calls.length - 1));
    },
    close: () => Promise.resolve(),
  };
  const clock = fixedClock(acceptedMs);
  const adapter = createApns({ config: config(url), outbound, clock }, connections);
  return { adapter, calls, clock };
}

function answered(status: number, reason?: string): OutboundResult {
  const body = reason === undefined ? '' : JSON.stringify({ reason });
  return { kind: 'answered', status, headers: {}, body, complete: true };
}

const production = 'https://api.push.apple.com';
const sandbox = 'https://api.sandbox.push.apple.com';

t.test('a call goes out whole: path, topic, id and a token that verifies', async (test) => {
  const { adapter, calls } = scripted(() => answered(200));
  const outcome = await adapter.send(anApnsAttempt(), credential);
  const request = apnsMessage(anApnsAttempt(), 'com.example.shop', undefined, acceptedMs);
  const id = 'outcome' in request ? undefined : request.headers['apns-id'];
  test.same(outcome, { outcome: 'accepted', providerMessageId: id });
  const { authorization = '', ...headers } = calls[0]?.headers ?? {};
  test.same(headers, {
    'apns-id': id,
    'apns-push-type': 'alert',
    'apns-topic': 'com.example.shop',
  });
  test.equal(calls[0]?.path, `/3/device/${device}`);
  const [head = '', claims = '', signature = ''] = authorization.replace('bearer ', '').split('.');
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
  test.same(read(head), { alg: 'ES256', kid: credential.keyId });
  test.same(read(claims), { iss: credential.teamId, iat: acceptedMs / 1000 });
  const key = { key: keys.publicKey, dsaEncoding: 'ieee-p1363' } as const;
  test.ok(
    verify('sha256', Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, 'base64url')),
  );
});

t.test("the device's own environment decides the server, then the credential's", async (test) => {
  const table = [
    ['production', 'sandbox', undefined, production],
    ['sandbox', 'production', undefined, sandbox],
    [undefined, 'sandbox', undefined, sandbox],
    [undefined, 'production', undefined, production],
    ['sandbox', 'production', 'http://127.0.0.1:9', 'http://127.0.0.1:9'],
    ['production', 'sandbox', 'http://127.0.0.1:9', 'http://127.0.0.1:9'],
  ] as const;
  for (const [own, ofCredential, url, origin] of table) {
    const { adapter, calls } = scripted(() => answered(200), url);
    const { environment: _, ...attempt } = anApnsAttempt();
    await adapter.send(
      { ...attempt, ...(own && { environment: own }) },
      { ...credential, environment: ofCredential },
    );
    test.same(
      calls.map((one) => one.origin),
      [origin],
    );
  }
});

t.test('a bad token of an unknown environment is tried on the other server once', async (test) => {
  const { environment: _, ...unknown } = anApnsAttempt();
  const table: [OutboundResult, object][] = [
    [answered(200), { outcome: 'accepted', moved: { from: device, environment: 'sandbox' } }],
    [answered(400, 'BadDeviceToken'), { outcome: 'dead', reason: 'bad_device_token' }],
    [answered(410, 'Unregistered'), { outcome: 'dead', reason: 'unregistered' }],
    [
      answered(403, 'BadEnvironmentKeyIdInToken'),
      { outcome: 'permanent', reason: 'bad_device_token' },
    ],
    [answered(503, 'ServiceUnavailable'), { outcome: 'retry', reason: 'unavailable' }],
    [
      { kind: 'unanswered', reason: 'timeout' },
      { outcome: 'ambiguous', reason: 'timeout' },
    ],
    [
      { kind: 'unsent', reason: 'connect' },
      { outcome: 'retry', reason: 'connection_refused' },
    ],
  ];
  for (const [second, outcome] of table) {
    const { adapter, calls } = scripted((_call, index) =>
      index === 0 ? answered(400, 'BadDeviceToken') : second,
    );
    test.match(await adapter.send(unknown, credential), outcome);
    test.same(
      calls.map((one) => one.origin),
      [production, sandbox],
    );
    test.equal(calls[0]?.headers['apns-id'], calls[1]?.headers['apns-id']);
  }
  const known = scripted(() => answered(400, 'BadDeviceToken'));
  test.match(await known.adapter.send(anApnsAttempt(), credential), { outcome: 'dead' });
  test.equal(known.calls.length, 1, 'a known one is not');
  const overridden = scripted(() => answered(400, 'BadDeviceToken'), 'http://127.0.0.1:9');
  test.match(await overridden.adapter.send(unknown, credential), { outcome: 'dead' });
  test.equal(overridden.calls.length, 1, 'nor one where both servers are one');
});

t.test('one token serves a team and key for fifty minutes, whatever app sends', async (test) => {
  const { adapter, calls, clock } = scripted(() => answered(200));
  const send = async (own: object) => {
    await adapter.send(anApnsAttempt(), { ...credential, ...own });
    const last = calls.at(-1);
    return `${last?.account} ${last?.headers['authorization']}`;
  };
  const first = await send({});
  test.equal(await send({ bundleId: 'com.example.other' }), first);
  test.not(await send({ keyId: 'OTHER12345' }), first, 'another key has its own');
  test.not(await send({ teamId: 'OTHER12345' }), first, 'and so has another team');
  clock.nowMs = acceptedMs + 50 * minutes - 1;
  test.equal(await send({}), first);
  clock.nowMs = acceptedMs + 50 * minutes;
  const second = await send({});
  test.not(second, first);
  test.equal(second.split(' ')[0], first.split(' ')[0], 'of the same account');
});

t.test('an expired token is renewed once a send, and never within twenty minutes', async (test) => {
  const bearerOf = (call: ApnsCallRequest | undefined) => call?.headers['authorization'];
  let expired: string | undefined;
  const { adapter, calls, clock } = scripted((call) =>
    bearerOf(call) === expired ? answered(403, 'ExpiredProviderToken') : answered(200),
  );
  const send = () => adapter.send(anApnsAttempt(), credential);
  await send();
  expired = bearerOf(calls[0]);
  clock.nowMs = acceptedMs + 20 * minutes - 1;
  test.match(await send(), { outcome: 'config', reason: 'expired_provider_token' });
  test.equal(calls.length, 2, 'too young to be replaced');
  clock.nowMs = acceptedMs + 20 * minutes;
  const outcomes = await Promise.all([send(), send(), send()]);
  test.ok(outcomes.every((one) => one.outcome === 'accepted'));
  test.equal(new Set(calls.map(bearerOf)).size, 2, 'one new token for all that wait');

  const never = scripted(() => answered(403, 'ExpiredProviderToken'));
  await never.adapter.send(anApnsAttempt(), credential);
  never.clock.nowMs = acceptedMs + 30 * minutes;
  test.match(await never.adapter.send(anApnsAttempt(), credential), {
    outcome: 'config',
    reason: 'expired_provider_token',
  });
  test.equal(never.calls.length, 3, 'once');
});

t.test('one token too many: the one before is used for as long as it lives', async (test) => {
  const bearerOf = (call: ApnsCallRequest | undefined) => call?.headers['authorization'];
  let first: string | undefined;
  const { adapter, calls, clock } = scripted((call, index) => {
    first ??= bearerOf(call);
    return index > 0 && index < 3 && bearerOf(call) !== first
      ? answered(429, 'TooManyProviderTokenUpdates')
      : answered(200);
  });
  const send = () => adapter.send(anApnsAttempt(), credential);
  await send();
  clock.nowMs = acceptedMs + 50 * minutes;
  test.match(await send(), { outcome: 'rate', reason: 'too_many_provider_tokens' });
  test.match(await send(), { outcome: 'accepted' });
  test.equal(bearerOf(calls.at(-1)), first);
  clock.nowMs = acceptedMs + 71 * minutes;
  test.match(await send(), { outcome: 'accepted' });
  test.not(bearerOf(calls.at(-1)), first, 'a new one when that has ended');
});

t.test('a key that cannot sign is config, and nothing is sent', async (test) => {
  const { adapter, calls } = scripted(() => answered(200));
  test.match(await adapter.send(anApnsAttempt(), { ...credential, p8: 'no key' }), {
    outcome: 'config',
    reason: 'private_key_unusable',
  });
  test.equal(calls.length, 0);
});

async function withStandIn(test: Test, timeoutMs = 10_000) {
  const running = await withSandbox(test);
  const clock = fixedClock(Date.now());
  const connections = createApnsConnections({ timeoutMs });
  const { APNS: url } = running.providerUrls;
  const adapter = createApns({ config: config(url, 'sandbox'), outbound, clock }, connections);
  test.teardown(() => connections.close(0));
  const send = (name: string, credentials?: unknown) =>
    adapter.send(
      anApnsAttempt({
        endpoint: name.padEnd(64, 'f'),
        registeredMs: clock.nowMs - 1_000,
        acceptedMs: clock.nowMs,
      }),
      credentials,
    );
  return { ...running, send, adapter, clock };
}

t.test("each of the stand-in's faults has the outcome that its name promises", async (test) => {
  const { send } = await withStandIn(test, 1_000);
  const table: [device: string, outcome: string, reason?: string, again?: string][] = [
    ['a', 'accepted'],
    ['dead', 'dead', 'unregistered'],
    ['e410a', 'permanent', 'unregistered_before'],
    ['e410b', 'dead', 'expired_token'],
    ['e400a', 'dead', 'bad_device_token'],
    ['e400b', 'dead', 'device_token_not_for_topic'],
    ['e400c', 'config', 'topic_disallowed'],
    ['e400d', 'retry', 'idle_timeout'],
    ['e403a', 'config', 'invalid_provider_token'],
    ['e403b', 'config', 'expired_provider_token', 'accepted'],
    ['e413a', 'permanent', 'payload_too_large'],
    ['e429a7', 'retry', 'too_many_requests'],
    ['e429b', 'rate', 'too_many_provider_tokens', 'accepted'],
    ['e500a', 'retry', 'internal'],
    ['e503a', 'retry', 'unavailable'],
    ['e503b', 'retry', 'shutdown'],
    ['e000a', 'ambiguous', 'connection_lost'],
    ['e000b', 'ambiguous', 'timeout'],
    ['e000c20', 'accepted'],
    ['e000d', 'accepted'],
    ['b', 'accepted'],
    ['e000e', 'accepted'],
    ['e000f', 'accepted'],
  ];
  for (const [name, outcome, reason, again] of table) {
    const got = await send(name);
    test.equal(got.outcome, outcome, name);
    test.equal('reason' in got ? got.reason : undefined, reason, name);
    if (again !== undefined) test.equal((await send(name)).outcome, again, `${name} again`);
  }
});

t.test('with a key of its own it passes the check of its signature', async (test) => {
  const { send, call, messages } = await withStandIn(test);
  const publicKey = keys.publicKey.export({ type: 'spki', format: 'pem' });
  await call('POST', '/control/apns', { keyId: credential.keyId, publicKey });
  test.match(await send('a', credential), { outcome: 'accepted' });
  const other = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey;
  const p8 = other.export({ type: 'pkcs8', format: 'pem' }).toString();
  test.match(await send('a', { ...credential, p8 }), { reason: 'invalid_provider_token' });
  const { sendId, deviceId } = anApnsAttempt();
  test.match(await messages(), [
    { outcome: 'refused' },
    { outcome: 'accepted', sendId, deviceId, title: 'Your order', text: 'It has shipped.' },
  ]);
});

t.test(
  'a thousand sends survive few streams and GOAWAY again and again, none twice',
  async (test) => {
    const { call, adapter, clock } = await withStandIn(test);
    await call('POST', '/control/apns', { streamsMax: 4 });
    let done = 0;
    let goAways: Promise<unknown> = Promise.resolve();
    const sends = Array.from({ length: 1_000 }, async (_, i) => {
      const attempt = anApnsAttempt({
        endpoint: i.toString(16).padStart(64, 'a'),
        deviceId: `dev_${i}`,
        acceptedMs: clock.nowMs,
      });
      const { outcome } = await adapter.send(attempt, undefined);
      if (++done % 100 === 0) {
        goAways = goAways.then(() => call('POST', '/control/apns', { goAway: true }));
      }
      return outcome;
    });
    const outcomes = await Promise.all(sends);
    await goAways;
    test.same(new Set(outcomes), new Set(['accepted']));
    const { sends: counted, channels } = (await call('GET', '/control/stats')).json;
    test.match(counted, { pairs: 1_000, acceptedAgain: 0 });
    test.equal(channels.apns.accepted, 1_000);
  },
);
