// A campaign from a domain that warms up: how many leave each day, who comes first, what counts and
// what does not, after a kill, a restore, and with a second campaign.

import t from 'tap';
import type { Restored } from '../../../../actors/runtime/restored.ts';
import { dayMs, hourMs } from '../../../../engine/base/brand.ts';
import { JourneyScene, send } from '../../programs/journeys/support/journey-scene.ts';
import {
  addDomain,
  days,
  domain,
  nextDay,
  sendFrom,
  warming,
  warmth,
  warmUp,
} from './warm-up-scene.ts';

const byEmail = { channels: ['email'] } as const;

t.test('each day has its number, and after the last nothing is kept back', async (t) => {
  const scene = await warming(200, { days: days(10, 20, 40) });
  const { id } = await scene.sentCampaign(byEmail);
  t.equal(scene.sent.length, 10);
  t.match((await scene.stats(id)).progress, {
    waitingFor: { reason: 'warm_up', people: 190, untilMs: scene.one.clock.nowMs + dayMs },
    expectedEndMs: scene.one.clock.nowMs + 3 * dayMs,
  });
  t.match(await warmth(scene), { state: 'running', today: { day: 1, mails: 10 } });
  await nextDay(scene);
  t.equal(scene.sent.length, 30);
  await scene.advance(12 * hourMs);
  t.equal(scene.sent.length, 30, 'nothing more at noon');
  await nextDay(scene);
  t.equal(scene.sent.length, 70);
  await nextDay(scene);
  t.equal(scene.sent.length, 200);
  t.match(await scene.stats(id), { state: 'completed', delivered: 200 });
  t.match(await warmth(scene), { state: 'finished', today: null });
});

t.test('the most engaged people come first', async (t) => {
  const scene = await warming(60, { days: days(3, 3, 100) });
  await scene.track('user-50', 'opened_app');
  await scene.advance(10 * dayMs);
  for (const name of ['user-40', 'user-41']) await scene.track(name, 'opened_app');
  await warmUp(scene, { startMs: scene.one.clock.nowMs, days: days(3, 3, 100) });
  await scene.sentCampaign(byEmail);
  t.same(scene.reached(), ['user-40', 'user-41', 'user-50']);
  await scene.track('user-59', 'opened_app');
  await nextDay(scene);
  t.same(scene.reached().slice(0, 2), ['user-0', 'user-1']);
  t.ok(scene.reached().includes('user-59'));
});

t.test(
  'a kill at any moment sends nobody twice, and the day no more than its number',
  async (t) => {
    const scene = await warming(100, { days: days(30, 30, 30, 30) });
    const release = scene.hold();
    await scene.sentCampaign(byEmail);
    t.equal(scene.sent.length, 30);
    await scene.crash();
    t.match(await warmth(scene), { today: { mails: 30 } });
    await release();
    t.ok(await scene.moveByCheckpoint());
    t.match(await warmth(scene), { today: { mails: 30 } });
    await scene.advance(hourMs);
    t.equal(new Set(scene.reached()).size, 30);
    await nextDay(scene);
    t.equal(new Set(scene.reached()).size, 60);
  },
);

t.test('two campaigns share a day, and a canceled one gives its part back', async (t) => {
  const scene = await warming(300, { days: days(1, 100, 100, 100, 100, 100) });
  const [one, other] = [await scene.campaign(byEmail), await scene.campaign(byEmail)];
  await scene.send(one.id);
  await scene.send(other.id);
  const sent = async () => [(await scene.stats(one.id)).sent, (await scene.stats(other.id)).sent];
  t.same(await sent(), [1, 0]);
  await nextDay(scene);
  t.same(await sent(), [51, 50]);
  await scene.verb('pause', one.id);
  await nextDay(scene);
  t.same(await sent(), [51, 150], 'a paused one wants nothing');
  await scene.verb('resume', one.id);
  await nextDay(scene);
  t.same(await sent(), [101, 200]);
  await scene.verb('cancel', other.id);
  await nextDay(scene);
  t.same(await sent(), [201, 200]);
});

t.test('who waits for the part of another gets it when that one is canceled', async (t) => {
  const scene = await warming(300, { days: days(1, 100) });
  const slow = await scene.campaign({ ...byEmail, throttle: { perMinute: 1 } });
  const fast = await scene.campaign(byEmail);
  await scene.send(slow.id);
  await scene.send(fast.id);
  await nextDay(scene);
  const sentOf = async (id: string) => (await scene.stats(id)).sent;
  t.equal(await sentOf(fast.id), 50);
  await scene.verb('cancel', slow.id);
  t.equal((await sentOf(fast.id)) + (await sentOf(slow.id)), 101);
});

t.test('single sends never wait, and count', async (t) => {
  const scene = await warming(50, { days: days(5, 50) });
  const request = { to: { externalUserId: 'user-1' }, title: 'Receipt', body: 'Thanks' };
  const single = async () => {
    const wish = { ...request, channels: ['email' as const] };
    await scene.one.value(scene.app, 'transactional.accept', { request: wish, claim: null });
    await scene.run();
  };
  for (let i = 0; i < 3; i++) await single();
  await scene.sentCampaign(byEmail);
  t.equal(scene.sent.length, 5);
  for (let i = 0; i < 3; i++) await single();
  t.equal(scene.sent.length, 8);
  t.match(await warmth(scene), { today: { mails: 8 } });
});

t.test('a mail that is tried again counts once', async (t) => {
  const scene = await warming(4, { days: days(10) });
  let calls = 0;
  scene.answers = () =>
    ++calls <= 2 ? { outcome: 'retry', reason: 'unreachable' } : { outcome: 'accepted' };
  const request = { to: { externalUserId: 'user-1' }, title: 'Receipt', body: 'Thanks' };
  const wish = { ...request, channels: ['email' as const] };
  await scene.one.value(scene.app, 'transactional.accept', { request: wish, claim: null });
  await scene.run();
  for (let i = 0; i < 5; i++) await scene.advance(hourMs);
  t.equal(calls, 3);
  t.match(await warmth(scene), { today: { mails: 1 } });
});

t.test('other channels and other domains have nothing to do with it', async (t) => {
  const scene = await warming(20, { days: days(1, 1) });
  await scene.people(20, ['fcm'], {}, 'phone');
  const { id } = await scene.sentCampaign({ channels: ['fcm'] });
  t.match(await scene.stats(id), { state: 'completed', delivered: 20 });
  const { id: mails } = await scene.sentCampaign(byEmail);
  t.match(await scene.stats(mails), { state: 'sending', delivered: 1 });
  await addDomain(scene, 'other.example');
  await sendFrom(scene, 'other.example');
  await scene.run();
  t.match(await scene.stats(mails), { state: 'completed', delivered: 20 });
  t.match(await warmth(scene), { isUsed: false, today: { mails: 1 } });
});

t.test('a domain that is gone, or its warm-up, keeps nothing back', async (t) => {
  for (const kind of ['warm_up.delete', 'email_domain.delete'] as const) {
    const scene = await warming(20, { days: days(1, 1) });
    const { id } = await scene.sentCampaign(byEmail);
    t.match(await scene.stats(id), { delivered: 1 });
    await scene.one.value(scene.app, kind, { domain });
    await scene.run();
    t.match(await scene.stats(id), { state: 'completed', delivered: 20 }, kind);
    await scene.advance(hourMs);
    await addDomain(scene);
    const shown = await warmth(scene);
    t.match(shown, { state: 'off' }, 'it does not come back');
  }
});

t.test('a message that lives for hours is not sent days later', async (t) => {
  const scene = await warming(20, { days: days(5, 100) });
  const messageId = await scene.message({ ttlSeconds: 3_600 });
  const { id } = await scene.sentCampaign({ ...byEmail, messageId });
  t.match(await scene.stats(id), {
    state: 'completed',
    delivered: 5,
    suppressedBy: { expired: 15 },
  });
});

t.test('a guard that stops a campaign makes the next day repeat its number', async (t) => {
  const scene = await warming(1_000, { days: days(150, 300, 600) });
  scene.answers = () => ({ outcome: 'dead', reason: 'mailbox_not_found' });
  const { id } = await scene.sentCampaign(byEmail);
  t.match(await scene.stats(id), { state: 'paused', stateReason: 'guard_bounces' });
  await nextDay(scene);
  t.match(await warmth(scene), { today: { day: 1, number: { max: 150 } } });
  await nextDay(scene);
  t.match(await warmth(scene), { today: { day: 2, number: { max: 300 } } });
});

t.test('a curve that is held stands still, and goes on from there', async (t) => {
  const scene = await warming(1_000, { days: days(10, 20, 40) });
  await scene.sentCampaign(byEmail);
  await nextDay(scene);
  await warmUp(scene, { isHeld: true });
  for (let i = 0; i < 3; i++) await nextDay(scene);
  t.equal(scene.sent.length, 10 + 20 + 3 * 20);
  t.match(await warmth(scene), { state: 'held', endsMs: null, today: { day: 2 } });
  await warmUp(scene, { isHeld: false });
  await nextDay(scene);
  t.equal(scene.sent.length, 90 + 40);
});

t.test('providers have numbers of their own within a day', async (t) => {
  const number = { max: 10, perProvider: { gmail: 2, others: 10 } };
  const scene = await warming(0, { days: [number, number, { max: 100 }] });
  const row = (name: string, host: string) => ({
    externalUserId: name,
    devices: [{ channel: 'email', endpoint: `${name}@${host}` }],
  });
  const rows = Array.from({ length: 12 }, (_, i) => row(`g${i}`, 'gmail.com'));
  rows.push(...Array.from({ length: 4 }, (_, i) => row(`o${i}`, 'post.example')));
  await scene.one.value(scene.app, 'subscriber.import', { rows } as never);
  const { id } = await scene.sentCampaign(byEmail);
  const hosts = () => scene.sent.map(({ endpoint }) => String(endpoint).split('@')[1]);
  t.same(hosts().filter((host) => host === 'gmail.com').length, 2);
  t.same(hosts().filter((host) => host === 'post.example').length, 4);
  t.match((await scene.stats(id)).deferredBy, { warm_up: 10 });
  t.match(await warmth(scene), {
    today: {
      mails: 6,
      byProvider: [
        ['gmail', 2],
        ['others', 4],
      ],
    },
  });
  await nextDay(scene);
  t.equal(scene.sent.length, 8);
  await nextDay(scene);
  t.equal(scene.sent.length, 16);
});

t.test('emails of journeys wait for the day, too', async (t) => {
  const scene = await warming(6, { days: days(2, 2, 2) });
  const one = new JourneyScene(scene);
  const steps = [{ ...send('a'), channels: ['email' as const] }];
  await one.journey({ triggerEvent: 'signup', steps } as never);
  await one.track(...Array.from({ length: 6 }, (_, i) => ({ name: 'signup', user: `user-${i}` })));
  t.equal(scene.sent.length, 2);
  t.match(await warmth(scene), { today: { mails: 2 } });
  await scene.crash();
  await nextDay(scene);
  t.equal(scene.sent.length, 4);
  await nextDay(scene);
  t.equal(scene.sent.length, 6);
});

t.test('after a restore nobody knows what has left today, so nothing more does', async (t) => {
  const scene = await warming(30, { days: days(10, 20) });
  const { id } = await scene.sentCampaign(byEmail);
  const restored: Restored = { epoch: 2, resend: 'all', erased: () => [] };
  await nextDay(scene);
  const before = scene.sent.length;
  await warmUp(scene, { startMs: scene.one.clock.nowMs, days: days(10, 20) });
  await scene.one.advance(hourMs);
  await scene.crash({ restored });
  await scene.refusal('resume', id);
  const another = await scene.sentCampaign(byEmail);
  t.equal(scene.sent.length, before, 'nothing leaves');
  t.match(await warmth(scene), { today: { isUnknown: true } });
  t.match((await scene.stats(another.id)).progress?.waitingFor, { reason: 'warm_up' });
  await nextDay(scene);
  t.equal(scene.sent.length, before + 20);
});
