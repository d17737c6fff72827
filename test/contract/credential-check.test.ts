// A stored credential is tried with its provider's stand-in, and nobody gets anything.

import { generateKeyPairSync } from 'node:crypto';
import t from 'tap';
import { client } from '../support/server.ts';
import { chapter, withKey } from './chapter.ts';

const all = await chapter(t);
const { api, base, server, refuses, takes } = all;
const sandbox = client(server.sandboxUrl);
const pem = (key: ReturnType<typeof generateKeyPairSync>['privateKey']) =>
  key.export({ type: 'pkcs8', format: 'pem' }).toString();
const account = {
  type: 'service_account',
  project_id: 'shop-1234',
  client_email: 'push@shop-1234.iam.gserviceaccount.com',
  private_key: pem(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey),
  private_key_id: 'abc123',
};
const p8 = pem(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
const good = {
  fcm: account,
  apns: { teamId: 'ABCDE12345', keyId: 'ABCDE12345', p8, bundleId: 'com.example.app' },
  carrier: { accountSid: `AC${'0a'.repeat(16)}`, authToken: 'f'.repeat(32), from: '+14155550123' },
  whatsapp: { phoneNumberId: '123456789', accessToken: 'EAAG'.repeat(10), verifyToken: 'hello' },
  telegram: { botToken: '123456789:ABCdefGHIjklMNOpqrSTUvwxYZ123456789' },
  rcs: { serviceAccount: account, agentId: 'shop_agent', region: 'europe' },
  line: { channelAccessToken: 'x'.repeat(172) },
  zalo: { appId: '123456789', appSecret: 'x'.repeat(20), refreshToken: 'x'.repeat(100) },
  viber: { authToken: '445da6a1-345a78-daacccb2542', senderName: 'Shop' },
  kakao: { apiKey: 'NCSABCDEF', apiSecret: 'x'.repeat(32), pfId: 'KA01PF1234', from: '0212345678' },
};
const check = (name: string) => `POST ${base}/credentials/${name}/check`;
/** Without the push to nobody, which Apple refuses, and without the sends of other chapters. */
const inbox = async () =>
  (await sandbox.must('GET /control/messages')).messages.filter(
    ({ outcome, sendId }: { outcome: string; sendId?: string }) =>
      outcome !== 'refused' && sendId === undefined,
  );

t.test('a credential that the provider takes is ok, and nobody gets anything', async (t) => {
  const before = await inbox();
  for (const [name, credential] of Object.entries(good)) {
    await api.must(`POST ${base}/credentials/${name}`, credential);
    const { json } = await takes(t, check(name), undefined, 200);
    if (name === 'zalo') t.match(json, { checked: false, ok: null, why: /refresh token/ });
    else
      t.match(json, { checked: true, ok: true, tookMs: Number }, `${name} ${JSON.stringify(json)}`);
  }
  t.match((await takes(t, check('email'), undefined, 200)).json, { checked: true, ok: true });
  t.match((await takes(t, check('webpush'), undefined, 200)).json, {
    checked: false,
    ok: null,
    why: /no account/,
  });
  t.same(await inbox(), before);
  t.same((await api.must(`GET ${base}/notifications`)).items, []);
});

t.test('one that it refuses is told with the reason, and without its secrets', async (t) => {
  const bad = {
    carrier: {
      accountSid: `AC${'5a'.repeat(16)}`,
      authToken: 'e'.repeat(32),
      from: '+14155550123',
    },
    whatsapp: { ...good.whatsapp, accessToken: `expired${'x'.repeat(40)}` },
    line: { channelAccessToken: `revoked${'x'.repeat(165)}` },
    kakao: { ...good.kakao, apiKey: 'revokedKEY' },
    fcm: { ...account, project_id: 'badproj-1234' },
  };
  for (const [name, credential] of Object.entries(bad)) {
    await api.must(`POST ${base}/credentials/${name}`, credential);
    const { json, text } = await takes(t, check(name), undefined, 200);
    const reason = name === 'fcm' ? 'not_found' : 'unauthenticated';
    t.match(json, { checked: true, ok: false, reason }, `${name} ${text}`);
    for (const secret of Object.values(credential))
      if (typeof secret === 'string' && secret.length > 30) t.notOk(text.includes(secret), name);
  }
});

t.test('only a stored credential of a known channel is checked, by an admin', async (t) => {
  await api.must(`DELETE ${base}/credentials/line`);
  await refuses(t, check('line'), undefined, { status: 404, error: 'credential not found' });
  await refuses(t, check('sms'), undefined, { status: 404, field: 'channel' });
  await refuses(t, check('pigeon'), undefined, { status: 404, field: 'channel' });
  const { key } = await api.must('POST /v1/keys', { name: 'reader', scopes: ['read', 'write'] });
  t.equal((await withKey(all, key).call(check('fcm'))).status, 403);
});
