// `engage clock accept` beside live campaigns and journeys: a start with the clock 120 days ahead,
// then a right one, and the operator says so. Waits keep what is left of them, nobody is written to
// twice, and nothing waits for the wrong date.

import t, { type Test } from 'tap';
import { dayMs, hourMs, minuteMs } from '../../../engine/base/brand.ts';
import { TestPartition } from '../../support/partition.ts';
import { accept, type Scene } from './campaigns/scene.ts';
import { goal, JourneyScene, send, wait } from './journeys/support/journey-scene.ts';

const ahead = 120 * dayMs;

/** The process ends, and starts again with another clock. */
async function restart(scene: Scene, nowMs: number): Promise<void> {
  scene.one.clock.nowMs = nowMs;
  await scene.crash();
}

/** The clock shows `ahead` more while `then` runs; a minute after the real time it is set right. */
async function aWrongStart(scene: Scene, then: () => Promise<void>): Promise<void> {
  const beginMs = scene.one.clock.nowMs;
  await restart(scene, beginMs + ahead);
  await then();
  const tookMs = scene.one.clock.nowMs - beginMs - ahead;
  await restart(scene, beginMs + tookMs + minuteMs);
  t.ok(scene.one.partition.clock.behindMs > 100 * dayMs);
  scene.one.partition.acceptClock();
  await scene.run();
  t.equal(scene.one.partition.clock.behindMs, 0);
}

/** Whether a start from the log makes the same memory. Nothing goes on after it. */
function isFolded(t: Test, scene: Scene): void {
  const { store, clock, partition } = scene.one;
  const replayed = new TestPartition({ store: store.crash(), clock });
  const memoryOf = (one: typeof partition) =>
    one.snapshot().filter(({ name }) => name !== 'runtime');
  t.same(JSON.stringify(memoryOf(replayed.partition)), JSON.stringify(memoryOf(partition)));
}

t.test('waits of journeys keep what is left of them', async (t) => {
  const one = await JourneyScene.withPeople(3);
  const { scene } = one;
  const steps = [wait('w', 2), send('a'), goal('g', 'order', 5), send('b')];
  const { id } = await one.journey({ triggerEvent: 'signup', steps });
  await one.track({ name: 'signup', user: 'user-0' });
  await scene.advance(hourMs);
  await aWrongStart(scene, async () => {
    await one.track({ name: 'signup', user: 'user-1' });
    t.same(one.sent, ['a user-0'], 'to the wrong clock the wait was over long ago');
    await scene.advance(hourMs);
  });
  await one.track({ name: 'signup', user: 'user-2' });
  await scene.advance(hourMs);
  t.same(one.sent, ['a user-0', 'a user-1'], 'an hour of two had passed');
  await scene.advance(hourMs);
  t.same(one.sent, ['a user-0', 'a user-1', 'a user-2']);
  for (let hour = 0; hour < 6; hour++) await scene.advance(hourMs);
  t.same(one.sent.slice(3).sort(), ['b user-0', 'b user-1', 'b user-2']);
  t.match(await one.stats(id), { enrolled: 3, completed: 3, inFlow: 0 });
  isFolded(t, scene);
});

t.test(
  'a journey that is switched off at the wrong time stays off for who was in it',
  async (t) => {
    const one = await JourneyScene.withPeople(2);
    const { scene } = one;
    const steps = [wait('w', 2), send('a')];
    const { id } = await one.journey({ triggerEvent: 'signup', reentry: 'always', steps });
    await aWrongStart(scene, async () => {
      await one.track({ name: 'signup', user: 'user-0' });
      await one.pause(id);
      await one.live(id);
    });
    await one.track({ name: 'signup', user: 'user-1' });
    for (let hour = 0; hour < 3; hour++) await scene.advance(hourMs);
    t.same(one.sent, ['a user-1']);
    t.match(await one.stats(id), { exited: 1, completed: 1, inFlow: 0 });
  },
);

t.test('a campaign goes on, and its fallback comes after its wait', async (t) => {
  const one = await JourneyScene.withPeople(30, ['fcm', 'email']);
  const { scene } = one;
  const fallback = { fallbackChannels: ['email'], fallbackAfterMinutes: 120 } as const;
  const { id } = await scene.campaign({ ...fallback, throttle: { perMinute: 600 } });
  scene.answers = accept;
  await aWrongStart(scene, async () => {
    await scene.send(id);
    await scene.track('user-0', 'opened', { campaignId: id });
    t.ok(scene.reached('fcm').length < 30, 'the throttle holds some');
    await scene.advance(0);
  });
  for (let second = 0; second < 10; second++) await scene.advance(1_000);
  t.same(new Set(scene.reached('fcm')).size, 30);
  t.equal(scene.reached('fcm').length, 30, 'everybody once');
  t.equal(scene.reached('email').length, 0);
  for (let minute = 0; minute < 122; minute++) await scene.advance(minuteMs);
  t.equal(scene.reached('email').length, 29);
  t.match(await scene.stats(id), { state: 'completed', fallback: { eligible: 29, sent: 29 } });
  isFolded(t, scene);
});

t.test('people released late wait for the fallback from their own send', async (t) => {
  const one = await JourneyScene.withPeople(2, ['fcm', 'email']);
  const { scene } = one;
  await scene.settings({
    quietHours: { start: '22:00', end: '08:00', timezone: 'subscriber', channels: ['fcm'] },
  });
  await scene.one.value(scene.app, 'subscriber.patch', {
    ref: { externalUserId: 'user-1' },
    patch: { timezone: 'Asia/Bangkok' },
  } as never);
  const { id } = await scene.campaign({ fallbackChannels: ['email'], fallbackAfterMinutes: 600 });
  // It is midnight in UTC, and seven o'clock in Bangkok: both are quiet, one for an hour more.
  await aWrongStart(scene, async () => {
    await scene.send(id);
    for (let minute = 0; minute < 70; minute++) await scene.advance(minuteMs);
    t.same(scene.reached('fcm'), ['user-1']);
  });
  for (let hour = 0; hour < 30; hour++) await scene.advance(hourMs);
  t.same(scene.reached('fcm').sort(), ['user-0', 'user-1']);
  t.same(scene.reached('email').sort(), ['user-0', 'user-1']);
  t.match(await scene.stats(id), { state: 'completed' });
  isFolded(t, scene);
});

t.test('an experiment is decided after its minutes', async (t) => {
  const one = await JourneyScene.withPeople(100);
  const { scene } = one;
  const { id } = await scene.campaign({
    variants: [
      { id: 'a', weight: 1, messageId: await scene.message({ title: 'A' }) },
      { id: 'b', weight: 1, messageId: await scene.message({ title: 'B' }) },
    ],
    experiment: { sampleShare: 0.2, winnerMetric: 'clicked', decideAfterMinutes: 60 },
  } as never);
  await aWrongStart(scene, async () => {
    await scene.send(id);
    t.ok(scene.sent.length < 60);
  });
  const sampled = scene.sent.length;
  await scene.advance(58 * minuteMs);
  t.equal(scene.sent.length, sampled);
  for (let minute = 0; minute < 5; minute++) await scene.advance(minuteMs);
  t.equal(scene.sent.length, 100);
});

t.test('a goal counts from the person’s own send', async (t) => {
  const one = await JourneyScene.withPeople(2);
  const { scene } = one;
  const { id } = await scene.campaign({ goal: { event: 'order', withinHours: 24 } } as never);
  await aWrongStart(scene, async () => {
    await scene.send(id);
  });
  await scene.advance(hourMs);
  await scene.track('user-0', 'order');
  t.match(await scene.stats(id), { converted: 1 });
});

t.test('a recurring campaign begins at its next hour, and no occurrence comes twice', async (t) => {
  const one = await JourneyScene.withPeople(1);
  const { scene } = one;
  const schedule = { type: 'recurring', every: 'day', at: '09:00', timezone: 'UTC' };
  await scene.sentCampaign({ schedule } as never);
  await aWrongStart(scene, async () => {
    await scene.advance(hourMs);
  });
  const before = scene.sent.length;
  for (let hour = 0; hour < 72; hour++) await scene.advance(hourMs);
  const times = scene.sentMs.slice(before).map((ms) => new Date(ms).toISOString().slice(11, 13));
  t.same(times, ['09', '09', '09']);
});
