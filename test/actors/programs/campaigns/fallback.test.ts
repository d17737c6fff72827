// The second pass: on other channels, to whoever did not open or click, a while after the first had
// its say.

import t from 'tap';
import { hourMs, minuteMs } from '../../../../engine/base/brand.ts';
import { accept, endpointOf, Scene } from './scene.ts';

const fallback = { fallbackChannels: ['email'], fallbackAfterMinutes: 30 } as const;

t.test(
  'who neither opened nor clicked gets it on the fallback channels after the wait',
  async (t) => {
    const scene = await Scene.withPeople(4, ['fcm', 'email']);
    const { id } = await scene.sentCampaign(fallback);
    await scene.track('user-0', 'opened', { campaignId: id });
    await scene.track('user-1', 'clicked', { campaignId: id });
    await scene.advance(30 * minuteMs - 1);
    t.match(await scene.stats(id), { state: 'sending', fallback: { eligible: 0, sent: 0 } });
    t.match((await scene.stats(id)).progress?.waitingFor, { reason: 'fallback' });
    t.equal(scene.reached('email').length, 0);
    await scene.advance(1);
    t.same(scene.reached('email'), ['user-2', 'user-3']);
    t.match(await scene.stats(id), {
      state: 'completed',
      audience: 4,
      sent: 4,
      delivered: 4,
      devices: { sent: 6, delivered: 6 },
      fallback: { eligible: 2, sent: 2 },
    });
  },
);

t.test('who has no device on the first channels gets it by the fallback', async (t) => {
  const scene = await Scene.open();
  await scene.person('push', ['fcm']);
  await scene.person('mail', ['email']);
  await scene.person('none', []);
  const filter = { tag: 'first_name', exists: true };
  const { id } = await scene.sentCampaign({ ...fallback, filter });
  t.match(await scene.stats(id), { sent: 1, suppressed: 2 });
  await scene.advance(30 * minuteMs);
  t.same(scene.reached('email'), ['mail']);
  const stats = await scene.stats(id);
  t.match(stats, {
    state: 'completed',
    sent: 2,
    delivered: 2,
    suppressed: 1,
    fallback: { eligible: 3, sent: 1 },
  });
  t.same(stats.suppressedBy, { no_device: 1 });
});

t.test('an event of a fallback that an opt-out stops names the channel', async (t) => {
  const scene = await Scene.withPeople(2, ['fcm', 'email']);
  await scene.optOut('email', endpointOf('user-0', 'email'));
  await scene.sentCampaign(fallback);
  await scene.advance(30 * minuteMs);
  t.match(scene.events('suppressed'), [{ channel: 'email', meta: { reason: 'opt_out' } }]);
  const both = { fallbackChannels: ['sms', 'email'], fallbackAfterMinutes: 30 } as const;
  const { id: several } = await scene.campaign({ ...both, channels: ['fcm'] });
  await scene.send(several);
  await scene.advance(30 * minuteMs);
  t.match(scene.events('suppressed')[1], { channel: undefined }, 'of several, none alone is meant');
});

t.test('the fallback obeys preference, opt-outs and caps', async (t) => {
  const scene = await Scene.withPeople(4, ['fcm', 'email']);
  await scene.settings({ caps: [{ channel: 'email', max: 1, perHours: 24 }] });
  const mail = await scene.campaign({
    channels: ['email'],
    filter: { tag: 'first_name', eq: 'user-3' },
  });
  await scene.send(mail.id);
  const { id } = await scene.sentCampaign(fallback);
  await scene.one.value(scene.app, 'subscriber.patch', {
    ref: { externalUserId: 'user-0' },
    patch: { preferredChannels: ['fcm'] },
  } as never);
  await scene.optOut('email', endpointOf('user-1', 'email'));
  scene.sent.length = 0;
  await scene.advance(30 * minuteMs);
  t.same(scene.reached(), ['user-2']);
  t.same(
    scene.events('suppressed').map(({ person, meta }) => [person, meta['reason']]),
    [
      [0, 'channel_preference'],
      [3, 'frequency_cap'],
      [1, 'opt_out'],
    ],
  );
  const stats = await scene.stats(id);
  t.match(stats, {
    state: 'completed',
    delivered: 4,
    suppressed: 0,
    fallback: { eligible: 4, sent: 1 },
  });
  t.same(stats.suppressedBy, {}, 'all were sent it once');
});

t.test('a cap over all channels counts the fallback as a send of its own', async (t) => {
  const scene = await Scene.withPeople(2, ['fcm', 'email']);
  await scene.settings({ caps: [{ max: 1, perHours: 24 }] });
  const { id } = await scene.sentCampaign(fallback);
  await scene.advance(30 * minuteMs);
  t.equal(scene.reached('email').length, 0);
  t.match(await scene.stats(id), { state: 'completed', fallback: { eligible: 2, sent: 0 } });
});

t.test(
  'people released late wait as long after their own send, the others only for the release',
  async (t) => {
    const scene = await Scene.open();
    await scene.settings({ quietHours: { start: '22:00', end: '01:00', timezone: 'subscriber' } });
    await scene.person('now', ['fcm', 'email'], { timezone: 'Asia/Tokyo' });
    await scene.person('held', ['fcm', 'email']);
    const { id } = await scene.sentCampaign(fallback);
    t.same(scene.reached(), ['now']);
    await scene.advance(45 * minuteMs);
    t.same(scene.reached(), ['now'], 'the wait is over, but one is parked');
    t.match((await scene.stats(id)).progress?.waitingFor, { reason: 'quiet_hours', people: 1 });
    await scene.advance(15 * minuteMs);
    t.same(scene.reached('fcm'), ['held', 'now']);
    t.same(scene.reached('email'), ['now']);
    t.match(await scene.stats(id), { state: 'sending', fallback: { eligible: 2, sent: 1 } });
    t.match((await scene.stats(id)).progress?.waitingFor, { reason: 'fallback', people: 1 });
    await scene.crash();
    await scene.advance(30 * minuteMs - 1);
    t.same(scene.reached('email'), ['now']);
    await scene.advance(1);
    t.same(scene.reached('email'), ['held', 'now']);
    t.match(await scene.stats(id), { state: 'completed', fallback: { eligible: 2, sent: 2 } });
  },
);

t.test('who reacts to a late release before their wait is over gets no fallback', async (t) => {
  const scene = await Scene.open();
  await scene.settings({ quietHours: { start: '22:00', end: '01:00', timezone: 'UTC' } });
  await scene.people(2, ['fcm', 'email']);
  const { id } = await scene.sentCampaign(fallback);
  await scene.advance(hourMs);
  t.same(scene.reached(), ['user-0', 'user-1']);
  await scene.track('user-0', 'opened', { campaignId: id });
  await scene.advance(30 * minuteMs);
  t.same(scene.reached('email'), ['user-1']);
  t.match(await scene.stats(id), { state: 'completed', fallback: { sent: 1 } });
});

t.test('people held by the daily cap wait from their own send, too', async (t) => {
  const scene = await Scene.open();
  await scene.orgLimits({ dailySendCap: 1 });
  await scene.people(2, ['fcm', 'email']);
  const { id } = await scene.sentCampaign(fallback);
  t.equal(scene.reached('fcm').length, 1);
  await scene.orgLimits({ dailySendCap: null });
  await scene.advance(24 * hourMs);
  t.equal(scene.reached('fcm').length, 2, 'the next day');
  t.equal(scene.reached('email').length, 1);
  t.match(await scene.stats(id), { state: 'sending' });
  await scene.advance(30 * minuteMs);
  t.equal(scene.reached('email').length, 2);
  t.match(await scene.stats(id), { state: 'completed' });
});

t.test('a long wait of many late people ends within a hundredth of it', async (t) => {
  const scene = await Scene.open();
  await scene.settings({ quietHours: { start: '22:00', end: '01:00', timezone: 'UTC' } });
  await scene.people(3, ['fcm', 'email']);
  await scene.sentCampaign({
    ...fallback,
    fallbackAfterMinutes: 2_880,
    throttle: { perMinute: 1 },
  });
  for (let minute = 0; minute < 65; minute++) await scene.advance(minuteMs);
  t.equal(scene.reached('fcm').length, 3);
  const first = scene.sentMs[0] as number;
  await scene.advance(first + 2_880 * minuteMs - scene.one.clock.nowMs - 1);
  t.equal(scene.reached('email').length, 0);
  for (let minute = 0; minute < 35; minute++) await scene.advance(minuteMs);
  t.equal(scene.reached('email').length, 3);
});

t.test('a throttled first pass is over when the last of it left', async (t) => {
  const scene = await Scene.withPeople(10, ['fcm', 'email']);
  await scene.sentCampaign({ ...fallback, throttle: { perMinute: 1 } });
  for (let second = 0; second < 700; second++) await scene.advance(1_000);
  t.equal(scene.reached('fcm').length, 10);
  const last = scene.sentMs.at(-1) as number;
  await scene.advance(last + 30 * minuteMs - scene.one.clock.nowMs - 10);
  t.equal(scene.reached('email').length, 0);
  await scene.advance(1_010);
  t.equal(scene.reached('email').length, 1, 'the fallback has the same throttle');
});

t.test('who answers while the fallback is held is left alone', async (t) => {
  const scene = await Scene.withPeople(3, ['fcm', 'email']);
  const { id } = await scene.sentCampaign(fallback);
  await scene.settings({ quietHours: { start: '00:10', end: '08:00', timezone: 'UTC' } });
  await scene.advance(hourMs);
  t.match((await scene.stats(id)).progress?.waitingFor, { reason: 'quiet_hours', people: 3 });
  await scene.track('user-1', 'clicked', { campaignId: id });
  await scene.advance(7 * hourMs);
  t.same(scene.reached('email'), ['user-0', 'user-2']);
  t.match(await scene.stats(id), { state: 'completed', fallback: { eligible: 3, sent: 2 } });
});

t.test('each occurrence has its own fallback and its own answers', async (t) => {
  const scene = await Scene.withPeople(2, ['fcm', 'email']);
  const { id } = await scene.sentCampaign({
    ...fallback,
    schedule: { type: 'recurring', every: 'hour', at: '00:00', timezone: 'UTC' },
  });
  await scene.track('user-0', 'opened', { campaignId: id });
  await scene.advance(30 * minuteMs);
  t.same(scene.reached('email'), ['user-1']);
  await scene.advance(30 * minuteMs);
  await scene.track('user-1', 'opened', { campaignId: id });
  await scene.advance(30 * minuteMs);
  t.same(scene.reached('email'), ['user-0', 'user-1']);
  t.match(await scene.stats(id), { state: 'sending', sent: 4, fallback: { eligible: 2, sent: 2 } });
});

t.test('the wait can be paused, and goes on when it is resumed', async (t) => {
  const scene = await Scene.withPeople(3, ['fcm', 'email']);
  const { id } = await scene.sentCampaign(fallback);
  await scene.advance(10 * minuteMs);
  await scene.verb('pause', id);
  await scene.advance(hourMs);
  await scene.crash();
  t.equal(scene.reached('email').length, 0);
  await scene.verb('resume', id);
  t.equal(scene.reached('email').length, 3);
  t.match(await scene.stats(id), { state: 'completed' });
});

t.test('the wait can be stopped', async (t) => {
  const scene = await Scene.withPeople(3, ['fcm', 'email']);
  const { id } = await scene.sentCampaign(fallback);
  await scene.verb('cancel', id);
  await scene.advance(hourMs);
  t.equal(scene.reached('email').length, 0);
  t.match(await scene.stats(id), {
    state: 'canceled',
    sent: 3,
    delivered: 3,
    fallback: { sent: 0 },
  });
});

t.test(
  'a campaign stays sending while the fallback is out, and ends with its last answer',
  async (t) => {
    const scene = await Scene.withPeople(3, ['fcm', 'email']);
    const { id } = await scene.sentCampaign(fallback);
    scene.answers = () => ({ outcome: 'retry', reason: 'http_503' });
    await scene.advance(30 * minuteMs);
    t.match((await scene.stats(id)).progress?.waitingFor, { reason: 'answers', people: 3 });
    scene.answers = accept;
    await scene.advance(10 * minuteMs);
    t.match(await scene.stats(id), { state: 'completed', fallback: { sent: 3 } });
  },
);

t.test(
  'a first pass of which something is tried again does not keep the fallback waiting',
  async (t) => {
    const scene = await Scene.withPeople(2, ['fcm', 'email']);
    const { id } = await scene.campaign(fallback);
    scene.answers = ({ channel }) =>
      channel === 'fcm'
        ? { outcome: 'retry', reason: 'http_503', retryAfterMs: 3 * hourMs }
        : { outcome: 'accepted' };
    await scene.send(id);
    await scene.advance(30 * minuteMs);
    t.equal(scene.reached('email').length, 2);
  },
);
