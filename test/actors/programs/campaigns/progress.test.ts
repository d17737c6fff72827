// Whenever a campaign does not move, its progress says why, until when and for how many; while it
// moves there is nothing to say.

import t from 'tap';
import { limits } from '../../../../actors/limits.ts';
import { hourMs, minuteMs, secondMs } from '../../../../engine/base/brand.ts';
import { type Answers, accept, Scene } from './scene.ts';

const never: Answers = () => undefined;

t.test('each reason has its word, in words', async (t) => {
  const cases: readonly (readonly [
    reason: string,
    input: object,
    set: (scene: Scene) => Promise<void> | void,
    untilMs?: number,
  ])[] = [
    [
      'scheduled',
      { schedule: { type: 'at', atMs: Date.UTC(2026, 0, 1, 5) } },
      () => {},
      5 * hourMs,
    ],
    ['local_time', { timezoneDelivery: { at: '06:00' } }, () => {}, 6 * hourMs],
    ['throttled', { throttle: { perMinute: 1 } }, () => {}],
    [
      'fallback',
      { fallbackChannels: ['email'], fallbackAfterMinutes: 10 },
      () => {},
      10 * minuteMs,
    ],
    ['answers', {}, (scene) => void (scene.answers = never)],
    [
      'provider_pause',
      {},
      (scene) =>
        void (scene.answers = () => ({ outcome: 'rate', reason: 'slow', retryAfterMs: hourMs })),
      hourMs,
    ],
    [
      'provider_refuses',
      {},
      (scene) => void (scene.answers = () => ({ outcome: 'config', reason: 'invalid_credential' })),
    ],
    [
      'quiet_hours',
      {},
      (scene) => scene.settings({ quietHours: { start: '22:00', end: '07:00', timezone: 'UTC' } }),
      7 * hourMs,
    ],
    ['daily_cap', {}, (scene) => scene.orgLimits({ dailySendCap: 0 }), 24 * hourMs],
  ];
  for (const [reason, input, set, untilMs] of cases) {
    const scene = await Scene.open();
    const { nowMs } = scene.one.clock;
    await scene.people(reason.startsWith('provider') ? 200 : 3);
    await set(scene);
    const { id } = await scene.sentCampaign(input);
    const { progress } = await scene.stats(id);
    t.equal(progress?.waitingFor?.reason, reason);
    t.ok((progress?.waitingFor?.text.length ?? 0) > 10, `${reason}, in words`);
    if (untilMs !== undefined) t.equal(progress?.waitingFor?.untilMs, nowMs + untilMs, reason);
    scene.answers = accept;
    await scene.crash();
    t.same((await scene.stats(id)).progress?.waitingFor?.reason, reason, 'after a restart');
    await scene.verb('pause', id);
    t.match((await scene.stats(id)).progress?.waitingFor, { reason: 'paused' });
  }
});

t.test('while people leave there is nothing to say, and the numbers add up', async (t) => {
  const scene = await Scene.withPeople(300);
  const { id } = await scene.campaign();
  const release = scene.hold();
  await scene.send(id);
  const { progress } = await scene.stats(id);
  t.match(progress, { done: 0, total: 300, waitingFor: null });
  t.ok((progress?.ratePerSecond ?? 0) > 0);
  await release();
  t.match(await scene.stats(id), { state: 'completed', progress: null });
});

t.test('where nobody left for ten seconds, it says whose answers are waited for', async (t) => {
  const scene = await Scene.withPeople(300);
  const { id } = await scene.campaign();
  const { id: other } = await scene.campaign();
  scene.answers = never;
  await scene.send(id);
  await scene.send(other);
  const waitingFor = async (id: string) => (await scene.stats(id)).progress?.waitingFor;
  t.equal(await waitingFor(id), null, 'some have just left');
  await scene.advance(10 * secondMs);
  const stats = await scene.stats(id);
  t.ok(stats.sent > 0 && stats.sent < 300, `${stats.sent} of 300 are out`);
  t.match(stats.progress, { ratePerSecond: 0, expectedEndMs: null });
  t.match(stats.progress?.waitingFor, { reason: 'answers', people: stats.sent });
  t.equal((await scene.stats(other)).sent, 0, 'there is no room for the other');
  t.match(await waitingFor(other), { reason: 'answers', text: /other sends/ });
});

t.test('a draft and what is over have no progress', async (t) => {
  const scene = await Scene.withPeople(1);
  const { id } = await scene.campaign();
  t.equal((await scene.stats(id)).progress, null);
  await scene.verb('cancel', id);
  t.equal((await scene.stats(id)).progress, null);
});

t.test('a filter that counts what is not counted yet is waited for, and said so', async (t) => {
  const scene = await Scene.withPeople(2);
  await scene.track('user-0', 'bought');
  await scene.track('user-0', 'bought');
  const { id } = await scene.sentCampaign({
    filter: { event: 'bought', withinDays: 30, atLeast: 2 },
  });
  const { progress, state } = await scene.stats(id);
  if (state === 'completed') t.same(scene.reached(), ['user-0'], 'it was counted at once');
  else t.match(progress?.waitingFor, { reason: 'counting' });
});

t.test('what a provider refuses for now has an end, and other channels go on', async (t) => {
  const scene = await Scene.withPeople(20, ['fcm', 'email']);
  const { outbox } = scene.state;
  const target = {
    deviceId: '',
    state: 'waiting',
    attempts: 1,
    dueMs: 1e15,
    ambiguous: 0,
  } as const;
  for (let i = 0; i < limits.outboxCampaignsMax - 5; i++)
    outbox.add({
      sendId: `${i}`,
      person: 99,
      acceptedMs: 1,
      expiresMs: null,
      targets: [{ ...target, channel: 'fcm' }],
      open: 1,
    });
  scene.answers = ({ channel }) =>
    channel === 'fcm' ? { outcome: 'retry', reason: 'busy' } : { outcome: 'accepted' };
  const { id } = await scene.sentCampaign({ channels: ['fcm', 'email'] });
  t.equal(outbox.openOn('fcm'), limits.outboxCampaignsMax);
  t.equal(scene.reached('email').length, 20);
  t.match((await scene.stats(id)).progress?.waitingFor, { reason: 'retries' });
  outbox.forget(99);
  scene.answers = accept;
  await scene.advance(60_000);
  t.match(await scene.stats(id), { state: 'completed', delivered: 20 });
  t.equal(new Set(scene.reached('fcm')).size, 20);
});
