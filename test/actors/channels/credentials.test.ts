// How uploaded credentials are checked and fingerprinted.

import { createECDH, generateKeyPairSync } from 'node:crypto';
import t from 'tap';
import { z } from 'zod';
import { credentialNames } from '../../../actors/channels/catalog.ts';
import type { CredentialName } from '../../../actors/channels/channel-ids.ts';
import { checkCredential, credentialSchemas } from '../../../actors/channels/credentials.ts';
import { fingerprintOf } from '../../../actors/channels/port/fingerprint.ts';

const pem = (key: ReturnType<typeof generateKeyPairSync>['privateKey']) =>
  key.export({ type: 'pkcs8', format: 'pem' }).toString();
const rsa = pem(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey);
const p256 = pem(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
const p384 = pem(generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey);
const pair = createECDH('prime256v1');
pair.setPrivateKey(Buffer.alloc(32, 7));
const other = createECDH('prime256v1');
other.setPrivateKey(Buffer.alloc(32, 8));

const account = {
  type: 'service_account',
  project_id: 'shop-1234',
  client_email: 'push@shop-1234.iam.gserviceaccount.com',
  private_key: rsa,
  private_key_id: 'abc123',
  token_uri: 'https://evil.example.com/token',
};
const keyFile = 'must be "service_account": upload the key file of a Google service account';
const good: Record<CredentialName, Record<string, unknown>> = {
  fcm: account,
  apns: { teamId: 'ABCDE12345', keyId: 'ABCDE12345', p8: p256, bundleId: 'com.example.app' },
  carrier: { accountSid: `AC${'0a'.repeat(16)}`, authToken: 'f'.repeat(32), from: '+14155550123' },
  whatsapp: { phoneNumberId: '123456789', accessToken: 'EAAG'.repeat(10), verifyToken: 'hello' },
  telegram: { botToken: '123456789:ABCdefGHIjklMNOpqrSTUvwxYZ123456789' },
  rcs: { serviceAccount: account, agentId: 'shop_agent', region: 'europe' },
  line: { channelAccessToken: 'x'.repeat(172) },
  zalo: { appId: '123456789', appSecret: 'x'.repeat(20), refreshToken: 'x'.repeat(100) },
  viber: {
    authToken: '445da6az1s345z78-dazcczb2542zv51a-e0vc5fva17480im9'.replace(/[^0-9a-f-]/g, 'a'),
    senderName: 'Shop',
  },
  kakao: { apiKey: 'NCSABCDEF', apiSecret: 'x'.repeat(32), pfId: 'KA01PF1234', from: '0212345678' },
  webpush: {
    publicKey: pair.getPublicKey('base64url'),
    privateKey: Buffer.alloc(32, 7).toString('base64url'),
    subject: 'mailto:a@example.com',
  },
};

t.test('a good body of every name is taken', async (t) => {
  t.same(Object.keys(credentialSchemas), [...credentialNames]);
  for (const name of credentialNames) {
    const checked = checkCredential(name, { ...good[name], unknownMember: 1 });
    t.ok('credential' in checked, name);
    if ('credential' in checked)
      t.notOk('unknownMember' in checked.credential, 'unknown members are not kept');
    t.ok(z.toJSONSchema(credentialSchemas[name], { io: 'input' }), `${name}: has a JSON schema`);
  }
});

t.test('a Korean sender number is kept as the aggregator has registered it', async (t) => {
  for (const from of ['+82 2-1234-5678', '02-1234-5678', '0212345678']) {
    const checked = checkCredential('kakao', { ...good.kakao, from });
    t.match(checked, { credential: { from: '0212345678' } }, from);
  }
});

t.test('an address in a key file is not kept', async (t) => {
  const checked = checkCredential('fcm', account);
  t.ok('credential' in checked && !('token_uri' in checked.credential));
  t.ok('credential' in checked && !('type' in checked.credential), 'nor what is always the same');
});

t.test('a wrong member is named', async (t) => {
  const wrong: [CredentialName, Record<string, unknown>, string][] = [
    ['fcm', { private_key: 'nonsense' }, 'private_key: must be an RSA private key in PEM form'],
    ['fcm', { private_key: p256 }, 'private_key: must be an RSA private key in PEM form'],
    ['fcm', { private_key: undefined }, 'private_key: is missing'],
    ['fcm', { private_key: 5 }, 'private_key: must be text'],
    [
      'fcm',
      { private_key: 'x'.repeat(20_000) },
      'private_key: must be an RSA private key in PEM form',
    ],
    ['fcm', { type: 'authorized_user' }, `type: ${keyFile}`],
    ['fcm', { type: undefined }, `type: ${keyFile}`],
    ['rcs', { serviceAccount: { ...account, type: 'x' } }, `serviceAccount.type: ${keyFile}`],
    ['rcs', { serviceAccount: 'x' }, 'serviceAccount: must be an object'],
    ['rcs', { serviceAccount: undefined }, 'serviceAccount: is missing'],
    ['rcs', { region: 'mars' }, 'region: must be us, europe or asia'],
    ['rcs', { region: undefined }, 'region: is missing'],
    ['rcs', { clientToken: '' }, 'clientToken: must be 1 to 256 characters'],
    ['apns', { environment: 'test' }, 'environment: must be production or sandbox'],
    ['viber', { senderName: 'x'.repeat(29) }, 'senderName: must be 1 to 28 characters'],
    [
      'webpush',
      { subject: `mailto:a@${'x'.repeat(300)}` },
      'subject: must be a mailto: or https: address of at most 256 characters',
    ],
    ['fcm', { project_id: '../x' }, 'project_id: must be a Google project id'],
    ['apns', { p8: rsa }, 'p8: must be the P-256 private key in PEM form from the .p8 file'],
    ['apns', { p8: p384 }, 'p8: must be the P-256 private key in PEM form from the .p8 file'],
    ['apns', { teamId: 'short' }, 'teamId: must be ten capital letters or digits'],
    ['carrier', { accountSid: 'AC1' }, 'accountSid: must be AC and 32 hexadecimal digits'],
    [
      'carrier',
      { from: undefined },
      'from: one of from, messagingServiceSid and voiceFrom is required',
    ],
    [
      'carrier',
      { apiKeySid: `SK${'0a'.repeat(16)}` },
      'apiKeySecret: apiKeySid and apiKeySecret must be given together',
    ],
    [
      'carrier',
      { from: 'a name too long' },
      'from: must be a phone number in E.164 form, a short code, or a sender name of up to 11 letters',
    ],
    [
      'whatsapp',
      { accessToken: 'with a space in it, and long' },
      'accessToken: must be 16 to 1024 printable characters without spaces',
    ],
    [
      'telegram',
      { botToken: 'nonsense' },
      'botToken: must be a bot token, such as 123456:ABC-DEF…',
    ],
    [
      'rcs',
      { serviceAccount: { ...account, private_key: 'x' } },
      'serviceAccount.private_key: must be an RSA private key in PEM form',
    ],
    ['viber', { senderName: 'a\r\nb' }, 'senderName: must not contain control characters'],
    ['viber', { authToken: 'not a token' }, 'authToken: must be the bot token, in hexadecimal'],
    ['kakao', { apiKey: 'NCS, date=' }, 'apiKey: must be 8 to 128 letters, digits, _ or -'],
    [
      'kakao',
      { from: '+14155550123' },
      'from: must be a registered sender number in Korean format, such as 0212345678',
    ],
    [
      'webpush',
      { privateKey: Buffer.alloc(32, 8).toString('base64url') },
      'privateKey: does not match publicKey',
    ],
    [
      'webpush',
      { subject: 'javascript:x' },
      'subject: must be a mailto: or https: address of at most 256 characters',
    ],
  ];
  for (const [name, change, message] of wrong) {
    const found = checkCredential(name, { ...good[name], ...change });
    t.match(
      found,
      { code: 'invalid', message, field: message.slice(0, message.indexOf(':')) },
      message,
    );
    t.notOk(JSON.stringify(found).includes('BEGIN'), 'and nothing of it is repeated');
  }
  t.match(checkCredential('fcm', 'text'), { message: 'the body must be a JSON object' });
});

t.test('a key pasted with escaped line ends still parses', async (t) => {
  const checked = checkCredential('fcm', { ...account, private_key: rsa.replaceAll('\n', '\\n') });
  t.ok('credential' in checked && checked.credential['private_key'] === rsa);
});

t.test("the carrier's numbers are kept in the form that it takes", async (t) => {
  const checked = checkCredential('carrier', {
    ...good.carrier,
    from: '+1 (415) 555-0100',
    voiceFrom: '+1 415-555-0199',
  });
  t.match(checked, { credential: { from: '+14155550100', voiceFrom: '+14155550199' } });
  for (const from of ['Shop 24', '12345', '+14155550100']) {
    t.match(checkCredential('carrier', { ...good.carrier, from }), { credential: { from } });
  }
});

t.test('a fingerprint tells credentials apart, whatever the order of their members', async (t) => {
  const a = fingerprintOf({ x: '1', y: { b: 2, a: 1 } });
  t.match(a, /^[0-9a-f]{16}$/);
  t.equal(fingerprintOf({ y: { a: 1, b: 2 }, x: '1' }), a);
  t.equal(fingerprintOf({ y: { a: 1, b: 2 }, x: '1', z: undefined }), a);
  t.not(fingerprintOf({ x: '1', y: { b: 2, a: 2 } }), a);
});
