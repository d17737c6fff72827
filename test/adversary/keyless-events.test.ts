// Events that anyone can send: a stranger starts journeys that write to others, forges opens and
// clicks, and registers numbers whose messages cost the tenant money.

import { createHmac } from 'node:crypto';
import t, { type Test } from 'tap';
import { afterKill } from '../support/after-kill.ts';
import { until } from '../support/server.ts';
import { eventsOf, stranger, type Victim, victim } from './stranger.ts';

const phone = (endpoint: string) => ({ channel: 'fcm', endpoint });
const hashOf = (secret: string, user: string) =>
  createHmac('sha256', secret).update(user).digest('hex');

/** A live journey that sends a message and ends, as often as it is started. */
async function journey({ api, base }: Victim, triggerEvent: string): Promise<string> {
  const { id } = await api.must(`POST ${base}/journeys`, {
    name: triggerEvent,
    triggerEvent,
    reentry: 'always',
    steps: [{ id: 's', type: 'send', message: { title: 'Your code', body: '123' } }],
  });
  await api.must(`PATCH ${base}/journeys/${id}`, { active: true });
  return id;
}

const enrolledIn = async ({ api, base }: Victim, id: string) =>
  (await api.must(`GET ${base}/journeys/${id}/stats`)).enrolled as number;

t.test('over HTTP', async (t) => {
  const all = await victim(t);
  const { api, app, base } = all;
  const { secret } = await api.must(`POST ${base}/identity-secret`);
  await api.must(`PATCH ${base}/settings`, { identityVerification: 'first-use' });
  const vera = await api.must(`POST ${base}/subscribers`, {
    externalUserId: 'vera',
    devices: [phone('phone-of-vera-1')],
  });
  const proven = (user: string) =>
    stranger(all).must('POST /v1/sdk/subscriber', {
      appId: app,
      externalUserId: user,
      identityHash: hashOf(secret, user),
    });
  const forge = (name: string, more: object = {}) =>
    stranger(all).must('POST /e', eventsOf(all, [{ name, subscriberId: vera.id, ...more }]));
  const byVera = async (name: string) => {
    const { clientToken } = await proven('vera');
    const body = eventsOf(all, [{ name, externalUserId: 'vera' }]);
    await stranger(all).call('POST /e', body, { authorization: `Bearer ${clientToken}` });
  };
  const byKey = (name: string) =>
    api.must('POST /e', eventsOf(all, [{ name, externalUserId: 'vera' }]));

  await t.test('a stranger starts a journey for one person once an hour', async (t) => {
    const id = await journey(all, 'cart');
    const from = hourOf(Date.now());
    /** One, or two if the hour ends meanwhile. */
    const isBounded = (enrolled: number) =>
      enrolled >= 1 && enrolled <= 1 + hourOf(Date.now()) - from;
    for (let i = 0; i < 5; i++) await forge('cart');
    await forge('cart', { at: new Date(Date.now() - 3 * 3_600_000).toISOString() });
    t.ok(isBounded(await enrolledIn(all, id)));
    afterKill(all.server, 'a stranger still starts a journey once an hour', async (t) => {
      await api.must(`PATCH ${base}/settings`, { keylessEvents: { startJourneys: true } });
      await forge('cart');
      const enrolled = await enrolledIn(all, id);
      t.ok(isBounded(enrolled));
      await byKey('cart');
      await byVera('cart');
      t.equal(await enrolledIn(all, id), enrolled + 2, 'with a key or proof each event counts');
    });
  });

  await t.test('with startJourneys off, only events with proof start journeys', async (t) => {
    const keylessEvents = { startJourneys: false };
    const { keylessEvents: now } = await api.must(`PATCH ${base}/settings`, { keylessEvents });
    t.same(now, { startJourneys: false, countEngagement: true, registerPaidChannels: true });
    const id = await journey(all, 'order');
    await forge('order');
    t.equal(await enrolledIn(all, id), 0);
    await byVera('order');
    t.equal(await enrolledIn(all, id), 1);
  });

  await t.test('with countEngagement off, forged opens count nowhere', async (t) => {
    await api.must(`PATCH ${base}/settings`, { keylessEvents: { countEngagement: false } });
    const message = await api.must(`POST ${base}/messages`, { title: 'News', body: 'Hi' });
    const { id: campaignId } = await api.must(`POST ${base}/campaigns`, {
      name: 'News',
      messageId: message.id,
    });
    await api.must(`POST ${base}/campaigns/${campaignId}/send`);
    const stats = () => api.must(`GET ${base}/campaigns/${campaignId}/stats`);
    await until(
      async () => (await stats()).delivered > 0,
      () => 'nothing was delivered',
    );
    await forge('opened', { campaignId });
    await forge('clicked', { campaignId });
    t.match(await stats(), { opened: 0, clicked: 0 });
    const { clientToken } = await proven('vera');
    const body = eventsOf(all, [{ name: 'opened', subscriberId: vera.id, campaignId }]);
    await stranger(all).call('POST /e', body, { authorization: `Bearer ${clientToken}` });
    t.match(await stats(), { opened: 1, clicked: 0 });
  });

  await t.test('a number whose messages cost money needs proof, where it is asked', async (t) => {
    const keylessEvents = { registerPaidChannels: false };
    await api.must(`PATCH ${base}/settings`, { keylessEvents });
    const register = (clientToken: string, channel: string, endpoint: string) =>
      stranger(all).call('POST /v1/sdk/register', { appId: app, clientToken, channel, endpoint });
    const thief = await stranger(all).must('POST /v1/sdk/subscriber', { appId: app });
    const honest = await proven('honest');
    for (const channel of ['sms', 'voice', 'whatsapp', 'rcs', 'kakao']) {
      const got = await register(thief.clientToken, channel, '+14155550123');
      t.match(got, { status: 403, json: { code: 'identity_required', field: 'channel' } }, channel);
      t.equal((await register(honest.clientToken, channel, '+14155550124')).status, 200, channel);
    }
    t.equal((await register(thief.clientToken, 'viber', 'viber-user-1')).status, 403);
    t.equal((await register(thief.clientToken, 'email', 'thief@example.com')).status, 200);
    await refuses(t, all, { startJourneys: 'no' }, 'keylessEvents.startJourneys');
    await refuses(t, all, { registerPaidChannels: 1 }, 'keylessEvents.registerPaidChannels');
  });
});

async function refuses(t: Test, { api, base }: Victim, keylessEvents: object, field: string) {
  const got = await api.call(`PATCH ${base}/settings`, { keylessEvents });
  t.match(got, { status: 400, json: { field } });
}

const hourOf = (ms: number) => Math.floor(ms / 3_600_000);
