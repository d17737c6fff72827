// Rotation of the master key: everything is sealed again under the first key, nothing else changes,
// and it may be interrupted and repeated.

import { createHmac } from 'node:crypto';
import t from 'tap';
import type { WebhookGrant } from '../../../actors/integrations/webhooks/protocol.ts';
import { seededRng } from '../../../engine/base/rng.ts';
import { keyId } from '../../../storage/sealed.ts';
import { partitionWithApp, TestPartition, testClock } from '../../support/partition.ts';

const old = new Uint8Array(32).fill(1);
const fresh = new Uint8Array(32).fill(2);
const other = new Uint8Array(32).fill(3);
const serviceAccount = { project_id: 'p', private_key: 'secret' };

async function withSecrets(masterKeys: readonly Uint8Array[]) {
  const { one, app } = await partitionWithApp({ masterKeys });
  await one.value(app, 'credential.put', {
    channel: 'fcm',
    credential: serviceAccount,
    fingerprint: 'f1',
  });
  await one.value(app, 'settings.patch', { patch: { secret: 'whsec_1' } });
  const key = { selector: 's1', publicKey: 'p', privateKey: 'the key of acme.example' };
  await one.value(app, 'email_domain.add', { domain: 'acme.example', key });
  return { one, app };
}

/** The same log under other keys. */
function again(one: TestPartition, masterKeys: readonly Uint8Array[]): TestPartition {
  const clock = testClock(one.clock.nowMs + 1000);
  return new TestPartition({ store: one.store.crash(), masterKeys, clock, rng: seededRng(9) });
}

t.test(
  'a survey counts sealed values by key, and names apps that a rotation would change',
  async (t) => {
    const { one, app } = await withSecrets([old]);
    t.same(await one.value(7, 'secrets.survey', {}), {
      keys: [{ keyId: keyId(old), count: 4 }],
      stale: [],
    });
    const two = again(one, [fresh, old]);
    t.same(await two.value(7, 'secrets.survey', {}), {
      keys: [{ keyId: keyId(old), count: 4 }],
      stale: [app],
    });
  },
);

t.test(
  'after a rotation the old key is not needed, and nothing an owner sees has changed',
  async (t) => {
    const { one, app } = await withSecrets([old]);
    const two = again(one, [fresh, old]);
    const before = await two.value(app, 'credential.list', {});
    const keyBefore = (await two.value(app, 'app.read', {})).vapidPublicKey;
    t.same(await two.value(app, 'secrets.rewrap', {}), { rewrapped: 4 });
    t.same(
      await two.value(app, 'secrets.rewrap', {}),
      { rewrapped: 0 },
      'doing it again does nothing',
    );
    t.same(await two.value(app, 'credential.list', {}), before);
    t.equal((await two.value(app, 'app.read', {})).vapidPublicKey, keyBefore);

    const three = again(two, [fresh]);
    t.same(await three.value(7, 'secrets.survey', {}), {
      keys: [{ keyId: keyId(fresh), count: 4 }],
      stale: [],
    });
    await three.value(app, 'subscriber.upsert', {
      subscriber: {
        externalUserId: 'ana',
        devices: [{ channel: 'fcm', endpoint: 'token-of-ana-0123456789' }],
      },
    });
    const request = { to: { externalUserId: 'ana' }, title: 'Hi', body: 'there' };
    await three.value(app, 'transactional.accept', { request, claim: null });
    t.same(three.takeGrants()[0]?.credentials, serviceAccount, 'it opens under the new key alone');
  },
);

t.test(
  'a value whose key is not configured refuses, names the key, and leaves everything as it was',
  async (t) => {
    const { one, app } = await withSecrets([old]);
    const two = again(one, [fresh, other]);
    const answer = await two.ask(app, 'secrets.rewrap', {});
    t.match(answer, { ok: false, fault: { code: 'wrong_state', message: new RegExp(keyId(old)) } });
    const three = again(two, [old]);
    t.same((await three.value(7, 'secrets.survey', {})).keys, [{ keyId: keyId(old), count: 4 }]);
  },
);

t.test('a rotation that was answered survives a crash', async (t) => {
  const { one, app } = await withSecrets([old]);
  const two = again(one, [fresh, old]);
  await two.value(app, 'secrets.rewrap', {});
  const three = again(two, [fresh, old]);
  t.same((await three.value(7, 'secrets.survey', {})).stale, []);
  t.same(await three.value(app, 'secrets.rewrap', {}), { rewrapped: 0 });
});

t.test('a rotation leaves client tokens and identity hashes as good as they were', async (t) => {
  const { one, app } = await partitionWithApp({ masterKeys: [old] });
  const tokenKey = new Uint8Array(32).fill(4);
  const { subscriberId, clientToken } = await one.value(app, 'sdk.login', { login: { tokenKey } });
  for (const secret of ['first', 'second']) await one.value(app, 'identity.put_secret', { secret });
  const two = again(one, [fresh, old]);
  t.same(await two.value(app, 'secrets.rewrap', {}), { rewrapped: 3 });
  t.same(await two.value(app, 'secrets.rewrap', {}), { rewrapped: 0 });
  const three = again(two, [fresh]);
  t.match(await three.value(app, 'sdk.person', { clientToken }), { subscriberId });
  for (const secret of ['first', 'second']) {
    const identityHash = createHmac('sha256', secret).update('ana').digest('hex');
    await three.value(app, 'sdk.login', {
      login: { tokenKey, externalUserId: 'ana', identityHash },
    });
  }
});

t.test('destinations of webhooks are sealed again, with both of their secrets', async (t) => {
  const { one, app } = await partitionWithApp({ masterKeys: [old] });
  const input = { events: ['*'], headers: { 'x-own': 'h' }, enabled: true, concurrency: 1 };
  for (const type of ['webhook', 'webhook-b', 'slack'])
    await one.value(app, 'destination.put', {
      type,
      input: { ...input, url: `https://${type}.example/hook`, secret: `secret of ${type}` },
    });
  await one.value(app, 'destination.rotate', { type: 'webhook', freshSecret: 'the newer one' });
  const before = await one.value(app, 'destination.list', {});
  const [{ count: sealed } = { count: 0 }] = (await one.value(7, 'secrets.survey', {})).keys;
  const two = again(one, [fresh, old]);
  t.same(await two.value(app, 'secrets.rewrap', {}), { rewrapped: sealed });
  const three = again(two, [fresh]);
  t.match(await three.value(7, 'secrets.survey', {}), {
    keys: [{ keyId: keyId(fresh), count: sealed }],
  });
  t.same(await three.value(app, 'destination.list', {}), before, 'and nothing else has changed');
  for (const type of ['webhook', 'webhook-b', 'slack'])
    await three.value(app, 'destination.test', { type });
  await three.settle();
  const granted = three.effects
    .map(({ message }) => message as unknown as WebhookGrant)
    .filter(({ kind }) => kind === 'webhook.grant')
    .map(({ url, headers, secrets }) => ({ url, headers, secrets }));
  t.match(granted, [
    { url: 'https://webhook.example/hook', secrets: ['the newer one', 'secret of webhook'] },
    { url: 'https://webhook-b.example/hook', headers: { 'x-own': 'h' } },
    { url: 'https://slack.example/hook' },
  ]);
});
