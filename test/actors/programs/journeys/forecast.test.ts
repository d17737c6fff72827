// What a journey would have caught, against a replay by hand: the nested walker over every raw
// event, one person at a time.

import { deepStrictEqual } from 'node:assert';
import fc from 'fast-check';
import t from 'tap';
import { EventHistory } from '../../../../actors/events/history/event-history.ts';
import { forecastEventsMax, readForecast } from '../../../../actors/programs/journeys/forecast.ts';
import { acceptGraph } from '../../../../actors/programs/journeys/graph.ts';
import { compileProgram } from '../../../../actors/programs/journeys/program.ts';
import type {
  ForecastFacts,
  ForecastReply,
} from '../../../../actors/programs/journeys/protocol.ts';
import type { Step } from '../../../../actors/programs/journeys/steps.ts';
import { eventLog } from '../../../../actors/runtime/event-log.ts';
import { dayMs, hourMs, minuteMs } from '../../../../engine/base/brand.ts';
import { StopFlag } from '../../../../engine/thread/shared-word.ts';
import { noTemplates } from '../../../support/step-templates.ts';
import { tries } from '../../../support/tries.ts';
import { goalNames, graphs } from './support/graphs.ts';
import { goal, JourneyScene, send, wait } from './support/journey-scene.ts';
import { NestedWalker } from './support/nested-walker.ts';

const noHistory = new EventHistory(0, [], () => {
  throw new Error('there are no files');
});

interface PastEvent {
  readonly user: number;
  readonly name: string;
  readonly atMs: number;
}

/** Events of an app that stands still: each at its own instant, all before now. */
async function sceneOf(
  events: readonly PastEvent[],
  nowMs: number,
  reachable: (user: number) => boolean,
) {
  const one = await JourneyScene.open();
  one.scene.one.clock.nowMs = nowMs;
  for (let user = 0; user < 4; user++)
    await one.scene.person(`user-${user}`, reachable(user) ? ['fcm'] : [], {
      tags: { plan: 'pro' },
    });
  const told = events.map(({ user, name, atMs }) => ({ name, user: `user-${user}`, at: atMs }));
  if (told.length > 0) await one.ask(...told);
  return one;
}

async function forecastIn(
  one: JourneyScene,
  id: string,
  days: number,
  eventsMax = forecastEventsMax,
): Promise<ForecastReply | null> {
  const { scene } = one;
  const facts: ForecastFacts = await scene.one.value(scene.app, 'journey.forecast_facts', {
    id,
    days,
  });
  const read = { app: scene.app, facts, stop: new StopFlag().word };
  return readForecast(read, eventLog(scene.one.store), noHistory, eventsMax);
}

const startMs = Date.UTC(2026, 3, 1, 12);
const days = 10;
const told = fc.record({
  user: fc.integer({ min: 0, max: 3 }),
  name: fc.constantFrom(...goalNames, 'begin', 'other'),
  atMs: fc.integer({ min: 1, max: 14 * 24 * 12 }).map((step) => startMs - step * 5 * minuteMs),
});

/** By hand: every person by themselves, every minute a wake may come at. */
function byHand(
  steps: readonly Step[],
  reentry: string,
  events: readonly PastEvent[],
  reachable: (user: number) => boolean,
) {
  const sends: number[] = [];
  let counts = { enrolled: 0, completed: 0, converted: 0 };
  for (let user = 0; user < 4; user++) {
    const walker = new NestedWalker(steps, {
      holds: (_person, tag) => tag === 'plan',
      send: (_person, nowMs) => {
        if (!reachable(user)) return 'suppressed';
        sends.push(nowMs);
        return 'sent';
      },
    });
    const theirs = events
      .filter((event) => event.user === user && event.atMs > startMs - days * dayMs)
      .toSorted((a, b) => a.atMs - b.atMs);
    const wakeUntil = (atMs: number) => {
      for (;;) {
        const next = Math.min(...[...walker.people.values()].map(({ pause }) => pause.untilMs));
        if (!(next <= atMs)) return;
        walker.wakeAll(next);
      }
    };
    for (const { name, atMs } of theirs) {
      wakeUntil(atMs);
      if (walker.people.has(user)) walker.hear(user, name, atMs, atMs);
      else if (name === 'begin' && (reentry === 'always' || !walker.ever.has(user))) {
        counts = { ...counts, enrolled: counts.enrolled + 1 };
        walker.enroll(user, atMs);
      }
    }
    wakeUntil(startMs);
    const ended = (what: string) => walker.log.filter((line) => line.includes(what)).length;
    counts = {
      ...counts,
      completed: counts.completed + ended('completed'),
      converted: counts.converted + ended('converted'),
    };
  }
  return { ...counts, sends };
}

t.test(
  'a forecast is what would have happened, exactly, for whoever an event enrolls',
  async (t) => {
    await fc.assert(
      fc.asyncProperty(
        graphs,
        fc.constantFrom('once' as const, 'always' as const),
        fc.array(told, { maxLength: 40 }),
        async (steps, reentry, given) => {
          const events = given.filter(
            (event, i) =>
              !given
                .slice(0, i)
                .some(({ user, atMs }) => user === event.user && atMs === event.atMs),
          );
          const reachable = (user: number) => user !== 3;
          const one = await sceneOf(events, startMs, reachable);
          const messageless = JSON.parse(
            JSON.stringify(steps).replaceAll(
              /"messageId":"[^"]*"/g,
              '"message":{"title":"T","body":"x"}',
            ),
          );
          const { id } = await one.journey(
            { triggerEvent: 'begin', reentry, steps: messageless },
            false,
          );
          const found = await forecastIn(one, id, days);
          const { sends, ...counts } = byHand(steps, reentry, events, reachable);
          const {
            note: _note,
            days: _days,
            exited,
            inFlow,
            sends: told,
            bySteps,
            ...rest
          } = found as ForecastReply;
          deepStrictEqual(rest, counts);
          deepStrictEqual(exited, 0);
          deepStrictEqual(inFlow, counts.enrolled - counts.completed - counts.converted);
          deepStrictEqual(told.total, sends.length);
          const perStep = Object.values(bySteps);
          deepStrictEqual(
            told.byDay.map((_, day) =>
              perStep.reduce((sum, { sentByDay }) => sum + (sentByDay[day] ?? 0), 0),
            ),
            told.byDay.map((day) => day.sends),
          );
          for (const { entered, sent, enteredByDay, sentByDay } of perStep) {
            deepStrictEqual(sum(enteredByDay), entered);
            deepStrictEqual(sum(sentByDay), sent);
          }
          for (const { day, sends: count } of told.byDay)
            deepStrictEqual(
              count,
              sends.filter((ms) => new Date(ms).toISOString().startsWith(day)).length,
              day,
            );
        },
      ),
      { numRuns: tries(150) },
    );
    t.pass('every random journey');
  },
);

t.test('a forecast sees the past that conditions look back on, and today’s policy', async (t) => {
  const at = (hours: number) => startMs - hours * hourMs;
  const events = [
    { user: 0, name: 'order', atMs: at(30) },
    { user: 0, name: 'begin', atMs: at(20) },
    { user: 1, name: 'begin', atMs: at(20) },
    { user: 2, name: 'begin', atMs: at(10) },
    { user: 2, name: 'order', atMs: at(9) },
  ];
  const one = await sceneOf(events, startMs, () => true);
  const { scene } = one;
  const steps = [
    {
      id: 'c',
      type: 'condition',
      filter: { event: 'order', withinDays: 1 },
      then: [send('bought'), goal('again', 'order', 5)],
      else: [send('offer'), goal('buy', 'order', 5), wait('w', 1), send('nudge')],
    },
  ];
  const { id } = await one.journey({ triggerEvent: 'begin', steps }, false);
  const seq = scene.one.partition.seq;
  t.match(await forecastIn(one, id, 1), {
    enrolled: 3,
    converted: 1,
    completed: 2,
    inFlow: 0,
    sends: { total: 4 },
    bySteps: { bought: { sent: 1 }, offer: { entered: 2, sent: 2 }, nudge: { sent: 1 } },
  });
  t.equal(scene.one.partition.seq, seq, 'nothing is written');
  await scene.one.value(scene.app, 'settings.patch', {
    patch: { caps: [{ max: 1, perHours: 48 }] },
  } as never);
  t.match(await forecastIn(one, id, 1), { sends: { total: 3 } }, 'one each');
  await scene.one.value(scene.app, 'settings.patch', {
    patch: {
      caps: [],
      quietHours: { start: '12:00', end: '11:00', timezone: 'UTC' },
    },
  } as never);
  const held = await forecastIn(one, id, 1);
  t.match(held?.sends.byDay, [{ sends: 0 }, { day: '2026-04-01', sends: held?.sends.total }]);
  t.equal(await forecastIn(one, id, 1, 4), null, 'more than may be held');
});

t.test(
  'entries into a segment by events are replayed, and the note says what is not',
  async (t) => {
    const at = (hours: number) => startMs - hours * hourMs;
    const order = (user: number, hours: number) => ({ user, name: 'order', atMs: at(hours) });
    const one = await sceneOf(
      [
        order(0, 40),
        order(0, 20),
        order(1, 20),
        order(1, 19),
        order(2, 100),
        order(2, 2),
        order(2, 1),
      ],
      startMs,
      () => true,
    );
    const { scene } = one;
    const segment = await scene.one.value(scene.app, 'segment.create', {
      name: 'often',
      filter: { event: 'order', withinDays: 1, atLeast: 2 },
    });
    const steps = [send('x')];
    const { id } = await one.journey({ triggerSegmentId: segment.id, steps }, false);
    const found = await forecastIn(one, id, 1);
    t.match(found, { enrolled: 3, sends: { total: 3 } });
    t.match(found?.note, /passing of time/);
    const accepted = acceptGraph(steps, { retentionDays: 90 }, noTemplates);
    t.ok('steps' in accepted && compileProgram(accepted.steps).operations.length === 2);
  },
);

function sum(days: readonly number[]): number {
  return days.reduce((total, n) => total + n, 0);
}
