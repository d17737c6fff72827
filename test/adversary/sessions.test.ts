// Client tokens that a stranger has seen or planted: what they are good for once their person has
// logged in, logged out, or been proven to be someone.

import { createHmac } from 'node:crypto';
import t, { type Test } from 'tap';
import { afterKill } from '../support/after-kill.ts';
import type { Reply } from '../support/server.ts';
import { stranger, victim } from './stranger.ts';

const all = await victim(t);
const { api, app, base } = all;
await api.must(`PATCH ${base}/settings`, { identityVerification: 'first-use' });
const { secret } = await api.must(`POST ${base}/identity-secret`);
const identityHash = (user: string) => createHmac('sha256', secret).update(user).digest('hex');

let address = 100;
const sdk = (line: string, body: object): Promise<Reply> =>
  stranger(all, address++).call(`POST /v1/sdk/${line}`, { appId: app, ...body });
const login = async (body: object = {}): Promise<{ subscriberId: string; clientToken: string }> => {
  const reply = await sdk('subscriber', body);
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.json;
};

/** The token opens nothing: no call takes it. */
async function isDead(t: Test, clientToken: string, what: string): Promise<void> {
  const bearer = { authorization: `Bearer ${clientToken}` };
  const from = stranger(all, address++);
  const events = { appId: app, events: [{ name: 'x', externalUserId: 'anyone' }] };
  const replies = [
    await sdk('subscriber', { clientToken }),
    await sdk('tags', { clientToken, tags: { stolen: true } }),
    await sdk('register', { clientToken, channel: 'fcm', endpoint: 'phone-of-thief-1' }),
    await sdk('unregister', { clientToken, deviceId: 'dev_x' }),
    await sdk('logout', { clientToken }),
    await sdk('live-activities', { clientToken, activityType: 'A', pushToken: 'ab'.repeat(80) }),
    await from.call(`GET /v1/sdk/feed?appId=${app}`, undefined, bearer),
    await from.call(`GET /v1/sdk/flags?appId=${app}`, undefined, bearer),
    await from.call('POST /e', events, bearer),
  ];
  for (const [place, { status, json }] of replies.entries())
    t.same([status, json?.code], [401, 'invalid_client_token'], `${what}, call ${place}`);
}

const isAlive = async (t: Test, clientToken: string, what: string) =>
  t.equal((await sdk('tags', { clientToken, tags: { seen: true } })).status, 204, what);

t.test('a planted anonymous token ends when its holder logs in as someone new', async (t) => {
  const planted = await login();
  const mine = await login({ clientToken: planted.clientToken, externalUserId: 'new-1' });
  t.equal(mine.subscriberId, planted.subscriberId);
  t.not(mine.clientToken, planted.clientToken, 'the login answers a fresh token');
  await isDead(t, planted.clientToken, 'the planted one');
  await isAlive(t, mine.clientToken, 'the fresh one');
});

t.test('a planted anonymous token ends when its holder logs in as someone known', async (t) => {
  const known = { externalUserId: 'known-1', identityHash: identityHash('known-1') };
  const elsewhere = await login(known);
  const planted = await login();
  const mine = await login({ ...known, clientToken: planted.clientToken });
  t.equal(mine.subscriberId, elsewhere.subscriberId, 'merged');
  await isDead(t, planted.clientToken, 'the planted one');
  await isAlive(t, mine.clientToken, 'the fresh one');
  await isAlive(t, elsewhere.clientToken, 'the session on their other device');
});

t.test('proof ends the sessions of whoever claimed the id without it', async (t) => {
  const squatter = await login({ externalUserId: 'squatted' });
  const owner = await login({
    externalUserId: 'squatted',
    identityHash: identityHash('squatted'),
    clientToken: squatter.clientToken,
  });
  t.equal(owner.subscriberId, squatter.subscriberId);
  await isDead(t, squatter.clientToken, 'the squatter’s');
  await isAlive(t, owner.clientToken, 'the owner’s');
  const again = await login({
    externalUserId: 'squatted',
    identityHash: identityHash('squatted'),
    clientToken: owner.clientToken,
  });
  t.equal(again.clientToken, owner.clientToken, 'a proven session continues');
});

t.test('a logout ends its own token, and the tenant ends them all', async (t) => {
  const known = { externalUserId: 'twice', identityHash: identityHash('twice') };
  const [phone, tablet, laptop] = [await login(known), await login(known), await login(known)];
  const { deviceId } = (
    await sdk('register', { ...phone, channel: 'fcm', endpoint: 'phone-of-twice-1' })
  ).json;
  t.equal((await sdk('logout', { ...phone, deviceId })).status, 204);
  await isDead(t, phone.clientToken, 'the phone’s');
  t.same((await api.must(`GET ${base}/subscribers/external:twice`)).devices, []);
  await isAlive(t, tablet.clientToken, 'the tablet’s');
  afterKill(all.server, 'an ended token stays ended, until the tenant ends them all', async (t) => {
    await isAlive(t, tablet.clientToken, 'the tablet’s');
    await isDead(t, phone.clientToken, 'the phone’s');
    const ended = await api.call(`POST ${base}/subscribers/external:twice/end-sessions`);
    t.equal(ended.status, 204, ended.text);
    for (const { clientToken } of [tablet, laptop]) await isDead(t, clientToken, 'after the end');
    await isAlive(t, (await login(known)).clientToken, 'a new one');
    const missing = await api.call(`POST ${base}/subscribers/external:no-one/end-sessions`);
    t.equal(missing.status, 404);
  });
});

t.test('a person may log out any number of times, and each ended token stays ended', async (t) => {
  const known = { externalUserId: 'often', identityHash: identityHash('often') };
  const tokens: string[] = [];
  for (let i = 0; i < 40; i++) {
    const { clientToken } = await login(known);
    tokens.push(clientToken);
    t.equal((await sdk('logout', { clientToken })).status, 204);
  }
  for (const clientToken of tokens)
    t.equal((await sdk('tags', { clientToken, tags: { a: 1 } })).status, 401);
});

t.test('an erased person’s token ends, also for who gets their id next', async (t) => {
  const known = { externalUserId: 'erased', identityHash: identityHash('erased') };
  const { clientToken } = await login(known);
  await api.call(`DELETE ${base}/subscribers/external:erased`);
  await login(known);
  await isDead(t, clientToken, 'the erased person’s');
});
