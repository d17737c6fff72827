// The walk's own corners: what the oracle's world never asks. And who listens for which event.

import t from 'tap';
import {
  enter,
  handleEvent,
  type Surroundings,
  wake,
} from '../../../../actors/programs/journeys/advance.ts';
import { JourneyListeners } from '../../../../actors/programs/journeys/listeners.ts';
import {
  compileProgram,
  goalEventsOf,
  longestWindowOf,
  type Program,
  stepOf,
} from '../../../../actors/programs/journeys/program.ts';
import type { JourneyRecord } from '../../../../actors/programs/journeys/records.ts';
import type { Step } from '../../../../actors/programs/journeys/steps.ts';
import { hourMs } from '../../../../engine/base/brand.ts';

const nowMs = Date.parse('2026-03-01T00:00:00Z');
const steps: readonly Step[] = [
  {
    id: 'asked',
    type: 'condition',
    filter: { event: 'order', withinDays: 7, atLeast: 3 },
    then: [{ id: 'hello', type: 'send', messageId: 'msg_1', channels: ['sms'] }],
    else: [],
  },
  { id: 'order', type: 'goal', event: 'order', timeoutHours: 2 },
];
const program = compileProgram(steps);
const around = (answers: Partial<Surroundings>): Surroundings => ({
  nowMs,
  test: () => true,
  send: () => ({ kind: 'sent' }),
  ...answers,
});

t.test('a program is plain data: each step in its place, the end behind them', async (t) => {
  t.same(JSON.parse(JSON.stringify(program)), {
    operations: [
      {
        kind: 'condition',
        step: 'asked',
        filter: { event: 'order', withinDays: 7, atLeast: 3 },
        conditions: 1,
        whenTrue: 1,
        whenFalse: 2,
      },
      { kind: 'send', step: 'hello', message: { messageId: 'msg_1' }, channels: ['sms'], next: 2 },
      { kind: 'goal', step: 'order', event: 'order', timeoutMs: 2 * hourMs, next: 3 },
      { kind: 'end' },
    ],
  });
  t.equal(stepOf(program, 1), 'hello');
  t.equal(stepOf(program, 3), undefined);
  t.equal(longestWindowOf(program), 7);
  t.same([...goalEventsOf(program)], ['order']);
});

t.test('a condition that cannot be told yet holds its person, and is entered once', async (t) => {
  const held = { kind: 'held', untilMs: nowMs + 1000, reason: 'counting' } as const;
  const first = enter(program, around({ test: () => held }));
  t.same(first, {
    happened: [
      { kind: 'entered', operation: 0 },
      { ...held, operation: 0 },
    ],
    outcome: { kind: 'waits', operation: 0, wakeMs: nowMs + 1000 },
  });
  const later = wake(program, 0, around({ nowMs: nowMs + 1000, test: () => false }));
  t.same(later, {
    happened: [
      { kind: 'branched', operation: 0, holds: false },
      { kind: 'entered', operation: 2 },
    ],
    outcome: { kind: 'waits', operation: 2, wakeMs: nowMs + 1000 + 2 * hourMs },
  });
});

t.test(
  'an event converts from the moment the goal is reached until just before its time is over',
  async (t) => {
    const standing = { operation: 2, wakeMs: nowMs + 2 * hourMs };
    const cases: readonly (readonly [name: string, atMs: number, converts: boolean])[] = [
      ['order', nowMs - 1, false],
      ['order', nowMs, true],
      ['order', nowMs + 2 * hourMs - 1, true],
      ['order', nowMs + 2 * hourMs, false],
      ['Order', nowMs, false],
    ];
    for (const [name, atMs, converts] of cases)
      t.equal(
        handleEvent(program, standing, { name, atMs })?.outcome.kind,
        converts ? 'converted' : undefined,
      );
    t.equal(
      handleEvent(program, { ...standing, operation: 1 }, { name: 'order', atMs: nowMs }),
      undefined,
    );
  },
);

t.test('a walk that could not end is a bug, not a loop', async (t) => {
  const circle: Program = {
    operations: [
      { kind: 'send', step: 'a', message: { messageId: 'm' }, next: 0 },
      { kind: 'end' },
    ],
  };
  t.throws(() => enter(circle, around({})), /leads forward/);
  t.throws(
    () => enter(program, around({ send: () => ({ kind: 'held', untilMs: nowMs, reason: 'now' }) })),
    /wakes after now/,
  );
  t.throws(() => wake(program, 9, around({})), /stands at an operation/);
});

t.test(
  'an event finds the live journeys that it enrolls in, and those that wait for it',
  async (t) => {
    const listeners = new JourneyListeners();
    const journey = (id: string, more: Partial<JourneyRecord>): JourneyRecord => ({
      id,
      number: 1,
      name: id,
      reentry: 'once',
      steps,
      active: true,
      program,
      createdMs: nowMs,
      updatedMs: nowMs,
      ...more,
    });
    listeners.put(journey('a', { triggerEvent: 'signup' }));
    listeners.put(journey('b', { triggerEvent: 'order' }));
    listeners.put(journey('c', { triggerEvent: 'visit', active: false }));
    t.same(listeners.to('order'), { triggered: new Set(['b']), waiting: new Set(['a', 'b']) });
    t.same(listeners.to('signup'), { triggered: new Set(['a']), waiting: new Set() });
    t.equal(listeners.to('visit'), undefined);
    listeners.put(journey('b', { triggerEvent: 'order', active: false }));
    listeners.remove('nobody');
    t.same(listeners.to('order'), { triggered: new Set(), waiting: new Set(['a']) });
    listeners.remove('a');
    t.equal(listeners.to('order'), undefined);
    t.equal(listeners.to('signup'), undefined);
  },
);
