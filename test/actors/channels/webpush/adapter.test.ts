// The web push adapter against a loopback push service: the conformance suite, and its bytes
// against the independent judges: http_ece decrypts, jose verifies, the web-push library makes the
// same headers.

import { createECDH, type ECDH, randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { importJWK, jwtVerify } from 'jose';
import t, { type Test } from 'tap';
import { createOutbound } from '../../../../actors/channels/outbound/outbound.ts';
import type { ProviderConfig } from '../../../../actors/channels/port/provider-config.ts';
import { createWebPush } from '../../../../actors/channels/webpush/adapter.ts';
import {
  createVapidTokens,
  encrypt,
  webPushPlaintextBytesMax,
} from '../../../../actors/channels/webpush/encryption.ts';
import { type ChannelSubject, channelConformance } from '../../../conformance/channel.ts';
import { tries } from '../../../support/tries.ts';
import {
  acceptedMs,
  anAttempt,
  closedPort,
  fixedClock,
  type HttpBehavior,
  httpStandIn,
} from '../stand-ins.ts';

// It has no types of its own.
const ece: {
  decrypt(
    body: Buffer,
    options: { version: 'aes128gcm'; privateKey: ECDH; authSecret: Buffer },
  ): Buffer;
} = createRequire(import.meta.url)('http_ece');

const browser = createECDH('prime256v1');
browser.generateKeys();
const auth = randomBytes(16);
const browserKeys = { p256dh: browser.getPublicKey('base64url'), auth: auth.toString('base64url') };
const server = createECDH('prime256v1');
server.generateKeys();
const keys = {
  publicKey: server.getPublicKey('base64url'),
  privateKey: server.getPrivateKey().toString('hex').padStart(64, '0'),
  subject: 'mailto:push@example.com',
};
keys.privateKey = Buffer.from(keys.privateKey, 'hex').toString('base64url');
const path = '/wpush/v2/gAAAAABsecret-of-the-subscription';

const answer = (status: number, body = '', headers = {}): HttpBehavior => ({
  status,
  body,
  headers,
});
const retryAfter = (value: string) => answer(503, '', { 'retry-after': value });
const behaviors: Record<string, HttpBehavior> = {
  accept: answer(201, '', { location: 'https://push.example.com/m/1' }),
  hang: 'hang',
  cut: 'cut',
  gone: answer(410),
  'not found': answer(404, '{"code":404,"errno":102,"error":"Not Found"}'),
  'a bad request': answer(400, '{"reason":"BadWebPushTopic"}'),
  'a refused key pair, by wording': answer(400, 'UnauthorizedRegistration'),
  'a refused token': answer(403, '{"reason":"BadJwtToken"}'),
  'a refused token, where others succeed': answer(403, '{"reason":"BadJwtToken"}'),
  'another key pair, where nothing succeeded yet': answer(403, '{"reason":"VapidPkHashMismatch"}'),
  'another key pair, where others succeed': answer(403, '{"reason":"VapidPkHashMismatch"}'),
  'too large after all': answer(413),
  throttled: answer(429),
  '406 of somebody else': answer(406),
  'a redirect': answer(307, '', { location: 'http://127.0.0.1:1/' }),
  'a server error': answer(500),
  unavailable: answer(503),
  'seconds to wait': retryAfter('7'),
  'a date to wait for': retryAfter(new Date(acceptedMs + 90_000).toUTCString()),
  'a day to wait': retryAfter('86400'),
  'a throttle without a delay': answer(429),
  echo: answer(400, `bad: ${path} ${browserKeys.p256dh} ${browserKeys.auth} someone@example.com`),
};

function config(mode: 'live' | 'sandbox', webPushUrl?: string): ProviderConfig {
  return {
    mode,
    urls: {},
    vapidSubject: 'mailto:operator@example.com',
    publicUrl: 'http://127.0.0.1',
    ...(webPushUrl !== undefined && { webPushUrl }),
  };
}

let port = 0;
const attempt = () =>
  anAttempt({
    channel: 'webpush',
    endpoint: { endpoint: `http://127.0.0.1:${port}${path}`, keys: browserKeys },
  });

const subject: ChannelSubject = {
  name: 'webpush',
  attempt,
  async open({ timeoutMs, down, bare }) {
    const service = await httpStandIn(behaviors['accept'] ?? 'hang');
    port = down ? await closedPort() : Number(new URL(service.url).port);
    const outbound = createOutbound({ allowPrivateNetworks: true, timeoutMs });
    const clock = fixedClock(acceptedMs);
    const adapter = createWebPush({ config: config('live'), outbound, clock });
    return {
      adapter,
      credentials: bare ? undefined : keys,
      meet: (key) => service.meet(behaviors[key] ?? 'hang'),
      calls: () => service.calls.length,
      release: () => {
        for (const held of service.held) held.writeHead(201).end();
      },
      async shutDown() {
        await adapter.close();
        await outbound.close();
      },
      async close() {
        await outbound.close(0);
        await service.close();
      },
    };
  },
  outcomes: {
    gone: { outcome: 'dead', reason: 'unsubscribed' },
    'not found': { outcome: 'dead', reason: 'unsubscribed' },
    'a bad request': { outcome: 'permanent', reason: 'bad_request' },
    'a refused key pair, by wording': { outcome: 'config', reason: 'vapid_refused' },
    'a refused token': { outcome: 'config', reason: 'vapid_refused' },
    'a refused token, where others succeed': {
      outcome: 'config',
      reason: 'vapid_refused',
      afterSuccess: true,
    },
    'another key pair, where nothing succeeded yet': { outcome: 'config', reason: 'vapid_refused' },
    'another key pair, where others succeed': {
      outcome: 'dead',
      reason: 'vapid_mismatch',
      afterSuccess: true,
    },
    'too large after all': { outcome: 'permanent', reason: 'payload_too_large' },
    throttled: { outcome: 'rate', reason: 'throttled' },
    '406 of somebody else': { outcome: 'permanent', reason: 'http_406' },
    'a redirect': { outcome: 'permanent', reason: 'redirected' },
    'a server error': { outcome: 'retry', reason: 'http_500' },
    unavailable: { outcome: 'retry', reason: 'unavailable' },
  },
  delays: {
    'seconds to wait': 7_000,
    'a date to wait for': 90_000,
    'a day to wait': 3_600_000,
    'a throttle without a delay': 60_000,
  },
  tooLarge: () => ({ ...attempt(), content: { body: 'é'.repeat(1_997), options: {} } }),
  tooLargeReason: 'payload_too_large',
  secrets: [path.slice(1), browserKeys.p256dh, browserKeys.auth, 'someone@example.com'],
};

await channelConformance(t, subject);

async function rig(t: Test, standIn = false) {
  const service = await httpStandIn(behaviors['accept'] ?? 'hang');
  const outbound = createOutbound({ allowPrivateNetworks: !standIn });
  t.teardown(async () => {
    await outbound.close(0);
    await service.close();
  });
  const clock = fixedClock(acceptedMs);
  const chosen = standIn ? config('sandbox', `${service.url}/webpush`) : config('live');
  return { service, clock, adapter: createWebPush({ config: chosen, outbound, clock }) };
}

const opened = (body: Buffer) =>
  JSON.parse(
    ece.decrypt(body, { version: 'aes128gcm', privateKey: browser, authSecret: auth }).toString(),
  );

t.test(
  'the message decrypts to what the service worker reads, options and ids included',
  async (t) => {
    const { service, adapter } = await rig(t);
    const sent = anAttempt({
      channel: 'webpush',
      endpoint: { endpoint: `${service.url}${path}`, keys: browserKeys },
      content: {
        image: 'https://cdn.example.com/a.png',
        deepLink: 'https://shop.example.com/1',
        buttons: [{ label: 'View', url: 'https://shop.example.com' }],
        data: { order: '1' },
        options: {
          badgeCount: 2,
          sound: 'none',
          ttlSeconds: 60,
          collapseKey: 'ck',
          priority: 'high',
        },
      },
    });
    t.match(await adapter.send(sent, keys), { providerMessageId: 'https://push.example.com/m/1' });
    const [call] = service.calls;
    t.equal(call?.path, path);
    t.match(call?.headers, {
      ttl: '60',
      urgency: 'high',
      topic: /^[A-Za-z0-9_-]{32}$/,
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      'content-length': String(call?.body.length),
    });
    t.same(opened(call?.body ?? Buffer.alloc(0)), {
      title: 'Your order',
      body: 'It has shipped.',
      image: 'https://cdn.example.com/a.png',
      tag: 'ck',
      renotify: true,
      silent: true,
      actions: [{ action: 'button-1', title: 'View', url: 'https://shop.example.com' }],
      data: { order: '1', deepLink: 'https://shop.example.com/1', badgeCount: 2 },
      messageId: sent.sendId,
      deviceId: sent.deviceId,
    });
  },
);

t.test(
  'the VAPID token names the push service, its key verifies it, and it is kept for six hours',
  async (t) => {
    const { service, adapter, clock } = await rig(t);
    const sent = {
      ...attempt(),
      endpoint: { endpoint: `${service.url}${path}`, keys: browserKeys },
    };
    await adapter.send(sent, keys);
    const header = service.calls[0]?.headers.authorization ?? '';
    const [, token = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(header) ?? [];
    t.equal(key, keys.publicKey);
    const point = Buffer.from(key, 'base64url');
    const jwk = {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    };
    const { payload } = await jwtVerify(token, await importJWK(jwk, 'ES256'), {
      audience: service.url,
      currentDate: new Date(acceptedMs),
    });
    t.equal(payload['sub'], keys.subject);
    t.equal(payload.exp, acceptedMs / 1000 + 12 * 3600);
    clock.nowMs += 6 * 3_600_000 - 1;
    await adapter.send({ ...sent, acceptedMs: clock.nowMs }, keys);
    t.equal(service.calls[1]?.headers.authorization, header);
    clock.nowMs += 1;
    await adapter.send({ ...sent, acceptedMs: clock.nowMs }, keys);
    t.not(service.calls[2]?.headers.authorization, header);
  },
);

t.test('a token is made for each origin, key pair and subject apart', async (t) => {
  const tokens = createVapidTokens();
  const a = tokens.header('https://a.example.com', keys, 'mailto:a@example.com', acceptedMs);
  t.equal(tokens.header('https://a.example.com', keys, 'mailto:a@example.com', acceptedMs), a);
  t.not(tokens.header('https://b.example.com', keys, 'mailto:a@example.com', acceptedMs), a);
  t.not(tokens.header('https://a.example.com', keys, 'mailto:b@example.com', acceptedMs), a);
});

t.test('whatever is encrypted, http_ece decrypts', async (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: webPushPlaintextBytesMax }), (plaintext) => {
      const body = encrypt(browserKeys, plaintext);
      const options = { version: 'aes128gcm', privateKey: browser, authSecret: auth } as const;
      return body !== undefined && ece.decrypt(body, options).equals(plaintext);
    }),
    { seed: 8291, numRuns: tries(100) },
  );
  t.equal(
    encrypt(browserKeys, Buffer.alloc(webPushPlaintextBytesMax))?.length,
    4096,
    'the most is 4,096 bytes',
  );
  const offCurve = Buffer.alloc(65, 1);
  offCurve[0] = 4;
  t.equal(
    encrypt({ ...browserKeys, p256dh: offCurve.toString('base64url') }, Buffer.alloc(1)),
    undefined,
  );
  t.equal(encrypt({ ...browserKeys, auth: 'AAAA' }, Buffer.alloc(1)), undefined);
});

t.test(
  'sandbox mode sends to the stand-in whatever the subscription says, without any credential',
  async (t) => {
    const { service, adapter } = await rig(t, true);
    const endpoint = 'https://fcm.googleapis.com/fcm/send/abc';
    const sent = anAttempt({ channel: 'webpush', endpoint: { endpoint, keys: browserKeys } });
    t.match(await adapter.send(sent, undefined), { outcome: 'accepted' });
    t.equal(service.calls[0]?.path, `/webpush/to/${Buffer.from(endpoint).toString('base64url')}`);
    const token =
      /t=([^,.]+\.([^,.]+))/.exec(service.calls[0]?.headers.authorization ?? '')?.[2] ?? '';
    t.equal(
      JSON.parse(Buffer.from(token, 'base64url').toString()).aud,
      'https://fcm.googleapis.com',
    );
  },
);

t.test("406 is Microsoft's way to throttle, and only Microsoft's", async (t) => {
  const { service, adapter } = await rig(t, true);
  service.meet(answer(406));
  const send = (endpoint: string) =>
    adapter.send(
      anAttempt({ channel: 'webpush', endpoint: { endpoint, keys: browserKeys } }),
      keys,
    );
  const microsoft = await send('https://db5p.notify.windows.com/w/?token=x');
  t.match(microsoft, { outcome: 'rate', reason: 'throttled', atLeastMs: 60_000 });
  t.match(await send('https://web.push.apple.com/x'), { outcome: 'permanent', reason: 'http_406' });
});

t.test('in live mode only the push services of browsers are called', async (t) => {
  const outbound = createOutbound({
    allowPrivateNetworks: false,
    resolver: {
      resolve4: () => Promise.reject(new Error()),
      resolve6: () => Promise.reject(new Error()),
    },
  });
  t.teardown(() => outbound.close(0));
  const clock = fixedClock(acceptedMs);
  const adapter = createWebPush({ config: config('live'), outbound, clock });
  const send = (endpoint: string) =>
    adapter.send(
      anAttempt({ channel: 'webpush', endpoint: { endpoint, keys: browserKeys } }),
      keys,
    );
  for (const host of [
    'https://fcm.googleapis.com',
    'https://updates.push.services.mozilla.com',
    'https://web.push.apple.com',
    'https://jmt17.google.com',
    'https://db5p.notify.windows.com',
  ]) {
    t.match(await send(`${host}/x`), { outcome: 'retry', reason: 'dns' }, `${host} is tried`);
  }
  for (const host of [
    'https://example.com',
    'https://fcm.googleapis.com.evil.com',
    'https://evilpush.services.mozilla.com.evil.com',
    'https://notfcm.googleapis.com',
    'https://169.254.169.254',
    'https://[::1]',
  ]) {
    t.match(
      await send(`${host}/x`),
      { outcome: 'permanent', reason: 'push_service_not_allowed' },
      host,
    );
  }
  t.match(await send('http://fcm.googleapis.com/x'), { reason: 'scheme_not_allowed' });
  t.match(await send('https://fcm.googleapis.com:8080/x'), { reason: 'port_not_allowed' });
});

t.test('the headers are those the web-push library makes', async (t) => {
  const { default: webpush } = await import('web-push');
  const { service, adapter } = await rig(t);
  const subscription = { endpoint: `${service.url}${path}`, keys: browserKeys };
  const options = { ttlSeconds: 60, priority: 'high' } as const;
  await adapter.send(
    anAttempt({ channel: 'webpush', endpoint: subscription, content: { options } }),
    keys,
  );
  const theirs = webpush.generateRequestDetails(subscription, 'x', {
    TTL: 60,
    urgency: 'high',
    contentEncoding: 'aes128gcm',
    vapidDetails: keys,
  });
  const ours = service.calls[0]?.headers ?? {};
  for (const name of ['TTL', 'Content-Encoding', 'Content-Type', 'Urgency']) {
    t.equal(String(ours[name.toLowerCase()]), String(theirs.headers[name]), name);
  }
  t.match(theirs.headers['Authorization'], /^vapid t=[^,]+, k=/);
});
