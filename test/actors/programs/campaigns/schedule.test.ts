// When campaigns begin: at their time, again and again, and after a downtime as their author said.

import t from 'tap';
import { dayMs, hourMs, minuteMs } from '../../../../engine/base/brand.ts';
import { accept, Scene } from './scene.ts';

const hourly = { type: 'recurring', every: 'hour', at: '00:00', timezone: 'UTC' } as const;

t.test(
  'a scheduled campaign begins at its instant, with the audience of that instant',
  async (t) => {
    const scene = await Scene.withPeople(2);
    const atMs = scene.one.clock.nowMs + 3 * hourMs;
    const { id } = await scene.campaign({ schedule: { type: 'at', atMs } });
    t.match(await scene.send(id), { state: 'scheduled', nextMs: atMs });
    t.match((await scene.stats(id)).progress?.waitingFor, { reason: 'scheduled', untilMs: atMs });
    await scene.person('new', ['fcm']);
    await scene.crash();
    await scene.advance(3 * hourMs - 1);
    t.equal(scene.sent.length, 0);
    await scene.advance(1);
    t.same(scene.reached(), ['new', 'user-0', 'user-1']);
    t.match(await scene.stats(id), { state: 'completed', occurrences: [{ startedMs: atMs }] });
  },
);

t.test(
  'a recurring campaign begins every time, and completes with the end of its schedule',
  async (t) => {
    const scene = await Scene.withPeople(2);
    const endMs = scene.one.clock.nowMs + 3 * hourMs;
    const { id } = await scene.sentCampaign({ schedule: { ...hourly, endMs } });
    for (let hour = 1; hour <= 2; hour++) {
      t.match(await scene.stats(id), { state: 'sending', sent: 2 * hour });
      t.match(
        (await scene.stats(id)).progress?.waitingFor,
        hour < 3 ? { reason: 'scheduled' } : null,
      );
      if (hour === 1) await scene.crash();
      await scene.advance(hourMs);
    }
    t.match(await scene.stats(id), { state: 'completed', sent: 6, delivered: 6 });
    t.same(
      (await scene.stats(id)).occurrences.map(({ number, sent }) => [number, sent]),
      [
        [3, 2],
        [2, 2],
        [1, 2],
      ],
    );
    await scene.advance(dayMs);
    t.equal(scene.sent.length, 6);
  },
);

/** A start after the clock moved. The kernel confirms it, and what waited runs in that turn. */
async function downtime(scene: Scene): Promise<void> {
  await scene.crash();
  await scene.run();
  scene.one.partition.confirmClock('kernel');
  await scene.run();
}

t.test(
  'what a downtime made late follows ifLate beyond two hours, and begins otherwise',
  async (t) => {
    for (const ifLate of ['send', 'skip', 'hold'] as const)
      for (const lateMs of [2 * hourMs, 2 * hourMs + 1]) {
        const scene = await Scene.withPeople(2);
        const atMs = scene.one.clock.nowMs + hourMs;
        const { id } = await scene.sentCampaign({ schedule: { type: 'at', atMs }, ifLate });
        scene.one.clock.nowMs = atMs + lateMs;
        await downtime(scene);
        const isLate = lateMs > 2 * hourMs;
        const stats = await scene.stats(id);
        const name = `${ifLate}, ${lateMs} ms late`;
        t.equal(scene.sent.length, !isLate || ifLate === 'send' ? 2 : 0, name);
        if (!isLate || ifLate === 'send') t.match(stats, { state: 'completed', sent: 2 }, name);
        else if (ifLate === 'skip')
          t.match(stats, { state: 'completed', stateReason: 'skipped_late', sent: 0 }, name);
        else {
          t.match(stats, { state: 'paused', stateReason: 'late' }, name);
          t.match(stats.progress?.waitingFor, {
            reason: 'paused',
            text: /missed by more than two hours/,
          });
          await scene.crash();
          t.equal(scene.sent.length, 0, 'it stays held');
          await scene.verb('resume', id);
          t.match(await scene.stats(id), { state: 'completed', sent: 2, delivered: 2 }, name);
          t.equal((await scene.stats(id)).stateReason, undefined);
        }
      }
  },
);

t.test('a recurring campaign that was late goes on with its next time', async (t) => {
  for (const ifLate of ['send', 'skip', 'hold'] as const) {
    const scene = await Scene.withPeople(2);
    const schedule = { ...hourly, every: 'day' as const, at: '12:00' };
    const { id } = await scene.sentCampaign({ schedule, ifLate });
    scene.one.clock.nowMs += 3 * dayMs; // three were missed, of which the last by twelve hours
    await downtime(scene);
    if (ifLate === 'hold') {
      t.match(await scene.stats(id), { state: 'paused', stateReason: 'late' });
      await scene.verb('resume', id);
    }
    t.equal(scene.sent.length, ifLate === 'skip' ? 0 : 2, `${ifLate}: once, not three times`);
    await scene.advance(12 * hourMs);
    t.equal(scene.sent.length, ifLate === 'skip' ? 2 : 4, `${ifLate}: at noon`);
  }
});

t.test('a recurring campaign that was paused over its times begins at the next', async (t) => {
  const scene = await Scene.withPeople(2);
  const { id } = await scene.sentCampaign({ schedule: hourly });
  await scene.verb('pause', id);
  await scene.advance(5.5 * hourMs);
  t.equal(scene.sent.length, 2);
  t.match(await scene.verb('resume', id), { state: 'sending' });
  t.equal(scene.sent.length, 2);
  await scene.advance(hourMs / 2);
  t.equal(scene.sent.length, 4);
});

t.test('a schedule that ended during a pause is completed by the resume', async (t) => {
  for (const first of [0, 1]) {
    const scene = await Scene.withPeople(2);
    const { nowMs } = scene.one.clock;
    const schedule = {
      ...hourly,
      startMs: nowMs + (1 - first) * hourMs,
      endMs: nowMs + 2 * hourMs,
    };
    const { id } = await scene.sentCampaign({ schedule });
    await scene.verb('pause', id);
    await scene.advance(5 * hourMs);
    await scene.verb('resume', id);
    t.match(await scene.stats(id), { state: 'completed', sent: 2 * first, progress: null });
  }
});

t.test(
  'a segment that is gone when the time comes fails the campaign, and ends what was under way',
  async (t) => {
    const scene = await Scene.withPeople(2);
    await scene.settings({ quietHours: { start: '22:00', end: '08:00', timezone: 'UTC' } });
    const filter = { tag: 'first_name', exists: true };
    const { id: segmentId } = await scene.one.value(scene.app, 'segment.create', {
      name: 'all',
      filter,
    });
    const { id } = await scene.sentCampaign({ schedule: hourly, segmentId });
    const campaign = scene.state.campaigns.get(id);
    t.ok(campaign);
    scene.state.segments.delete(segmentId); // which a caller is refused
    await scene.advance(hourMs);
    t.match(await scene.stats(id), {
      state: 'failed',
      stateReason: 'segment_gone',
      progress: null,
    });
    t.ok((await scene.stats(id)).occurrences.every(({ endedMs }) => endedMs !== null));
    await scene.advance(10 * hourMs);
    t.equal(scene.sent.length, 0);
  },
);

t.test('an occurrence whose predecessor is not over runs beside it', async (t) => {
  const scene = await Scene.withPeople(3);
  const { id } = await scene.campaign({ schedule: hourly });
  scene.answers = () => ({ outcome: 'retry', reason: 'http_503', retryAfterMs: 90 * minuteMs });
  await scene.send(id);
  scene.answers = accept;
  await scene.advance(hourMs);
  t.match(await scene.stats(id), {
    sent: 6,
    delivered: 3,
    occurrences: [{ delivered: 3 }, { delivered: 0 }],
  });
  await scene.advance(40 * minuteMs);
  t.match(await scene.stats(id), {
    sent: 6,
    delivered: 6,
    occurrences: [{ delivered: 3 }, { delivered: 3 }],
  });
});
