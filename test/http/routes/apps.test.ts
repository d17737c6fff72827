// Apps, their settings and credentials at the edge.

import { createECDH } from 'node:crypto';
import t from 'tap';
import { makeVapidKeys } from '../../../actors/channels/webpush/vapid-keys.ts';
import { settingsBefore } from '../../../actors/tenants/accounts/records.ts';
import { exampleIds } from '../../../http/call/schemas/example-ids.ts';
import { type Asked, fakeFront } from './fake-front.ts';

const settings = `/v1/apps/${exampleIds.app}/settings`;
const credentials = `/v1/apps/${exampleIds.app}/credentials`;

t.test('an app is made with a web push key pair whose halves belong together', async (t) => {
  const front = fakeFront((message) => ({
    id: exampleIds.app,
    ordinal: 1,
    org: 2,
    name: message['name'],
    timezone: message['timezone'],
    createdMs: 0,
  }));
  const got = await front.call('POST /v1/apps', { body: { name: 'Shop' } });
  const { publicKey, privateKey } = (front.asked[0] as Asked).message['vapid'] as {
    readonly publicKey: string;
    readonly privateKey: string;
  };
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(Buffer.from(privateKey, 'base64url'));
  t.equal(ecdh.getPublicKey().toString('base64url'), publicKey);
  t.equal(Buffer.from(publicKey, 'base64url').length, 65);
  t.equal(Buffer.from(privateKey, 'base64url').length, 32);
  t.match([got.status, got.json], [201, { name: 'Shop', timezone: 'UTC', vapidPublicKey: /^B/ }]);
  t.notMatch(got.text, /ordinal|privateKey/);
  const wrong = await front.call('POST /v1/apps', {
    body: { name: 'Shop', timezone: 'Mars/Olympus' },
  });
  t.match([wrong.status, wrong.json], [400, { field: 'timezone' }]);
});

const shown = { ...settingsBefore, goneBeforeMs: Date.UTC(2026, 5, 23) };

t.test('settings read back without the secret', async (t) => {
  const { call } = fakeFront(() => ({ ...shown, secret: new Uint8Array(4) }));
  const got = await call(`GET ${settings}`);
  const { etag, ...rest } = got.json as { etag: string };
  t.match(etag, /^[\w-]{22}$/);
  t.same(rest, {
    caps: [],
    campaignGuard: {
      bounceShare: 0.2,
      bouncesAfterCalls: 100,
      complaintShare: 0.003,
      complaintsAfterDeliveries: 1_000,
      senderRefusalsInARow: 50,
    },
    campaignGuardDefaults: {
      bounceShare: 0.2,
      bouncesAfterCalls: 100,
      complaintShare: 0.003,
      complaintsAfterDeliveries: 1_000,
      senderRefusalsInARow: 50,
    },
    softBounces: { inARow: 5, overDays: 7, restDays: 14 },
    quietHours: null,
    webhookUrl: null,
    secretSet: true,
    email: {
      fromName: null,
      fromAddress: null,
      replyTo: null,
      unsubscribeText: null,
      platformAddress: 'app-6dp@sandbox.example',
    },
    eventsRetentionDays: null,
    deletesBefore: '2026-06-23T00:00:00.000Z',
    emailTracking: true,
    identityVerification: 'first-use',
    keylessEvents: { startJourneys: true, countEngagement: true, registerPaidChannels: true },
    unsubscribe: null,
    unsubscribeScope: 'all',
    doubleOptIn: true,
    keywords: { stop: [], start: [] },
    wording: null,
    utm: null,
    textPrices: null,
    refuseDisposableAddresses: false,
    keylessPeoplePerMinute: null,
    anonymousExpiryDays: 30,
    undoSendSeconds: 10,
    defaultCountry: null,
    displayName: null,
  });
});

t.test('every setting is held to its rule, and the fault names it', async (t) => {
  const front = fakeFront(() => shown);
  const cap = { max: 1, perHours: 24 };
  const hours = { start: '22:00', end: '08:00' };
  const cases = [
    [{ caps: [{ ...cap, max: 100, perHours: 720 }] }, undefined],
    [{ caps: Array(6).fill(cap) }, 'caps'],
    [{ caps: [{ ...cap, max: 101 }] }, 'caps[0].max'],
    [{ caps: [{ ...cap, perHours: 721 }] }, 'caps[0].perHours'],
    [{ caps: [{ ...cap, perHours: 1e300 }] }, 'caps[0].perHours'],
    [{ caps: [{ ...cap, channel: 'pigeon' }] }, 'caps[0].channel'],
    [{ quietHours: hours }, undefined],
    [{ quietHours: { ...hours, timezone: 'Asia/Bangkok' } }, undefined],
    [{ quietHours: null }, undefined],
    [{ quietHours: { ...hours, start: '24:00' } }, 'quietHours.start'],
    [{ quietHours: { ...hours, end: '22:00' } }, 'quietHours.end'],
    [{ quietHours: { ...hours, timezone: '+07:00' } }, 'quietHours.timezone'],
    [{ quietHours: { ...hours, channels: [] } }, 'quietHours.channels'],
    [{ webhookUrl: 'https://example.com/hook' }, undefined],
    [{ webhookUrl: null }, undefined],
    [{ webhookUrl: 'ftp://example.com' }, 'webhookUrl'],
    [{ webhookUrl: 'https://user:word@example.com' }, 'webhookUrl'],
    [{ unsubscribe: 'footer' }, undefined],
    [{ unsubscribe: null }, undefined],
    [{ unsubscribe: 'always' }, 'unsubscribe'],
    [{ unsubscribeScope: 'marketing' }, undefined],
    [{ unsubscribeScope: null }, 'unsubscribeScope'],
    [{ eventsRetentionDays: 7 }, undefined],
    [{ eventsRetentionDays: 90 }, undefined],
    [{ eventsRetentionDays: null }, undefined],
    [{ eventsRetentionDays: 6 }, 'eventsRetentionDays'],
    [{ eventsRetentionDays: 91 }, 'eventsRetentionDays'],
    [{ eventsRetentionDays: 7.5 }, 'eventsRetentionDays'],
    [{ email: { fromAddress: 'Ada@Example.com', replyTo: null } }, undefined],
    [{ email: { fromAddress: 'nobody' } }, 'email.fromAddress'],
    [{ email: { fromName: 'a\r\nBcc: x' } }, 'email.fromName'],
    [{ utm: { source: 's'.repeat(501) } }, 'utm.source'],
    [{ utm: { medium: '{{ first_name }}' } }, 'utm.medium'],
    [{ utm: 'yes' }, 'utm'],
    [{ emailTracking: 'yes' }, 'emailTracking'],
    [{ identityVerification: 'always' }, 'identityVerification'],
    [{ identityVerification: null }, undefined],
    [{ secret: 'word', unknown: 1 }, undefined],
  ] as const;
  for (const [body, field] of cases) {
    const got = await front.call(`PATCH ${settings}`, { body });
    const wanted = field === undefined ? [200, {}] : [400, { field }];
    t.match([got.status, got.json], wanted, JSON.stringify(body));
  }
  const last = front.asked.at(-1)?.message;
  t.same(last?.['patch'], { secret: 'word' }, 'only what was sent, and only what is known');
});

t.test('a credential is checked on upload, and only its fingerprint comes back', async (t) => {
  const front = fakeFront((message) => ({
    channel: message['channel'],
    fingerprint: message['fingerprint'],
    updatedMs: 0,
  }));
  const body = { authToken: '0123456789abcdef-token', senderName: 'Acme' };
  const got = await front.call(`POST ${credentials}/viber`, { body });
  t.match([got.status, got.json], [400, { field: 'authToken' }]);
  t.notMatch(got.text, /abcdef-token/, 'what was uploaded is not repeated');
  const right = { authToken: '0123456789abcdef-0123456789abcdef', senderName: 'Acme' };
  const stored = await front.call(`POST ${credentials}/viber`, { body: right });
  t.match([stored.status, stored.json], [201, { channel: 'viber', fingerprint: /^[0-9a-f]{16}$/ }]);
  t.notMatch(stored.text, /abcdef-/);
});

t.test('a file of Google that is no service account is refused on upload', async (t) => {
  const front = fakeFront();
  for (const type of ['authorized_user', undefined]) {
    const body = { type, project_id: 'shop-1', client_email: 'a@b.example', private_key: 'x' };
    const got = await front.call(`POST ${credentials}/fcm`, { body });
    t.match([got.status, got.json], [400, { field: 'type', error: /^type: must be "service_acc/ }]);
  }
  t.equal(front.asked.length, 0);
});

t.test('a web push key pair with a subject that no push service takes is refused', async (t) => {
  const front = fakeFront();
  const body = { ...(await makeVapidKeys()), subject: 'https://[not-an-address' };
  const got = await front.call(`POST ${credentials}/webpush`, { body });
  t.match([got.status, got.json], [400, { field: 'subject' }]);
  t.equal(front.asked.length, 0);
});

t.test('a limit out of range is told its one bound', async (t) => {
  const front = fakeFront();
  const refused = async (body: object) =>
    (await front.call(`PATCH /v1/orgs/${exampleIds.org}`, { key: 'bootstrap', body })).json;
  for (const member of ['dailySendCap', 'emailAllowance']) {
    const error = `${member}: expected at most 1000000000000`;
    t.match(await refused({ [member]: 1e300 }), { error, issues: undefined });
    t.match(await refused({ [member]: -1 }), { error: `${member}: expected at least 0` });
  }
  t.match(await refused({ rateLimits: { standard: 1e300 } }), {
    error: 'rateLimits.standard: expected at most 1000000000',
    issues: undefined,
  });
  t.equal(front.asked.length, 0);
});

t.test('a channel without a credential of its own is a 404 that says which to use', async (t) => {
  const { call } = fakeFront();
  const sms = await call(`POST ${credentials}/sms`, { body: {} });
  t.match([sms.status, sms.json], [404, { error: /carrier/, field: 'channel' }]);
  t.equal((await call(`DELETE ${credentials}/nonsense`)).status, 404);
});
