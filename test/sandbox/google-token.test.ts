// The token endpoint: a signed assertion is exchanged, a wrong one is named, and FCM takes only
// what was issued here.

import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import t from 'tap';
import { isIssuedToken } from '../../sandbox/google-token.ts';
import { type Rig, withSandbox } from './with-sandbox.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const nowSeconds = () => Math.floor(Date.now() / 1000);

function assertion(claims: Record<string, unknown>, key: KeyObject = privateKey): Promise<string> {
  const iat = nowSeconds();
  return new SignJWT({
    iss: 'push@acme.iam.gserviceaccount.com',
    scope: 'https://www.googleapis.com/auth/firebase.messaging',
    aud: 'https://oauth2.googleapis.com/token',
    iat,
    exp: iat + 3600,
    ...claims,
  })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: 'k1' })
    .sign(key);
}

function exchange(
  { call }: Rig,
  assertionText: string,
  grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer',
) {
  return call(
    'POST',
    '/google/token',
    new URLSearchParams({ grant_type: grantType, assertion: assertionText }).toString(),
    form,
  );
}

t.test('an issued token is taken by the FCM stand-in', async (test) => {
  const rig = await withSandbox(test);
  test.equal(rig.providerUrls['GOOGLE_TOKEN'], `${rig.url}/google/token`);
  const reply = await exchange(rig, await assertion({}));
  test.equal(reply.status, 200);
  test.match(reply.json, { token_type: 'Bearer', expires_in: 3599 });
  const sent = await rig.call(
    'POST',
    '/fcm/v1/projects/p/messages:send',
    { message: { token: 'a' } },
    { authorization: `Bearer ${reply.json.access_token}` },
  );
  test.equal(sent.status, 200);
});

t.test('a token is known until it expires, and a changed one never', async (test) => {
  const rig = await withSandbox(test);
  const token: string = (await exchange(rig, await assertion({}))).json.access_token;
  test.ok(isIssuedToken(token, Date.now()));
  test.notOk(isIssuedToken(token, Date.now() + 3600_000), 'expired');
  test.notOk(
    isIssuedToken(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`, Date.now()),
    'changed',
  );
  test.notOk(isIssuedToken('ya29.real', Date.now()));
});

t.test('a wrong assertion is refused with the reason', async (test) => {
  const rig = await withSandbox(test);
  const iat = nowSeconds();
  const cases: [why: string, text: string, error: string][] = [
    ['another audience', await assertion({ aud: 'https://example.com' }), 'invalid_grant'],
    ['expired', await assertion({ iat: iat - 7200, exp: iat - 3600 }), 'invalid_grant'],
    ['longer than an hour', await assertion({ exp: iat + 3700 }), 'invalid_grant'],
    ['no scope', await assertion({ scope: '' }), 'invalid_scope'],
    ['a revoked account', await assertion({ iss: 'revoked@acme' }), 'invalid_grant'],
    ['no token at all', 'x', 'invalid_grant'],
  ];
  for (const [why, text, error] of cases) {
    const reply = await exchange(rig, text);
    test.equal(reply.status, 400, why);
    test.equal(reply.json.error, error, why);
  }
  test.equal(
    (await exchange(rig, await assertion({}), 'password')).json.error,
    'unsupported_grant_type',
  );
});

t.test('with a registered key the signature counts', async (test) => {
  const rig = await withSandbox(test);
  const pem = publicKey.export({ type: 'spki', format: 'pem' });
  test.equal((await rig.call('POST', '/control/google-token', { publicKey: pem })).status, 200);
  test.equal((await exchange(rig, await assertion({}))).status, 200);
  const forged = await exchange(rig, await assertion({}, other.privateKey));
  test.same([forged.status, forged.json.error], [400, 'invalid_grant']);
  test.equal(
    (await rig.call('POST', '/control/google-token', { publicKey: 'no key' })).status,
    400,
  );
});

t.test('calls are counted and the account can be made invalid', async (test) => {
  const rig = await withSandbox(test);
  await exchange(rig, await assertion({}));
  await rig.call('POST', '/control/google-token', { mode: 'invalid_grant' });
  const refused = await exchange(rig, await assertion({}));
  test.same([refused.status, refused.json.error], [401, 'invalid_grant']);
  test.match((await rig.call('GET', '/control/google-token')).json, {
    calls: 2,
    issued: 1,
    mode: 'invalid_grant',
  });
  await rig.call('DELETE', '/control/google-token');
  test.equal((await exchange(rig, await assertion({}))).status, 200);
});

t.test('fault rules apply to the token endpoint too', async (test) => {
  const rig = await withSandbox(test);
  await rig.call('POST', '/control/faults', {
    channel: 'google-token',
    fault: 'status',
    value: 503,
    count: 1,
  });
  test.equal((await exchange(rig, await assertion({}))).status, 503);
  test.equal((await exchange(rig, await assertion({}))).status, 200);
});
