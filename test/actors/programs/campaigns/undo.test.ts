// A send that waits for its author: it begins once, after the delay, unless it is taken back.

import t from 'tap';
import { dayMs, hourMs, type Millis, secondMs } from '../../../../engine/base/brand.ts';
import { Scene } from './scene.ts';

const delayMs = 10 * secondMs;
const hourly = { type: 'recurring', every: 'hour', at: '00:00', timezone: 'UTC' } as const;

const sendLater = async (scene: Scene, id: string, wait: Millis = delayMs) => {
  const sent = await scene.one.value(scene.app, 'campaign.send', { id, delayMs: wait });
  await scene.run();
  return sent;
};

const read = (scene: Scene, id: string) => scene.one.value(scene.app, 'campaign.read', { id });

t.test(
  'it begins after the delay with the people of that instant, also after a kill',
  async (t) => {
    const scene = await Scene.withPeople(2);
    const { id } = await scene.campaign();
    const undoMs = scene.one.clock.nowMs + delayMs;
    t.match(await sendLater(scene, id), { state: 'scheduled', nextMs: undoMs, undoMs });
    await scene.person('new', ['fcm']);
    await scene.advance(delayMs - 2);
    await scene.crash();
    t.match(await read(scene, id), { state: 'scheduled', undoMs }, 'a kill takes nothing back');
    t.equal(scene.sent.length, 0);
    await scene.advance(2);
    t.same(scene.reached(), ['new', 'user-0', 'user-1']);
    const after = await read(scene, id);
    t.match(after, { state: 'completed', undoMs: undefined, startedMs: undoMs });
    await scene.crash();
    await scene.advance(dayMs);
    t.equal(scene.sent.length, 3, 'once');
    t.ok(scene.isMemoryOfLog());
  },
);

t.test('taken back it is a draft of which nothing left, and can be sent again', async (t) => {
  const scene = await Scene.withPeople(2);
  const { id } = await scene.campaign();
  const before = await read(scene, id);
  await sendLater(scene, id);
  await scene.advance(delayMs - 2);
  const draft = await scene.verb('unschedule', id);
  t.same({ ...draft, updatedMs: 0 }, { ...before, updatedMs: 0 }, 'as it was');
  t.match(await scene.refusal('unschedule', id), /^wrong_state: this campaign is a draft/);
  await scene.crash();
  await scene.advance(dayMs);
  t.equal(scene.sent.length, 0);
  await sendLater(scene, id);
  await scene.advance(delayMs);
  t.match(await scene.stats(id), { state: 'completed', delivered: 2 });
});

t.test('a moment too late it is refused, and pausing stops the rest', async (t) => {
  const scene = await Scene.withPeople(40);
  const { id } = await scene.campaign({ throttle: { perMinute: 60 } });
  await sendLater(scene, id);
  await scene.advance(delayMs);
  t.match(await scene.refusal('unschedule', id), /^wrong_state: this campaign is sending/);
  await scene.verb('pause', id);
  const before = scene.sent.length;
  t.ok(before < 40, `${before} had left`);
  await scene.advance(dayMs);
  t.equal(scene.sent.length, before);
});

t.test('the delay holds back what would begin within it, and nothing else', async (t) => {
  const whole = Math.ceil((await Scene.open()).one.clock.nowMs / hourMs) * hourMs;
  const cases = [
    ['now', { type: 'now' }, 0, 'waits'],
    ['a past instant', { type: 'at', atMs: whole - secondMs }, 0, 'waits'],
    ['an instant within the delay', { type: 'at', atMs: whole + 1 }, 0, 'waits'],
    ['the end of the delay', { type: 'at', atMs: whole + delayMs }, delayMs, 'plain'],
    ['a later instant', { type: 'at', atMs: whole + hourMs }, hourMs, 'plain'],
    ['an occurrence that is due now', hourly, 0, 'waits'],
    ['a later occurrence', { ...hourly, at: '00:30' }, hourMs / 2, 'plain'],
  ] as const;
  for (const [what, schedule, aheadMs, how] of cases) {
    const scene = await Scene.open();
    scene.one.clock.nowMs = whole;
    await scene.people(2);
    const { id } = await scene.campaign({ schedule });
    const nextMs = whole + (how === 'waits' ? delayMs : aheadMs);
    const undoMs = how === 'waits' ? nextMs : undefined;
    const sent = await sendLater(scene, id);
    t.match(sent, { state: 'scheduled', nextMs }, what);
    t.equal(sent.undoMs, undoMs, what);
    await scene.advance(nextMs - whole - 1);
    t.equal(scene.sent.length, 0, what);
    await scene.advance(1);
    t.equal(scene.sent.length, 2, what);
    if (schedule.type !== 'recurring') continue;
    const next = await read(scene, id);
    t.equal(next.nextMs, whole + (how === 'waits' ? hourMs : 1.5 * hourMs), 'periods do not move');
  }
});

t.test('paused while it waits, it goes on when it is resumed, and is unscheduled', async (t) => {
  const scene = await Scene.withPeople(2);
  const { id } = await scene.campaign();
  await sendLater(scene, id);
  t.match(await scene.verb('pause', id), { state: 'paused', undoMs: undefined });
  await scene.advance(hourMs);
  t.equal(scene.sent.length, 0);
  await scene.verb('resume', id);
  t.match(await scene.stats(id), { state: 'completed', delivered: 2 });
  const other = await scene.campaign();
  await sendLater(scene, other.id);
  await scene.verb('pause', other.id);
  t.match(await scene.verb('unschedule', other.id), { state: 'draft', nextMs: undefined });
});

t.test('after a downtime it begins, and beyond two hours it does as ifLate says', async (t) => {
  for (const [downMs, ifLate, state] of [
    [hourMs, 'hold', 'completed'],
    [3 * hourMs, 'hold', 'paused'],
    [3 * hourMs, 'send', 'completed'],
    [3 * hourMs, 'skip', 'completed'],
  ] as const) {
    const scene = await Scene.withPeople(2);
    const { id } = await scene.campaign({ ifLate });
    await sendLater(scene, id);
    scene.one.clock.nowMs += downMs;
    await scene.crash();
    await scene.run();
    scene.one.partition.confirmClock('kernel');
    await scene.run();
    const name = `${ifLate} after ${downMs} ms`;
    t.match(await read(scene, id), { state, undoMs: undefined }, name);
    const isSent = state === 'completed' && ifLate !== 'skip';
    t.equal(scene.sent.length, isSent ? 2 : 0, name);
    if (state === 'paused') t.match(await scene.verb('unschedule', id), { state: 'draft' });
  }
});

t.test('a variant test begins after the delay, with its sample', async (t) => {
  const scene = await Scene.withPeople(100);
  const [one, two] = [await scene.message(), await scene.message()];
  const { id } = await scene.campaign({
    messageId: one,
    variants: [
      { id: 'a', weight: 1, messageId: one },
      { id: 'b', weight: 1, messageId: two },
    ],
    experiment: { sampleShare: 0.5, winnerMetric: 'opened', decideAfterMinutes: 60 },
  });
  await sendLater(scene, id);
  await scene.verb('unschedule', id);
  await sendLater(scene, id);
  await scene.advance(delayMs);
  const sample = scene.sent.length;
  t.ok(sample > 20 && sample < 80, `${sample} of 100 are in the sample`);
  await scene.advance(hourMs);
  t.match(await scene.stats(id), { state: 'completed', delivered: 100 });
});

t.test('over the daily cap it begins after the delay and waits for the next day', async (t) => {
  const scene = await Scene.withPeople(3);
  await scene.orgLimits({ dailySendCap: 1 });
  const { id } = await scene.campaign();
  await sendLater(scene, id);
  await scene.advance(delayMs);
  t.match(await scene.stats(id), { state: 'sending', sent: 1, deferredBy: { daily_cap: 2 } });
  t.match(await scene.refusal('unschedule', id), /is sending/);
});

t.test('a copy of it is a draft that waits for nothing', async (t) => {
  const scene = await Scene.withPeople(2);
  const { id } = await scene.campaign();
  await sendLater(scene, id);
  const copy = await scene.one.value(scene.app, 'campaign.duplicate', { id });
  t.match(copy, { state: 'draft', undoMs: undefined, nextMs: undefined });
});
