// Orgs, keys, apps, settings and credentials: names, scopes, every bound of the settings, and what
// is never shown again (specification, "Authentication"; contract, sections 1 to 3).

import { generateKeyPairSync } from 'node:crypto';
import t from 'tap';
import { parseId } from '../../engine/base/id.ts';
import { client } from '../support/server.ts';
import { chapter, checkRefusal, withKey } from './chapter.ts';

const all = await chapter(t);
const { api, app, base, org, server, takes, refuses } = all;
const operator = client(server.url, server.bootstrapToken);
const scopes = ['read', 'write', 'send', 'admin'];

t.test('a name has 1 to 256 characters on one line, wherever there is one', async (t) => {
  const makers: Readonly<Record<string, object>> = {
    'POST /v1/apps': {},
    'POST /v1/keys': { scopes: ['read'] },
  };
  for (const [line, more] of Object.entries(makers)) {
    const made = await takes(t, line, { ...more, name: ` ${'n'.repeat(256)} ` }, 201);
    t.equal(made.json.name, 'n'.repeat(256));
    for (const name of ['', '   ', 'n'.repeat(257), 'a\nb', '\ud800', 7, null, undefined]) {
      await refuses(
        t,
        line,
        { ...more, name },
        { status: 400, code: 'invalid', field: 'name' },
        JSON.stringify(name)?.slice(0, 20),
      );
    }
  }
  checkRefusal(
    t,
    await operator.call('POST /v1/orgs', { name: '' }),
    { status: 400, field: 'name' },
    'org',
  );
});

t.test('the operator makes an org whose first key has every scope and is shown once', async (t) => {
  const made = await operator.call('POST /v1/orgs', { name: 'New' });
  t.equal(made.status, 201);
  t.match(made.json, {
    org: {
      id: /^org_/,
      name: 'New',
      parentOrgId: null,
      dailySendCap: 1_000_000,
      emailAllowance: 20_000,
    },
    apiKey: { id: /^key_/, key: /^ek_[0-9a-z]{12}_[\w-]{43}$/, scopes },
  });
  const fresh = withKey(all, made.json.apiKey.key);
  const keys = await fresh.must('GET /v1/keys');
  t.equal(keys.items.length, 1);
  t.notOk(JSON.stringify(keys).includes(made.json.apiKey.key.slice(-43)));
  t.same(await fresh.must('GET /v1/org'), made.json.org);
  t.equal((await fresh.must('PATCH /v1/org', { name: 'Renamed' })).name, 'Renamed');
  const greedy = await fresh.must('PATCH /v1/org', {
    dailySendCap: null,
    rateLimits: { standard: null },
  });
  t.equal(greedy.dailySendCap, 1_000_000, 'limits are not the tenant’s to change');
});

t.test('a key has one to four scopes and perhaps one app', async (t) => {
  const key = (more: object) => ({ name: 'k', scopes: ['read'], ...more });
  const made = await takes(
    t,
    'POST /v1/keys',
    key({ scopes: ['send', 'read', 'send'], appId: app }),
    201,
  );
  t.match(made.json, { id: /^key_/, key: /^ek_/, name: 'k', scopes: ['read', 'send'], appId: app });
  await takes(t, 'POST /v1/keys', key({ scopes }), 201);
  await refuses(t, 'POST /v1/keys', key({ scopes: [] }), { status: 400, field: 'scopes' });
  await refuses(t, 'POST /v1/keys', key({ scopes: ['root'] }), { status: 400, field: 'scopes[0]' });
  await refuses(t, 'POST /v1/keys', key({ scopes: 'read' }), { status: 400, field: 'scopes' });
  await refuses(t, 'POST /v1/keys', key({ appId: 'app_00000000000000000000000000' }), {
    status: 404,
    field: 'appId',
  });
});

t.test('no scope implies another', async (t) => {
  const wanted: Readonly<Record<string, string>> = {
    [`GET ${base}/subscribers`]: 'read',
    [`POST ${base}/subscribers`]: 'write',
    [`POST ${base}/dead-letters/redrive`]: 'send',
    'GET /v1/keys': 'admin',
  };
  for (const have of scopes) {
    const { key } = await api.must('POST /v1/keys', { name: have, scopes: [have] });
    for (const [line, need] of Object.entries(wanted)) {
      const body = line.startsWith('GET')
        ? undefined
        : line.endsWith('redrive')
          ? { all: true }
          : {};
      const { status } = await withKey(all, key).call(line, body);
      t.equal(status === 403, have !== need, `${line} with ${have}: ${status}`);
    }
  }
});

t.test('a key makes only keys with scopes it has', async (t) => {
  const { key } = await api.must('POST /v1/keys', { name: 'made', scopes: ['admin', 'read'] });
  const made = withKey(all, key);
  const ask = (scopes: readonly string[]) => made.call('POST /v1/keys', { name: 'k', scopes });
  const refusal = { status: 403, code: 'forbidden', field: 'scopes' };
  checkRefusal(t, await ask(['read', 'send']), refusal, 'send');
  t.match((await ask(['write', 'send'])).json.error, /^scopes: this key does not have write, send/);
  t.equal((await ask(['admin', 'read'])).status, 201);
});

t.test(
  'a deleted key is refused from the answer on, even by the very key that deleted itself',
  async (t) => {
    const made = await api.must('POST /v1/keys', { name: 'self', scopes: ['admin', 'read'] });
    const self = withKey(all, made.key);
    t.equal((await self.call('GET /v1/org')).status, 200);
    t.equal((await self.call(`DELETE /v1/keys/${made.id}`)).status, 204);
    t.equal((await self.call('GET /v1/org')).status, 401);
    await refuses(t, `DELETE /v1/keys/${made.id}`, undefined, { status: 404, code: 'not_found' });
  },
);

t.test('an app has a zone, a page, and an end that takes all with it', async (t) => {
  const made = await takes(t, 'POST /v1/apps', { name: 'Short-lived' }, 201);
  t.match(made.json, { id: /^app_/, timezone: 'UTC', vapidPublicKey: /^[\w-]{87}$/ });
  const path = `/v1/apps/${made.json.id}`;
  t.equal(
    (await takes(t, `PATCH ${path}`, { timezone: 'Asia/Tokyo' }, 200)).json.timezone,
    'Asia/Tokyo',
  );
  const app = await api.must(`GET ${path}`);
  t.same(app, { ...made.json, timezone: 'Asia/Tokyo', etag: app.etag });
  t.same(await api.must(`PATCH ${path}`, {}), app, 'one shape');
  const { items } = await api.must('GET /v1/apps');
  t.same(
    items.find(({ id }: { id: string }) => id === app.id),
    app,
  );
  await refuses(t, `PATCH ${path}`, { timezone: 'Nowhere' }, { status: 400, field: 'timezone' });
  const { key } = await api.must('POST /v1/keys', { name: 'of it', scopes, appId: made.json.id });
  t.equal((await withKey(all, key).call(`GET ${path}`)).status, 200);
  await takes(t, `DELETE ${path}`, undefined, 204);
  for (const line of [
    `GET ${path}`,
    `GET ${path}/subscribers`,
    `DELETE ${path}`,
    `GET ${path}/settings`,
  ]) {
    await refuses(t, line, undefined, { status: 404, code: 'not_found' }, line);
  }
  t.equal((await withKey(all, key).call('GET /v1/org')).status, 401, 'its keys end with it');
});

t.test('settings have the defaults that the contract names', async (t) => {
  const { etag, ...settings } = await api.must(`GET ${base}/settings`);
  t.type(etag, 'string');
  t.same(settings, {
    deletesBefore: null,
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
    caps: [],
    quietHours: null,
    webhookUrl: null,
    secretSet: false,
    email: {
      fromName: null,
      fromAddress: null,
      replyTo: null,
      unsubscribeText: null,
      platformAddress: `app-${parseId('app', app)?.ordinal.toString(36)}@sandbox.example`,
    },
    eventsRetentionDays: null,
    emailTracking: true,
    identityVerification: 'first-use',
    keylessEvents: { startJourneys: true, countEngagement: true, registerPaidChannels: true },
    unsubscribe: null,
    unsubscribeScope: 'all',
    doubleOptIn: true,
    displayName: null,
    keywords: { stop: [], start: [] },
    wording: null,
    utm: null,
    textPrices: null,
    refuseDisposableAddresses: false,
    keylessPeoplePerMinute: null,
    anonymousExpiryDays: 30,
    undoSendSeconds: 10,
    defaultCountry: null,
  });
});

t.test('every setting is taken at its bounds and refused by name beyond', async (t) => {
  const cap = { max: 1, perHours: 1 };
  const quiet = { start: '22:00', end: '08:00' };
  const good: readonly object[] = [
    { caps: Array(5).fill(cap) },
    { caps: [{ channel: 'email', max: 100, perHours: 720 }] },
    { caps: [] },
    { quietHours: { ...quiet, timezone: 'Asia/Bangkok', channels: ['fcm'] } },
    { quietHours: { start: '00:00', end: '23:59' } },
    { quietHours: null },
    { eventsRetentionDays: 7 },
    { eventsRetentionDays: 90 },
    { eventsRetentionDays: null },
    { webhookUrl: 'https://example.com/hook' },
    { webhookUrl: null },
    { emailTracking: false },
    { identityVerification: 'open' },
    { keywords: { stop: Array(50).fill('w'.repeat(40)), start: ['wieder da'] } },
    { keywords: null },
    { keylessPeoplePerMinute: 1 },
    { keylessPeoplePerMinute: 100_000 },
    { keylessPeoplePerMinute: null },
    { defaultCountry: 'XK' },
    { defaultCountry: null },
    { anonymousExpiryDays: 1 },
    { anonymousExpiryDays: 365 },
    { anonymousExpiryDays: null },
    { utm: { source: 's'.repeat(500), medium: '{{ channel }}', campaign: null } },
    { utm: null },
    { softBounces: { inARow: 2, overDays: 0, restDays: 1 } },
    { softBounces: { inARow: 50, overDays: 60, restDays: 90 } },
    { softBounces: null },
    { undoSendSeconds: 0 },
    { undoSendSeconds: 60 },
    { undoSendSeconds: null },
    {
      email: {
        fromName: 'n'.repeat(128),
        fromAddress: 'a@example.com',
        unsubscribeText: 'x'.repeat(500),
      },
    },
    {},
  ];
  for (const patch of good)
    await takes(t, `PATCH ${base}/settings`, patch, 200, JSON.stringify(patch).slice(0, 80));
  const bad: readonly (readonly [object, string])[] = [
    [{ caps: Array(6).fill(cap) }, 'caps'],
    [{ caps: [{ ...cap, max: 101 }] }, 'caps[0].max'],
    [{ caps: [{ ...cap, max: 0 }] }, 'caps[0].max'],
    [{ caps: [{ ...cap, perHours: 721 }] }, 'caps[0].perHours'],
    [{ caps: [{ ...cap, channel: 'pigeon' }] }, 'caps[0].channel'],
    [{ keylessPeoplePerMinute: 0 }, 'keylessPeoplePerMinute'],
    [{ keylessPeoplePerMinute: 100_001 }, 'keylessPeoplePerMinute'],
    [{ anonymousExpiryDays: 0 }, 'anonymousExpiryDays'],
    [{ anonymousExpiryDays: 366 }, 'anonymousExpiryDays'],
    [{ anonymousExpiryDays: 1.5 }, 'anonymousExpiryDays'],
    [{ anonymousExpiryDays: '30' }, 'anonymousExpiryDays'],
    [{ utm: { source: 's'.repeat(501) } }, 'utm.source'],
    [{ utm: { medium: '{{ first_name }}' } }, 'utm.medium'],
    [{ utm: 'yes' }, 'utm'],
    [{ softBounces: { inARow: 1, overDays: 7, restDays: 14 } }, 'softBounces.inARow'],
    [{ softBounces: { inARow: 5, overDays: 61, restDays: 14 } }, 'softBounces.overDays'],
    [{ softBounces: { inARow: 5, overDays: 7, restDays: 91 } }, 'softBounces.restDays'],
    [{ undoSendSeconds: -1 }, 'undoSendSeconds'],
    [{ undoSendSeconds: 61 }, 'undoSendSeconds'],
    [{ undoSendSeconds: 0.5 }, 'undoSendSeconds'],
    [{ quietHours: { ...quiet, start: '24:00' } }, 'quietHours.start'],
    [{ quietHours: { ...quiet, end: '8:00' } }, 'quietHours.end'],
    [{ quietHours: { start: '08:00', end: '08:00' } }, 'quietHours.end'],
    [{ quietHours: { ...quiet, timezone: 'Nowhere' } }, 'quietHours.timezone'],
    [{ quietHours: { ...quiet, channels: [] } }, 'quietHours.channels'],
    [{ eventsRetentionDays: 6 }, 'eventsRetentionDays'],
    [{ eventsRetentionDays: 91 }, 'eventsRetentionDays'],
    [{ eventsRetentionDays: 7.5 }, 'eventsRetentionDays'],
    [{ webhookUrl: 'ftp://example.com' }, 'webhookUrl'],
    [{ webhookUrl: 'https://user:pass@example.com' }, 'webhookUrl'],
    [{ emailTracking: 'yes' }, 'emailTracking'],
    [{ identityVerification: 'never' }, 'identityVerification'],
    [{ keywords: { stop: Array(51).fill('w') } }, 'keywords.stop'],
    [{ keywords: { stop: ['w'.repeat(41)] } }, 'keywords.stop[0]'],
    [{ keywords: { stop: ['genug', '!?'] } }, 'keywords.stop[1]'],
    [{ keywords: { start: ['DỪNG'] } }, 'keywords.start[0]'],
    [{ keywords: { stop: ['help'] } }, 'keywords.stop[0]'],
    [{ keywords: { stop: ['Genug'], start: ['GENUG!'] } }, 'keywords.start[0]'],
    [{ email: { fromAddress: 'nobody' } }, 'email.fromAddress'],
    [{ email: { fromName: 'a\r\nBcc: x' } }, 'email.fromName'],
    [{ email: { fromName: 'n'.repeat(129) } }, 'email.fromName'],
    [{ email: { unsubscribeText: 'x'.repeat(501) } }, 'email.unsubscribeText'],
    [{ secret: '' }, 'secret'],
  ];
  for (const [patch, field] of bad) {
    await refuses(
      t,
      `PATCH ${base}/settings`,
      patch,
      { status: 400, code: 'invalid', field },
      JSON.stringify(patch).slice(0, 80),
    );
  }
  const two = await refuses(
    t,
    `PATCH ${base}/settings`,
    { emailTracking: 1, eventsRetentionDays: 1 },
    { status: 400 },
  );
  t.equal(two.json.issues.length, 2, 'all that is wrong is listed');
});

t.test('a patch keeps what it does not name; the secret is never read back', async (t) => {
  await api.must(`PATCH ${base}/settings`, {
    email: { fromName: 'Acme', replyTo: 'r@example.com' },
    eventsRetentionDays: 30,
  });
  const patched = await api.must(`PATCH ${base}/settings`, {
    email: { replyTo: null },
    secret: 'hunter2-hunter2',
  });
  t.match(patched, {
    email: { fromName: 'Acme', replyTo: null },
    eventsRetentionDays: 30,
    secretSet: true,
  });
  const read = await api.call(`GET ${base}/settings`);
  t.notOk(read.text.includes('hunter2'));
  t.equal((await api.must(`PATCH ${base}/settings`, { secret: null })).secretSet, false);
});

t.test(
  'a credential is checked on upload, shown as a fingerprint, replaced and removed',
  async (t) => {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const fcm = {
      type: 'service_account',
      project_id: 'acme-1',
      client_email: 'a@acme-1.iam.example.com',
      private_key: privateKey,
    };
    const made = await takes(t, `POST ${base}/credentials/fcm`, fcm, 201);
    t.match(made.json, { channel: 'fcm', fingerprint: /^\w{8,}/, updatedAt: /Z$/ });
    const listed = await api.call(`GET ${base}/credentials`);
    t.notOk(listed.text.includes('PRIVATE KEY'));
    t.same(listed.json.items.map(({ channel }: { channel: string }) => channel).sort(), [
      'fcm',
      'webpush',
    ]);
    await takes(t, `POST ${base}/credentials/fcm`, fcm, 201, 'again');
    const wrong = await refuses(
      t,
      `POST ${base}/credentials/fcm`,
      { ...fcm, private_key: 'no key' },
      { status: 400, field: 'private_key' },
    );
    t.notOk(wrong.text.includes('no key'), 'what was uploaded is not repeated');
    await refuses(t, `POST ${base}/credentials/carrier`, {}, { status: 400, code: 'invalid' });
    await refuses(
      t,
      `POST ${base}/credentials/sms`,
      {},
      { status: 404, field: 'channel', error: /carrier/ },
    );
    await refuses(t, `POST ${base}/credentials/pigeon`, {}, { status: 404, field: 'channel' });
    await takes(t, `DELETE ${base}/credentials/fcm`, undefined, 204);
    await refuses(t, `DELETE ${base}/credentials/fcm`, undefined, {
      status: 404,
      code: 'not_found',
    });
    await refuses(t, `DELETE ${base}/credentials/webpush`, undefined, {
      status: 409,
      code: 'wrong_state',
    });
  },
);

t.test(
  'an operator’s call without the operator’s token says which token and where it is',
  async (t) => {
    for (const who of [client(server.url), api]) {
      const got = await who.call('POST /v1/orgs', { name: 'x' });
      checkRefusal(
        t,
        got,
        { status: 401, code: 'unauthorized', error: /<data dir>\/bootstrap-token/ },
        'POST /v1/orgs',
      );
    }
  },
);

t.test('paths and methods that are not there say so', async (t) => {
  await refuses(t, 'GET /v1/nothing', undefined, {
    status: 404,
    code: 'not_found',
    error: /\/docs/,
  });
  const wrong = await refuses(t, 'DELETE /v1/org', undefined, {
    status: 405,
    code: 'method_not_allowed',
  });
  t.equal(wrong.headers['allow'], 'GET, PATCH');
  const mine = await api.call('GET /v1/org', undefined, { 'x-request-id': 'mine-42' });
  t.equal(mine.headers['x-request-id'], 'mine-42');
  t.match((await api.call('GET /v1/org')).headers['x-request-id'], /^req_/);
  t.equal((await api.call('HEAD /v1/org')).text, '');
  t.equal(org.id, (await api.must('GET /v1/org')).id);
});
