// Becoming someone by their id alone: a stranger who knows an `externalUserId` and has neither its
// hash nor a token of that person.

import { createHmac } from 'node:crypto';
import t, { type Test } from 'tap';
import { afterKill } from '../support/after-kill.ts';
import type { Reply } from '../support/server.ts';
import { eventsOf, stranger, victim } from './stranger.ts';

const all = await victim(t);
const { api, app, base } = all;

let address = 100;
const login = (body: object): Promise<Reply> =>
  stranger(all, address++).call('POST /v1/sdk/subscriber', { appId: app, ...body });
const sdk = (line: string, body: object): Promise<Reply> =>
  stranger(all, address++).call(`POST /v1/sdk/${line}`, { appId: app, ...body });
const hashOf = (secret: string, user: string) =>
  createHmac('sha256', secret).update(user).digest('hex');
const needsProof = { status: 403, json: { code: 'identity_required', field: 'externalUserId' } };

t.test('an id that logged in once cannot be claimed again, with or without a device', async (t) => {
  const owner = (await login({ externalUserId: 'olga' })).json;
  t.match(await login({ externalUserId: 'olga' }), needsProof, 'who never had a device');
  const { deviceId } = (
    await sdk('register', { ...owner, channel: 'fcm', endpoint: 'phone-of-olga-1' })
  ).json;
  t.equal((await sdk('unregister', { ...owner, deviceId })).status, 204);
  t.match(await login({ externalUserId: 'olga' }), needsProof, 'after a logout');
  const thief = (await login({})).json;
  const merging = { externalUserId: 'olga', clientToken: thief.clientToken };
  t.match(await login(merging), needsProof, 'with a token of their own');
  const again = await login({ externalUserId: 'olga', clientToken: owner.clientToken });
  t.equal(again.json.subscriberId, owner.subscriberId, 'her own token still logs her in');
});

t.test('nobody can claim a person that the tenant created without a device', async (t) => {
  await api.must(`POST ${base}/subscribers`, { externalUserId: 'by-api' });
  await api.must('POST /v1/import/subscribers', {
    appId: app,
    rows: [{ externalUserId: 'by-import' }],
  });
  const { writeKey } = await api.must(`PUT ${base}/integrations/cdp`);
  const basic = `Basic ${Buffer.from(`${writeKey}:`).toString('base64')}`;
  for (const call of [
    { type: 'identify', userId: 'by-cdp', traits: { plan: 'pro' } },
    { type: 'track', userId: 'by-cdp-event', event: 'Order Completed' },
  ]) {
    const sent = await stranger(all).call(`POST /i/cdp/${app}`, call, {
      authorization: basic,
    });
    t.equal(sent.status, 200, sent.text);
  }
  const events = { appId: app, events: [{ name: 'bought', externalUserId: 'by-event' }] };
  t.equal((await api.must('POST /e', events)).accepted, 1);
  for (const externalUserId of ['by-api', 'by-import', 'by-cdp', 'by-cdp-event', 'by-event'])
    t.match(await login({ externalUserId }), needsProof, externalUserId);
});

t.test(
  'a person known only from keyless events is free until a call with a key tags them',
  async (t) => {
    const names = ['eve-1', 'eve-2', 'eve-3', 'eve-4', 'eve-5'];
    const events = names.map((externalUserId) => ({ externalUserId }));
    t.equal((await stranger(all).must('POST /e', eventsOf(all, events))).accepted, names.length);
    await api.must(`PATCH ${base}/subscribers/external:eve-2`, { tags: { plan: 'pro' } });
    const phone = { channel: 'fcm', endpoint: 'phone-of-eve-3' };
    await api.must(`POST ${base}/subscribers/external:eve-3/devices`, phone);
    await api.must(`POST ${base}/subscribers`, { externalUserId: 'eve-4' });
    const rows = [{ externalUserId: 'eve-5', tags: { plan: 'pro' } }];
    await api.must('POST /v1/import/subscribers', { appId: app, rows });
    t.equal((await login({ externalUserId: 'eve-1' })).status, 200, 'the first claim');
    for (const externalUserId of names) t.match(await login({ externalUserId }), needsProof);
  },
);

t.test('what was spent stays spent after kill -9', async () => {
  const begin = async () => {
    await stranger(all).must('POST /e', eventsOf(all, [{ externalUserId: 'killed-free' }]));
    await login({ externalUserId: 'killed' });
  };
  const holds = async (t: Test) => {
    t.match(await login({ externalUserId: 'killed' }), needsProof);
    t.equal((await login({ externalUserId: 'killed-free' })).status, 200);
    t.match(await login({ externalUserId: 'killed-free' }), needsProof);
  };
  afterKill(all.server, 'a first claim that was spent right before is spent', holds, begin);
});

t.test(
  'an app with an identity secret requires proof unless its tenant said otherwise',
  async (t) => {
    const { id } = await api.must('POST /v1/apps', { name: 'With a secret' });
    const settings = () => api.must(`GET /v1/apps/${id}/settings`);
    const claim = (externalUserId: string, more = {}) =>
      login({ appId: id, externalUserId, ...more });
    t.match(await settings(), { identityVerification: 'first-use' });
    const { secret } = await api.must(`POST /v1/apps/${id}/identity-secret`);
    t.match(await settings(), { identityVerification: 'required' });
    const described = await stranger(all).must(`GET /v1/sdk/app/${id}`);
    t.match(described, { features: { identityVerification: 'required' } });
    t.match(await claim('nobody-yet'), needsProof);
    const proof = { identityHash: hashOf(secret, 'nobody-yet') };
    t.equal((await claim('nobody-yet', proof)).status, 200);
    const set = (identityVerification: string | null) =>
      api.must(`PATCH /v1/apps/${id}/settings`, { identityVerification });
    t.match(await set('first-use'), { identityVerification: 'first-use' });
    t.equal((await claim('another')).status, 200);
    t.match(await set(null), { identityVerification: 'required' }, 'null is the default again');
  },
);
