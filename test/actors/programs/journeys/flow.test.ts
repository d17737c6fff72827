// Programs, rows, buckets and counters together against an oracle that walks the steps as they are
// nested: random graphs, people, times, events, pauses and restarts. And what becomes of runs when
// people are erased or merged.

import { deepStrictEqual, equal, ok } from 'node:assert';
import fc from 'fast-check';
import t from 'tap';
import {
  enter,
  type Surroundings,
  type WalkResult,
} from '../../../../actors/programs/journeys/advance.ts';
import { Flow } from '../../../../actors/programs/journeys/flow.ts';
import {
  compileProgram,
  type Program,
  stepOf,
  stepsOf,
} from '../../../../actors/programs/journeys/program.ts';
import type { Reentry } from '../../../../actors/programs/journeys/records.ts';
import type { Step } from '../../../../actors/programs/journeys/steps.ts';
import { Wakes } from '../../../../actors/programs/journeys/wakes.ts';
import { hourMs, minuteMs } from '../../../../engine/base/brand.ts';
import { tries } from '../../../support/tries.ts';
import { goalNames, graphs } from './support/graphs.ts';
import { NestedWalker, type World } from './support/nested-walker.ts';

const startMs = Date.parse('2026-03-01T00:00:00.123Z');
const people = [0, 1, 2, 77, 70_000];

/** Some of it changes with time alone, so that asking at another instant would show. */
const world: World = {
  holds: (person, tag, nowMs) => (person + tag.length + Math.floor(nowMs / hourMs)) % 3 === 0,
  send: (person, nowMs) => {
    const hour = Math.floor(nowMs / hourMs);
    if (hour % 5 === 0) return (hour + 1) * hourMs;
    return (hour + person) % 4 === 0 ? 'suppressed' : 'sent';
  },
};

/** The product's side: one journey of one app, as its actor would drive it. */
class Driven {
  readonly log: string[] = [];
  program: Program;
  flow: Flow;
  wakes: Wakes;

  constructor(steps: readonly Step[]) {
    this.program = compileProgram(steps);
    this.flow = new Flow(this.program);
    this.wakes = new Wakes(this.flow.runs);
  }

  enroll(person: number, nowMs: number, reentry: Reentry): boolean {
    if (!this.flow.mayEnroll(person, reentry)) return false;
    const advanced = enter(this.program, around(person, nowMs));
    this.log.push(`${nowMs} ${person} enrolled`);
    this.flow.enroll(person, nowMs, advanced);
    this.#fold(person, nowMs, advanced);
    return true;
  }

  /** Wakes everybody who is due, so many at a time, and says until when each of them had waited. */
  wakeAll(nowMs: number, max: number): number[] {
    const instants: number[] = [];
    while (this.wakes.nextMs <= nowMs) {
      const due = this.wakes.take(nowMs, max);
      ok(due.length <= max);
      for (const person of due) {
        const run = this.flow.runs.find(person);
        ok(run !== undefined && run.wakeMs <= nowMs, 'who is handed out is due');
        instants.push(run.wakeMs);
        const advanced = this.flow.wake(this.program, run, around(person, nowMs));
        this.flow.advance(person, advanced);
        this.#fold(person, nowMs, advanced);
      }
    }
    return instants;
  }

  hear(person: number, name: string, atMs: number, nowMs: number): void {
    const run = this.flow.runs.find(person);
    const advanced = run && this.flow.handleEvent(this.program, run, { name, atMs });
    if (advanced === undefined) return;
    this.flow.advance(person, advanced);
    this.#fold(person, nowMs, advanced);
  }

  restart(): void {
    const snapshot = this.flow.snapshot();
    this.program = JSON.parse(JSON.stringify(this.program));
    this.flow = Flow.restore(structuredClone(snapshot));
    deepStrictEqual(this.flow.snapshot(), snapshot);
    this.wakes = new Wakes(this.flow.runs);
  }

  #fold(person: number, nowMs: number, { happened, outcome }: WalkResult): void {
    for (const one of happened) {
      const more = one.kind === 'branched' ? ` ${one.holds}` : '';
      const step = stepOf(this.program, one.operation);
      this.log.push(`${nowMs} ${person} ${one.kind} ${step}${more}`);
    }
    if (outcome.kind === 'waits') this.wakes.add(person, outcome.wakeMs);
    else this.log.push(`${nowMs} ${person} ${outcome.kind}`);
  }
}

function around(person: number, nowMs: number): Surroundings {
  return {
    nowMs,
    test: (filter) => world.holds(person, (filter as { tag: string }).tag, nowMs),
    send: () => {
      const answer = world.send(person, nowMs);
      if (answer === 'sent') return { kind: 'sent' };
      if (answer === 'suppressed') return { kind: 'suppressed', reason: 'frequency_cap' };
      return { kind: 'held', untilMs: answer, reason: 'quiet_hours' };
    },
  };
}

/** Everything that is answered as stats, counted from what the oracle said happened. */
function recounted(oracle: NestedWalker, steps: readonly string[]) {
  const count = (pattern: RegExp) => oracle.log.filter((line) => pattern.test(line)).length;
  const standing = [...oracle.people.values()];
  const of = (id: string) => ({
    entered: count(new RegExp(` entered ${id}$`)),
    waiting: standing.filter(({ pause, isLeaving }) => !isLeaving && pause.step === id).length,
    sent: count(new RegExp(` sent ${id}$`)),
  });
  return {
    enrolled: count(/ enrolled$/),
    inFlow: oracle.people.size,
    completed: count(/ completed$/),
    converted: count(/ converted$/),
    exited: count(/ exited$/),
    bySteps: Object.fromEntries(steps.map((id) => [id, of(id)])),
  };
}

const anybody = fc.constantFrom(...people);
const action = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('enroll' as const), who: anybody }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('pass' as const),
      ms: fc.oneof(
        fc.constantFrom(0, 1, 999, 1000, minuteMs, hourMs - 1, hourMs, 24 * hourMs),
        fc.nat(100 * hourMs),
        fc.nat(800 * hourMs),
      ),
      max: fc.constantFrom(1, 2, 100),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('event' as const),
      who: anybody,
      name: fc.constantFrom(...goalNames),
      lateMs: fc.constantFrom(0, 0, 1, hourMs, -minuteMs),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'pause' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
);

t.test(
  'nobody goes another way than the steps say, whatever happens, and the counts are those of a recount',
  async () => {
    const reentries = fc.constantFrom<Reentry>('once', 'always');
    const actions = fc.array(action, { maxLength: 60 });
    fc.assert(
      fc.property(graphs, reentries, actions, (steps, reentry, script) => {
        const oracle = new NestedWalker(steps, world);
        const driven = new Driven(steps);
        const ids = stepsOf(driven.program);
        let nowMs = startMs;
        for (const one of script) {
          switch (one.kind) {
            case 'enroll': {
              const may =
                reentry === 'once' ? !oracle.ever.has(one.who) : !oracle.people.has(one.who);
              equal(driven.enroll(one.who, nowMs, reentry), may);
              if (may) oracle.enroll(one.who, nowMs);
              break;
            }
            case 'pass':
              nowMs += one.ms;
              deepStrictEqual(driven.wakeAll(nowMs, one.max), oracle.wakeAll(nowMs));
              break;
            case 'event':
              driven.hear(one.who, one.name, nowMs - one.lateMs, nowMs);
              oracle.hear(one.who, one.name, nowMs - one.lateMs, nowMs);
              break;
            case 'pause':
              driven.flow.pause(nowMs);
              oracle.pause();
              break;
            case 'restart':
              driven.restart();
              break;
          }
          const waits = [...oracle.people.values()].map(({ pause }) => pause.untilMs);
          ok(driven.wakes.nextMs <= Math.min(...waits), 'it never sleeps past a wake');
          // People who wake at one instant may come in any order.
          deepStrictEqual(sorted(driven.log), sorted(oracle.log));
          deepStrictEqual(driven.flow.stats, recounted(oracle, ids));
        }
      }),
      { seed: 5, numRuns: tries(2000) },
    );
  },
);

/** By instant and person, and otherwise as it was. */
function sorted(log: readonly string[]): string[] {
  const key = (line: string) => line.split(' ', 2).map(Number) as [number, number];
  return log.toSorted((a, b) => {
    const [[aMs, aWho], [bMs, bWho]] = [key(a), key(b)];
    return aMs - bMs || aWho - bWho;
  });
}

t.test('the oracle meets every kind of end and of happening', async (t) => {
  // A property over ways that nobody takes would hold as well.
  const seen = new Set<string>();
  for (const steps of fc.sample(graphs, { seed: 5, numRuns: tries(200) })) {
    const oracle = new NestedWalker(steps, world);
    let nowMs = startMs;
    for (let round = 0; round < 20; round++) {
      for (const person of people) if (!oracle.people.has(person)) oracle.enroll(person, nowMs);
      for (const name of goalNames) oracle.hear(people[round % 5] as number, name, nowMs, nowMs);
      if (round === 15) oracle.pause();
      nowMs += 7 * hourMs;
      oracle.wakeAll(nowMs);
    }
    for (const line of oracle.log) seen.add(line.split(' ')[2] as string);
  }
  t.same([...seen].sort(), [
    'branched',
    'completed',
    'converted',
    'enrolled',
    'entered',
    'exited',
    'held',
    'sent',
    'suppressed',
    'timed_out',
  ]);
});

const twoSteps: readonly Step[] = [
  { id: 'wait', type: 'wait', days: 2 },
  { id: 'order', type: 'goal', event: 'order', timeoutHours: 1 },
];

t.test(
  'a paused journey lets everybody exit at their next wake, even when it was changed and is live again',
  async (t) => {
    const driven = new Driven(twoSteps);
    driven.enroll(1, startMs, 'always');
    driven.flow.pause(startMs);
    t.equal(driven.flow.stats.inFlow, 1);
    t.same(driven.flow.stats.bySteps['wait'], { entered: 1, waiting: 0, sent: 0 });
    driven.program = compileProgram([
      { id: 'order', type: 'goal', event: 'visit', timeoutHours: 1 },
      { id: 'wait', type: 'wait', minutes: 1 },
    ]);
    driven.flow.adopt(driven.program);
    t.notOk(driven.enroll(1, startMs, 'always'), 'one run at a time, also of those who leave');
    t.ok(driven.enroll(2, startMs, 'always'), 'in the millisecond of the pause');
    driven.hear(1, 'visit', startMs, startMs);
    driven.hear(2, 'visit', startMs, startMs);
    driven.wakeAll(startMs + 48 * hourMs, 10);
    t.same(driven.flow.stats, {
      enrolled: 2,
      inFlow: 0,
      completed: 0,
      converted: 1,
      exited: 1,
      bySteps: {
        order: { entered: 1, waiting: 0, sent: 0 },
        wait: { entered: 1, waiting: 0, sent: 0 },
      },
    });
    t.ok(driven.enroll(1, startMs + 48 * hourMs, 'always'));
  },
);

t.test(
  'of two people who are one, one run goes on; a person who was erased leaves none',
  async (t) => {
    const driven = new Driven(twoSteps);
    const { flow } = driven;
    for (const person of [1, 2, 3]) driven.enroll(person, startMs + person, 'once');
    const before = flow.runs.find(1);
    flow.merge(1, 2);
    t.notOk(flow.runs.has(1));
    t.equal(flow.runs.find(2)?.enrolledMs, startMs + 2, 'the run of the one who stays');
    flow.merge(2, 9);
    t.match(flow.runs.find(9), {
      ...before,
      person: 9,
      enrolledMs: startMs + 2,
      wakeMs: startMs + 2 + 48 * hourMs,
    });
    t.notOk(flow.mayEnroll(9, 'once'), 'they were here already, under another number');
    flow.forget(3);
    flow.forget(4);
    t.match(flow.stats, { enrolled: 3, inFlow: 1, exited: 2, bySteps: { wait: { waiting: 1 } } });
    t.ok(flow.mayEnroll(3, 'once'));
  },
);
