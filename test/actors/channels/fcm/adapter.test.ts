// The FCM adapter against a loopback stand-in: the conformance suite, the mapping of options and
// content, and the access tokens.

import { generateKeyPairSync } from 'node:crypto';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import t from 'tap';
import { createFcm } from '../../../../actors/channels/fcm/adapter.ts';
import { createOutbound } from '../../../../actors/channels/outbound/outbound.ts';
import type { Outbound } from '../../../../actors/channels/outbound/outbound-call.ts';
import type { ProviderConfig } from '../../../../actors/channels/port/provider-config.ts';
import { type ChannelSubject, channelConformance } from '../../../conformance/channel.ts';
import { openHttp, providerConfig } from '../http-rig.ts';
import {
  acceptedMs,
  anAttempt,
  everyOption,
  fixedClock,
  type HttpBehavior,
  type HttpStandIn,
  httpStandIn,
} from '../stand-ins.ts';

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
const account = {
  project_id: 'shop-1234',
  client_email: 'push@shop-1234.iam.gserviceaccount.com',
  private_key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  private_key_id: 'abc123',
};
const token = 'cXyZ:APA91bToken-of-one-device';
const bearer = 'ya29.secret-access-token';
const name = 'projects/shop-1234/messages/0:1500415314455276%31bd1c96';

function fcmError(
  status: number,
  code: string | undefined,
  message = '',
  headers = {},
): HttpBehavior {
  const details = code && [
    { '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode: code },
  ];
  return { status, headers, body: JSON.stringify({ error: { code: status, message, details } }) };
}

const retryAfter = (value: string) => fcmError(503, 'UNAVAILABLE', '', { 'retry-after': value });
const behaviors: Record<string, HttpBehavior> = {
  accept: { status: 200, body: JSON.stringify({ name }) },
  hang: 'hang',
  cut: 'cut',
  unregistered: fcmError(404, 'UNREGISTERED'),
  'a project that does not exist': fcmError(404, undefined, 'Requested entity was not found.'),
  'a wrong path, in HTML': { status: 404, body: '<html>Not found</html>' },
  'a malformed token, where nothing succeeded yet': fcmError(
    400,
    'INVALID_ARGUMENT',
    'The registration token is not a valid FCM registration token',
  ),
  'a malformed token, where others succeed': fcmError(
    400,
    'INVALID_ARGUMENT',
    'The registration token is not a valid FCM registration token',
  ),
  'a bad field': {
    status: 400,
    body: JSON.stringify({
      error: {
        status: 'INVALID_ARGUMENT',
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.BadRequest',
            fieldViolations: [{ field: 'message.android.ttl', description: 'Illegal format' }],
          },
        ],
      },
    }),
  },
  'a sender mismatch, where nothing succeeded yet': fcmError(403, 'SENDER_ID_MISMATCH'),
  'a sender mismatch, where others succeed': fcmError(403, 'SENDER_ID_MISMATCH'),
  'a missing permission': fcmError(403, undefined, 'Permission denied'),
  'an access token that stays refused': fcmError(
    401,
    undefined,
    'Request had invalid authentication',
  ),
  'a missing APNs key': fcmError(401, 'THIRD_PARTY_AUTH_ERROR'),
  'a used-up quota': fcmError(429, 'QUOTA_EXCEEDED'),
  'an internal error': fcmError(500, 'INTERNAL'),
  unavailable: fcmError(503, 'UNAVAILABLE'),
  'a bad gateway': { status: 502, body: 'oops' },
  'a redirect': { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
  'seconds to wait': retryAfter('7'),
  'a date to wait for': retryAfter(new Date(acceptedMs + 90_000).toUTCString()),
  'a day to wait': retryAfter('86400'),
  'a date in the past': retryAfter(new Date(acceptedMs - 90_000).toUTCString()),
  'a quota without a delay': fcmError(429, 'QUOTA_EXCEEDED'),
  'an internal error without a delay': fcmError(500, 'INTERNAL'),
  echo: fcmError(
    400,
    'INVALID_ARGUMENT',
    `no good: ${token} ${bearer} someone@example.com +14155550123`,
  ),
};

function config(
  fcm: HttpStandIn | string,
  google: HttpStandIn | undefined,
  mode: 'live' | 'sandbox' = 'live',
) {
  const urls = {
    FCM: typeof fcm === 'string' ? fcm : fcm.url,
    ...(google && { GOOGLE_TOKEN: `${google.url}/token` }),
  };
  return {
    mode,
    urls,
    vapidSubject: 'mailto:a@example.com',
    publicUrl: 'http://127.0.0.1',
  } satisfies ProviderConfig;
}

const grant: HttpBehavior = {
  status: 200,
  body: JSON.stringify({ access_token: bearer, expires_in: 3599, token_type: 'Bearer' }),
};

const subject: ChannelSubject = {
  name: 'fcm',
  attempt: () => anAttempt({ endpoint: token }),
  open: openHttp({
    create: createFcm,
    config: (url, token) => providerConfig({ FCM: url, ...(token && { GOOGLE_TOKEN: token }) }),
    credentials: account,
    accept: behaviors['accept'] ?? 'hang',
    behaviors,
    lateBody: JSON.stringify({ name }),
    grant,
  }),
  outcomes: {
    unregistered: { outcome: 'dead', reason: 'unregistered' },
    'a project that does not exist': { outcome: 'config', reason: 'project_not_found' },
    'a wrong path, in HTML': { outcome: 'config', reason: 'project_not_found' },
    'a malformed token, where nothing succeeded yet': {
      outcome: 'permanent',
      reason: 'invalid_token',
    },
    'a malformed token, where others succeed': {
      outcome: 'dead',
      reason: 'invalid_token',
      afterSuccess: true,
    },
    'a bad field': { outcome: 'permanent', reason: 'invalid_argument' },
    'a sender mismatch, where nothing succeeded yet': {
      outcome: 'config',
      reason: 'sender_id_mismatch',
    },
    'a sender mismatch, where others succeed': {
      outcome: 'dead',
      reason: 'sender_id_mismatch',
      afterSuccess: true,
    },
    'a missing permission': { outcome: 'config', reason: 'permission_denied' },
    'an access token that stays refused': { outcome: 'config', reason: 'unauthenticated' },
    'a missing APNs key': { outcome: 'config', reason: 'third_party_auth_error' },
    'a used-up quota': { outcome: 'rate', reason: 'quota_exceeded' },
    'an internal error': { outcome: 'retry', reason: 'internal' },
    unavailable: { outcome: 'retry', reason: 'unavailable' },
    'a bad gateway': { outcome: 'retry', reason: 'http_502' },
    'a redirect': { outcome: 'config', reason: 'http_302' },
  },
  delays: {
    'seconds to wait': 7_000,
    'a date to wait for': 90_000,
    'a day to wait': 3_600_000,
    'a date in the past': 0,
    'a quota without a delay': 60_000,
    'an internal error without a delay': 10_000,
  },
  tooLarge: () => anAttempt({ endpoint: token, content: { body: 'é'.repeat(2_040) } }),
  tooLargeReason: 'payload_too_large',
  secrets: [token, bearer, 'someone@example.com', '4155550123'],
};

await channelConformance(t, subject);

t.test('every option and member of the content reaches its place', async (t) => {
  const fcm = await httpStandIn(behaviors['accept'] ?? 'hang');
  const outbound = createOutbound({ allowPrivateNetworks: false });
  t.teardown(async () => {
    await outbound.close(0);
    await fcm.close();
  });
  const adapter = createFcm({
    config: config(fcm, undefined, 'sandbox'),
    outbound,
    clock: fixedClock(acceptedMs),
  });
  const attempt = anAttempt({
    endpoint: token,
    content: {
      ...everyOption,
      buttons: [{ id: 'view', label: 'View', url: 'https://shop.example.com' }],
    },
  });
  t.match(await adapter.send(attempt, undefined), { outcome: 'accepted', providerMessageId: name });
  const [call] = fcm.calls;
  t.equal(call?.path, '/v1/projects/sandbox/messages:send');
  t.equal(call?.headers.authorization, 'Bearer sandbox');
  t.same(JSON.parse(String(call?.body)), {
    message: {
      token,
      notification: {
        title: 'Your order',
        body: 'It has shipped.',
        image: 'https://cdn.example.com/a.png',
      },
      data: {
        order: '1',
        deepLink: 'https://shop.example.com/orders/1',
        buttons: '[{"id":"view","label":"View","url":"https://shop.example.com"}]',
        engageSendId: attempt.sendId,
        engageDeviceId: attempt.deviceId,
      },
      android: {
        priority: 'HIGH',
        ttl: '3600s',
        collapse_key: 'ck',
        notification: { channel_id: 'orders', sound: 'ding', notification_count: 3, tag: 'ck' },
      },
      apns: {
        headers: {
          'apns-priority': '10',
          'apns-expiration': String(acceptedMs / 1000 + 3600),
          'apns-collapse-id': 'ck',
        },
        payload: { aps: { badge: 3, sound: 'ding', 'mutable-content': 1 } },
        fcm_options: { image: 'https://cdn.example.com/a.png' },
      },
      webpush: {
        headers: { TTL: '3600', Urgency: 'high', Topic: '2Tvspu_QQhsxTAgQZgZKwONxswb3FcwJ' },
        fcm_options: { link: 'https://shop.example.com/orders/1' },
      },
    },
  });
});

t.test('a plain message carries nothing it does not need', async (t) => {
  const fcm = await httpStandIn(behaviors['accept'] ?? 'hang');
  const outbound = createOutbound({ allowPrivateNetworks: false });
  t.teardown(async () => {
    await outbound.close(0);
    await fcm.close();
  });
  const adapter = createFcm({
    config: config(fcm, undefined, 'sandbox'),
    outbound,
    clock: fixedClock(acceptedMs),
  });
  await adapter.send(anAttempt({ endpoint: token }), undefined);
  t.same(Object.keys(JSON.parse(String(fcm.calls[0]?.body)).message), [
    'token',
    'notification',
    'data',
  ]);
  const reserved = anAttempt({ endpoint: token, content: { data: { google_x: '1' } } });
  t.match(await adapter.send(reserved, undefined), {
    outcome: 'permanent',
    reason: 'reserved_data_key',
  });
});

t.test('access tokens', async (t) => {
  const fcm = await httpStandIn(behaviors['accept'] ?? 'hang');
  const google = await httpStandIn(grant);
  const outbound = createOutbound({ allowPrivateNetworks: false });
  const clock = fixedClock(acceptedMs);
  t.teardown(async () => {
    await outbound.close(0);
    await fcm.close();
    await google.close();
  });
  const make = () => createFcm({ config: config(fcm, google), outbound, clock });
  const attempt = anAttempt({ endpoint: token });

  await t.test('a hundred sends at once ask for one token, signed for the exchange', async (t) => {
    const adapter = make();
    google.calls.length = 0;
    await Promise.all(Array.from({ length: 100 }, () => adapter.send(attempt, account)));
    t.equal(google.calls.length, 1);
    const form = new URLSearchParams(String(google.calls[0]?.body));
    t.equal(form.get('grant_type'), 'urn:ietf:params:oauth:grant-type:jwt-bearer');
    const assertion = form.get('assertion') ?? '';
    const { payload } = await jwtVerify(assertion, keys.publicKey, {
      audience: `${google.url}/token`,
      issuer: account.client_email,
      currentDate: new Date(acceptedMs),
    });
    t.equal(payload['scope'], 'https://www.googleapis.com/auth/firebase.messaging');
    t.equal((payload.exp ?? 0) - (payload.iat ?? 0), 3600);
    t.match(decodeProtectedHeader(assertion), { alg: 'RS256', typ: 'JWT', kid: 'abc123' });
    t.equal(fcm.calls.at(-1)?.headers.authorization, `Bearer ${bearer}`);
    t.equal(fcm.calls.at(-1)?.path, '/v1/projects/shop-1234/messages:send');
  });

  await t.test('a token is renewed five minutes before it ends, not earlier', async (t) => {
    const adapter = make();
    google.calls.length = 0;
    await adapter.send(attempt, account);
    clock.nowMs = acceptedMs + (3599 - 301) * 1000;
    await adapter.send(attempt, account);
    t.equal(google.calls.length, 1);
    clock.nowMs = acceptedMs + (3599 - 299) * 1000;
    await adapter.send(attempt, account);
    t.equal(google.calls.length, 2);
    clock.nowMs = acceptedMs;
  });

  await t.test('a refused access token is renewed once within the same send', async (t) => {
    const adapter = make();
    google.calls.length = 0;
    fcm.calls.length = 0;
    fcm.meet((_call, response) => {
      const refused = fcm.calls.length === 1;
      response
        .writeHead(refused ? 401 : 200)
        .end(refused ? '{"error":{}}' : JSON.stringify({ name }));
    });
    t.match(await adapter.send(attempt, account), { outcome: 'accepted' });
    t.equal(google.calls.length, 2);
    fcm.meet(behaviors['accept'] ?? 'hang');
  });

  await t.test('a refused assertion is config, an exchange that is down is a retry', async (t) => {
    fcm.calls.length = 0;
    google.meet({
      status: 400,
      body: '{"error":"invalid_grant","error_description":"Invalid JWT Signature."}',
    });
    t.match(await make().send(attempt, account), {
      outcome: 'config',
      reason: 'google_token_refused',
      detail: /invalid_grant/,
    });
    google.meet({ status: 503, headers: { 'retry-after': '3' } });
    t.match(await make().send(attempt, account), {
      outcome: 'retry',
      reason: 'google_token_unavailable',
      retryAfterMs: 3000,
    });
    google.meet('cut');
    t.match(await make().send(attempt, account), {
      outcome: 'retry',
      reason: 'google_token_connection_lost',
    });
    t.equal(fcm.calls.length, 0, 'nothing went to FCM');
  });
});

t.test('in live mode the token comes from Google itself, with an assertion for it', async (t) => {
  const called: { readonly url: string; readonly body: string }[] = [];
  const outbound: Outbound = {
    allowPrivateNetworks: false,
    call({ url, body }) {
      called.push({ url, body: String(body) });
      const answer = url.endsWith('/token') ? grant : behaviors['accept'];
      const text = typeof answer === 'object' ? String(answer.body) : '';
      return Promise.resolve({
        kind: 'answered',
        status: 200,
        headers: {},
        body: text,
        complete: true,
      });
    },
    close: () => Promise.resolve(),
  };
  const live = { ...config('', undefined), urls: {} };
  const adapter = createFcm({ config: live, outbound, clock: fixedClock(acceptedMs) });
  const outcome = await adapter.send(anAttempt({ endpoint: token }), account);
  t.match(outcome, { outcome: 'accepted' });
  const [exchange, send] = called;
  t.equal(exchange?.url, 'https://oauth2.googleapis.com/token');
  t.equal(send?.url, 'https://fcm.googleapis.com/v1/projects/shop-1234/messages:send');
  const assertion = new URLSearchParams(exchange?.body).get('assertion') ?? '';
  const { payload } = await jwtVerify(assertion, keys.publicKey, {
    audience: 'https://oauth2.googleapis.com/token',
    issuer: account.client_email,
    currentDate: new Date(acceptedMs),
  });
  t.equal(payload['scope'], 'https://www.googleapis.com/auth/firebase.messaging');
});
