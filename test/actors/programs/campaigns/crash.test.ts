// The process is killed at every durable turn of a campaign with everything on: several channels
// and devices, quiet hours, a throttle, a fallback, a pause and a resume on the way. Each time it
// starts again from its log and goes on to the end, where everybody was reached once on each
// channel, and a second call was made only for what was under way at the kill.

import t, { type Test } from 'tap';
import type { SliceDecided } from '../../../../actors/sending/dispatch/entries.ts';
import { hourMs, minuteMs, secondMs } from '../../../../engine/base/brand.ts';
import { unpackOrdinals } from '../../../../engine/base/ordinal-list.ts';
import { endAfter } from '../../../support/end-after.ts';
import { everyNth, tries } from '../../../support/tries.ts';
import { Scene } from './scene.ts';

interface Plan {
  readonly people: number;
  readonly perMinute: number;
  readonly phases: readonly ((scene: Scene, id: string) => Promise<unknown>)[];
}

/** What happens to the campaign; a step that the kill cut off is done again. */
const phases: Plan['phases'] = [
  (scene, id) => scene.refusal('send', id),
  (scene) => scene.advance(secondMs),
  (scene, id) => scene.refusal('pause', id),
  (scene) => scene.advance(minuteMs),
  (scene, id) => scene.refusal('resume', id),
  (scene) => inSeconds(scene, 12),
  (scene) => scene.advance(hourMs), // the night of some is over
  (scene) => inSeconds(scene, 12),
  (scene) => scene.advance(40 * minuteMs), // the fallback
  (scene, id) => scene.refusal('pause', id),
  (scene) => scene.advance(minuteMs),
  (scene, id) => scene.refusal('resume', id),
  (scene) => inSeconds(scene, 20),
  (scene) => scene.advance(hourMs),
];

async function inSeconds(scene: Scene, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) await scene.advance(secondMs);
}

async function begun({ people, perMinute }: Plan) {
  const scene = await Scene.open({ available: ['fcm', 'rcs', 'email'] });
  await scene.settings({ quietHours: { start: '22:00', end: '01:00', timezone: 'subscriber' } });
  const third = Math.floor(people / 3);
  await scene.people(third, ['fcm', 'email'], { timezone: 'Asia/Tokyo' }, 'day');
  await scene.people(third, ['fcm', 'email'], {}, 'night');
  await scene.people(
    people - 2 * third - 2,
    ['fcm', 'rcs', 'email'],
    { timezone: 'Asia/Tokyo' },
    'web',
  );
  await scene.people(2, ['fcm', 'fcm', 'email'], { timezone: 'Asia/Tokyo' }, 'several');
  const { id } = await scene.campaign({
    channels: ['fcm', 'rcs'],
    fallbackChannels: ['email'],
    fallbackAfterMinutes: 30,
    throttle: { perMinute },
  });
  return { scene, id };
}

/** Calls of providers that no receipt was committed for. */
function underWay(scene: Scene): Set<string> {
  const settled = new Set(
    scene
      .events('delivered', 'failed', 'bounced')
      .map(({ sendId, deviceId }) => `${sendId} ${deviceId}`),
  );
  return new Set(scene.calls().filter((call) => !settled.has(call)));
}

async function judge(
  t: Test,
  scene: Scene,
  id: string,
  people: number,
  again: ReadonlyMap<string, number>,
): Promise<boolean> {
  const wrong: string[] = [];
  const expect = (holds: boolean, what: string) => void (holds || wrong.push(what));
  const counts = new Map<string, number>();
  for (const call of scene.calls()) counts.set(call, (counts.get(call) ?? 0) + 1);
  for (const [call, count] of counts)
    expect(count <= 1 + (again.get(call) ?? 0), `${call} was called ${count} times`);
  const stats = await scene.stats(id);
  expect(stats.state === 'completed', `it is ${stats.state}: ${JSON.stringify(stats.progress)}`);
  for (const channel of ['fcm', 'email'] as const)
    expect(
      new Set(scene.reached(channel)).size === people,
      `${channel} reached ${new Set(scene.reached(channel)).size}`,
    );
  const delivered = scene.events('delivered');
  expect(
    stats.sent === people && stats.delivered === people,
    `${stats.delivered} of ${stats.sent} people`,
  );
  expect(stats.failed + stats.suppressed + stats.bounced === 0, 'somebody was lost');
  expect(new Set(delivered.map(({ person }) => person)).size === people, 'people with a receipt');
  for (const [channel, funnel] of Object.entries(stats.byChannel))
    expect(
      delivered.filter((one) => one.channel === channel).length === funnel.delivered &&
        funnel.delivered === funnel.sent,
      `receipts of ${channel} are not its funnel`,
    );
  expect(stats.fallback.sent === people && stats.fallback.eligible === people, 'the fallback');
  const turns = turnsTaken(scene);
  expect(
    [...turns.values()].every((count) => count === 1),
    'somebody had two turns in a phase',
  );
  expect(scene.firstGap() === undefined, 'events are numbered without a gap');
  expect(scene.isMemoryOfLog(), 'memory is not what the log says');
  const before = { seq: scene.one.store.durableSeq, calls: scene.sent.length };
  await scene.crash();
  expect(scene.one.store.durableSeq === before.seq, 'a restart without a fault wrote something');
  expect(scene.sent.length === before.calls, 'a restart without a fault sent something');
  if (wrong.length > 0) t.fail(wrong.slice(0, 5).join('; '));
  return wrong.length === 0;
}

/** How often each was handed out, by phase and channel. */
function turnsTaken(scene: Scene): Map<string, number> {
  const turns = new Map<string, number>();
  for (const { entries } of scene.blocks())
    for (const entry of entries) {
      if (entry.kind !== 'campaign.decided') continue;
      const { people, codes, turns: kinds, phase, channel } = entry as SliceDecided;
      unpackOrdinals(people).forEach((person, i) => {
        const kind = kinds[codes?.[i] ?? 0]?.turn;
        if (kind !== 'wave' && kind !== 'send') return;
        const key = `${phase} ${channel} ${person}`;
        turns.set(key, (turns.get(key) ?? 0) + 1);
      });
    }
  return turns;
}

/**
 * Runs it with a kill after each of these turns, counted from the last start; whether what the turn
 * granted was called yet, too. `again`: how often each call may have been made a second time.
 */
async function killedAfter(turns: readonly number[], isCalled: boolean, plan: Plan) {
  const { scene, id } = await begun(plan);
  const first = scene.one.store.durableSeq;
  const kills = [...turns];
  const again = new Map<string, number>();
  const arm = () => {
    const next = kills.shift();
    if (next !== undefined) endAfter(scene.one.store, scene.one.store.durableSeq + next);
  };
  arm();
  let killed = 0;
  for (const phase of plan.phases) {
    for (;;) {
      try {
        await phase(scene, id);
      } catch (error) {
        if (!scene.isDead) throw error; // otherwise it died with the question
      }
      if (!scene.isDead) break;
      killed++;
      if (isCalled) await scene.callGranted();
      for (const call of underWay(scene)) again.set(call, (again.get(call) ?? 0) + 1);
      await scene.crash();
      arm();
    }
  }
  return { scene, id, again, killed, turns: scene.one.store.durableSeq - first };
}

t.test('killed at any turn, everybody is reached once', async (t) => {
  const plan = { people: 40, perMinute: 240, phases };
  const whole = await killedAfter([], false, plan);
  t.ok(await judge(t, whole.scene, whole.id, 40, new Map()), 'without a kill');
  t.ok(whole.turns > 40, `${whole.turns} turns`);
  let calledAgain = 0;
  for (let turn = 1; turn <= whole.turns; turn += everyNth(6))
    for (const isCalled of [false, true]) {
      const { scene, id, again, killed } = await killedAfter([turn], isCalled, plan);
      const { length } = scene.sent;
      calledAgain += length - new Set(scene.calls()).size;
      if (killed === 1 && (await judge(t, scene, id, 40, again))) continue;
      t.fail(`killed after turn ${turn}${isCalled ? ', with its calls made' : ''}`);
      return;
    }
  t.ok(calledAgain > 0, 'what was under way was called again');
});

t.test(
  'thousands of people are reached once by a process that is killed again and again',
  async (t) => {
    const people = tries(10_000);
    const plan = { people, perMinute: 6 * people, phases };
    const turns = [3, 1, 4, 11, 5, 9, 2, 6, 15, 3, 5, 8, 9, 7, 19, 3, 2, 13, 8, 4, 6, 12];
    const { scene, id, again, killed } = await killedAfter(turns, true, plan);
    t.ok(killed > 6, `${killed} kills`);
    t.ok(await judge(t, scene, id, people, again), 'each once');
  },
);
