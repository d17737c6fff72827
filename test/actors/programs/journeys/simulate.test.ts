// A walk on a virtual clock: its story line by line, what conditions see of the caller's events,
// and that it is the way that a live run goes.

import { deepStrictEqual } from 'node:assert';
import fc from 'fast-check';
import t from 'tap';
import { matches } from '../../../../actors/audiences/segments/evaluate.ts';
import { Traits } from '../../../../actors/audiences/segments/traits.ts';
import { limits } from '../../../../actors/limits.ts';
import { acceptGraph } from '../../../../actors/programs/journeys/graph.ts';
import { PersonAlone, type Walker } from '../../../../actors/programs/journeys/person-alone.ts';
import {
  compileProgram,
  filtersOf,
  type Program,
} from '../../../../actors/programs/journeys/program.ts';
import {
  simulate,
  type WalkedPerson,
  type WalkRequest,
} from '../../../../actors/programs/journeys/simulate.ts';
import { dayMs, hourMs, minuteMs } from '../../../../engine/base/brand.ts';
import { noTemplates } from '../../../support/step-templates.ts';
import { tries } from '../../../support/tries.ts';
import { goalNames, graphs } from './support/graphs.ts';
import { NestedWalker } from './support/nested-walker.ts';

const fromMs = Date.parse('2026-03-01T21:30:00Z');
const nobody: Walker = { createdMs: fromMs };

function programOf(steps: unknown): Program {
  const accepted = acceptGraph(steps, { retentionDays: 90 }, noTemplates);
  if ('fault' in accepted) throw new Error(accepted.fault.message);
  return compileProgram(accepted.steps);
}

/** A person alone, whose sends are held from 22:00 to 08:00 and suppressed from the third on. */
function walked(program: Program, walker: Walker): WalkedPerson {
  const own = new PersonAlone(walker, filtersOf(program));
  let sends = 0;
  return {
    test: (filter, atMs) => own.matches(filter, atMs),
    track: (name, atMs) => own.track(name, atMs),
    send: (_operation, _index, atMs) => {
      const hour = new Date(atMs).getUTCHours();
      const midnightMs = Math.floor(atMs / dayMs) * dayMs;
      if (hour >= 22)
        return { kind: 'held', untilMs: midnightMs + 32 * hourMs, reason: 'quiet_hours' };
      if (hour < 8)
        return { kind: 'held', untilMs: midnightMs + 8 * hourMs, reason: 'quiet_hours' };
      if (++sends > 2) return { kind: 'suppressed', reason: 'frequency_cap' };
      return { kind: 'sent' };
    },
  };
}

function story(steps: unknown, request: Partial<WalkRequest>, walker: Walker = nobody) {
  const program = programOf(steps);
  const walk = simulate(program, walked(program, walker), { fromMs, events: [], ...request });
  return walk.lines.map(({ atMs, what, step, untilMs, ...rest }) => {
    const until = untilMs === undefined ? [] : [`until ${clock(untilMs)}`];
    return [clock(atMs), what, step, ...until, ...Object.values(rest)].filter(Boolean).join(' ');
  });
}

/** Day of the walk and time of day. */
function clock(atMs: number): string {
  const day = Math.floor(atMs / dayMs) - Math.floor(fromMs / dayMs);
  return `${day}d ${new Date(atMs).toISOString().slice(11, 16)}`;
}

const send = (id: string) => ({ id, type: 'send', messageId: 'msg_1' });

t.test('the story of a walk says what would happen, step by step, with times', async (t) => {
  const steps = [
    send('welcome'),
    { id: 'hour', type: 'wait', hours: 1 },
    send('tips'),
    {
      id: 'bought?',
      type: 'condition',
      filter: { event: 'order', withinDays: 1 },
      then: [send('thanks')],
      else: [{ id: 'order', type: 'goal', event: 'order', timeoutHours: 2 }, send('nudge')],
    },
  ];
  t.same(story(steps, {}), [
    '0d 21:30 enrolled',
    '0d 21:30 entered welcome',
    '0d 21:30 sent welcome',
    '0d 21:30 entered hour',
    '0d 21:30 waits hour until 0d 22:30',
    '0d 22:30 entered tips',
    '0d 22:30 held tips until 1d 08:00 quiet_hours',
    '1d 08:00 sent tips',
    '1d 08:00 entered bought?',
    '1d 08:00 branched bought? else',
    '1d 08:00 entered order',
    '1d 08:00 waits order until 1d 10:00',
    '1d 10:00 timed_out order',
    '1d 10:00 entered nudge',
    '1d 10:00 suppressed nudge frequency_cap',
    '1d 10:00 completed',
  ]);
  const converted = story(steps, {
    events: [
      { name: 'visit', afterMinutes: 700 },
      { name: 'order', afterMinutes: 660 },
      { name: 'order', afterMinutes: 9000 },
    ],
  });
  t.same(converted.slice(-2), ['1d 08:30 event order', '1d 08:30 converted'], 'nothing after runs');
  t.same(story(steps, { events: [{ name: 'order', afterMinutes: 5 }] }).slice(5, -3), [
    '0d 21:35 event order',
    '0d 22:30 entered tips',
    '0d 22:30 held tips until 1d 08:00 quiet_hours',
    '1d 08:00 sent tips',
    '1d 08:00 entered bought?',
    '1d 08:00 branched bought? then',
  ]);
});

t.test(
  'conditions see the trigger, the events so far and none to come, and windows pass',
  async (t) => {
    const asked = (filter: unknown, afterDays: number, request: Partial<WalkRequest>) => {
      const steps = [
        { id: 'w', type: 'wait', days: afterDays },
        { id: 'c', type: 'condition', filter, then: [] },
      ];
      return story(steps, request).some((line) => line.endsWith('branched c then'));
    };
    const order = (afterMinutes: number) => ({ name: 'order', afterMinutes });
    const events = [order(0), order(60), order(60), order(1439)];
    const cases: readonly (readonly [filter: unknown, days: number, holds: boolean])[] = [
      [{ event: 'order', withinDays: 1 }, 1, true],
      [{ event: 'order', withinDays: 1 }, 2, false],
      [{ event: 'order', withinDays: 2 }, 2, true],
      [{ event: 'order', withinDays: 1, atLeast: 3 }, 1, true],
      [{ event: 'order', withinDays: 1, atLeast: 4 }, 1, false],
      [{ event: 'order', withinDays: 2, atLeast: 4 }, 1, true],
      [{ event: 'order', notWithinDays: 2 }, 3, true],
      [{ event: 'signup', withinDays: 30 }, 1, true],
      [{ event: 'journey_enrolled', withinDays: 30 }, 1, true],
      [{ event: 'visit', withinDays: 30 }, 1, false],
      [{ activeWithinDays: 1 }, 1, true],
      [{ activeWithinDays: 1 }, 3, false],
      [{ inactiveForDays: 2 }, 2, false],
      [{ inactiveForDays: 2 }, 3, true],
    ];
    for (const [filter, days, holds] of cases)
      t.equal(
        asked(filter, days, {
          events: [...events, { name: 'visit', afterMinutes: 9999 }],
          triggerEvent: 'signup',
        }),
        holds,
        `${JSON.stringify(filter)} after ${days} days`,
      );
  },
);

t.test('a person alone is to every filter who they are among the others', async () => {
  const names = ['order', 'visit', 'journey_enrolled'];
  const filters = [
    ...[1, 2, 7].flatMap((days) =>
      names.flatMap((event) => [
        { event, withinDays: days },
        { event, withinDays: days, atLeast: 2 },
        { event, notWithinDays: days },
      ]),
    ),
    { activeWithinDays: 1 },
    { inactiveForDays: 2 },
    { tag: 'plan', eq: 'pro' },
    { tag: 'likes', in: ['a'] },
    { tag: 'plan', exists: false },
    { channel: 'email' as const },
    { channel: 'sms' as const, exists: false },
  ];
  const happening = fc.tuple(fc.nat(2), fc.constantFrom(...names), fc.nat(9 * 24));
  const tags = fc.record(
    { plan: fc.constantFrom('pro', 'free'), likes: fc.subarray(['a', 'b']) },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(
      fc.array(happening, { maxLength: 12 }),
      fc.array(happening, { maxLength: 4 }),
      tags,
      fc.subarray(['email', 'sms'] as const),
      (before, later, own, reach) => {
        const traits = new Traits();
        for (const name of names) {
          traits.collect(name, 2);
          traits.becomeWhole(name);
        }
        for (let person = 0; person < 3; person++)
          traits.addPerson(person, fromMs - (10 - person) * dayMs);
        traits.setTags(1, own);
        traits.setReach(1, new Set(reach));
        for (const [who, name, hoursAgo] of before)
          traits.track(who, name, fromMs - hoursAgo * hourMs);
        const alone = new PersonAlone({ traits, person: 1, tags: own }, filters);
        for (const [, name, hours] of later) {
          alone.track(name, fromMs + hours * hourMs);
          traits.track(1, name, fromMs + hours * hourMs);
        }
        for (const nowMs of [fromMs, fromMs + 10 * dayMs])
          for (const filter of filters)
            deepStrictEqual(alone.matches(filter, nowMs), matches(filter, traits, 1, nowMs));
      },
    ),
    { seed: 9, numRuns: tries(300) },
  );
});

t.test('whoever is held for ever is left at their step', async (t) => {
  const program = programOf([send('never')]);
  const walk = simulate(
    program,
    {
      test: () => false,
      track: () => {},
      send: (_operation, _index, atMs) => ({
        kind: 'held',
        untilMs: atMs + 1,
        reason: 'daily_cap',
      }),
    },
    { fromMs, events: [] },
  );
  t.match(walk.outcome, { kind: 'waits', operation: 0 });
  t.ok(walk.lines.length <= limits.simulatedWakesMax + 3);
});

t.test('a simulated person goes the way that the steps say, for any graph and events', async () => {
  const events = fc.array(
    fc.record({ name: fc.constantFrom(...goalNames), afterMinutes: fc.nat(20_000) }),
    { maxLength: 8 },
  );
  const holds = (tag: string, nowMs: number) => (tag.length + Math.floor(nowMs / hourMs)) % 2 === 0;
  fc.assert(
    fc.property(graphs, events, (steps, coming) => {
      const oracle = new NestedWalker(steps, {
        holds: (_person, tag, nowMs) => holds(tag, nowMs),
        send: () => 'sent',
      });
      oracle.enroll(0, fromMs);
      const byTime = coming.toSorted((a, b) => a.afterMinutes - b.afterMinutes);
      const wakeUntil = (untilMs: number) => {
        for (;;) {
          const next = Math.min(...[...oracle.people.values()].map(({ pause }) => pause.untilMs));
          if (next > untilMs || next === Number.POSITIVE_INFINITY) return;
          oracle.wakeAll(next);
        }
      };
      for (const { name, afterMinutes } of byTime) {
        const atMs = fromMs + afterMinutes * minuteMs;
        wakeUntil(atMs);
        oracle.hear(0, name, atMs, atMs);
      }
      wakeUntil(Number.MAX_SAFE_INTEGER);
      const walk = simulate(
        compileProgram(steps),
        {
          test: (filter, atMs) => holds((filter as { tag: string }).tag, atMs),
          send: () => ({ kind: 'sent' }),
          track: () => {},
        },
        { fromMs, events: coming },
      );
      const lines = walk.lines
        .filter(({ what }) => what !== 'waits' && what !== 'event')
        .map(({ atMs, what, step, branch }) =>
          [atMs, 0, what, step, branch && branch === 'then']
            .filter((x) => x !== undefined)
            .join(' '),
        );
      deepStrictEqual(lines, oracle.log);
    }),
    { seed: 10, numRuns: tries(1000) },
  );
});
