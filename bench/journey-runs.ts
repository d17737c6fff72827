// Memory and speed of a million people in one live journey, enrolling and waking. No log and no
// sends. Baseline: objects in a map with a timer each in the engine's wheel.
// Run: node --expose-gc --import=tsx bench/journey-runs.ts [--people=1000000]

import { enter, type Surroundings, wake } from '../actors/programs/journeys/advance.ts';
import { Flow } from '../actors/programs/journeys/flow.ts';
import { acceptGraph } from '../actors/programs/journeys/graph.ts';
import { JourneyListeners } from '../actors/programs/journeys/listeners.ts';
import { compileProgram, type Program } from '../actors/programs/journeys/program.ts';
import type { Run } from '../actors/programs/journeys/runs.ts';
import { Wakes } from '../actors/programs/journeys/wakes.ts';
import { dayMs, hourMs, type Millis } from '../engine/base/brand.ts';
import { below, seededRng } from '../engine/base/rng.ts';
import { TimerWheel } from '../engine/time/timer-wheel.ts';
import { median, numberOption, printSummary } from './support/options.ts';

const people = numberOption('people', 1_000_000);
const rounds = 3;
const startMs = 1_763_700_000_123;
const perTurn = 1000;
/** Virtual time between two turns with wakes, so one turn covers a few seconds of them. */
const turnMs = 5000;

/** Rates are people per second. */
interface Result {
  readonly bytes: number;
  readonly enrolled: number;
  readonly woken: number;
  readonly longestTurnMs: number;
}

const program = programOf([
  { id: 'day', type: 'wait', days: 1 },
  {
    id: 'pro',
    type: 'condition',
    filter: { tag: 'plan', eq: 'pro' },
    then: [{ id: 'thanks', type: 'send', messageId: 'msg_a' }],
    else: [{ id: 'offer', type: 'send', messageId: 'msg_b', channels: ['fcm'] }],
  },
  { id: 'order', type: 'goal', event: 'order', timeoutHours: 24 },
  { id: 'nudge', type: 'send', messageId: 'msg_c' },
  { id: 'hours', type: 'wait', hours: 12 },
]);
/** Three wakes each; the first is spread over a day. */
const wakesEach = 3;
const sent = { kind: 'sent' } as const;

const rows: Result[] = [];
const objects: Result[] = [];
for (let round = 0; round < rounds; round++) {
  rows.push(ofRows());
  objects.push(ofObjects());
}
const of = (results: readonly Result[], name: keyof Result) =>
  median(results.map((result) => result[name]));
const restarts = restart();
const figures = {
  people,
  megabytes: (of(rows, 'bytes') * people) / 1e6,
  bytesPerRun: of(rows, 'bytes'),
  enrolledPerSecond: of(rows, 'enrolled'),
  wakesPerSecond: of(rows, 'woken'),
  longestTurnMs: Math.max(...rows.map((result) => result.longestTurnMs)),
  objectBytesPerRun: of(objects, 'bytes'),
  objectWakesPerSecond: of(objects, 'woken'),
  memoryRatio: of(objects, 'bytes') / of(rows, 'bytes'),
  wakesRatio: of(rows, 'woken') / of(objects, 'woken'),
  ...restarts,
  ...sharp(),
  ...looks(),
};
console.log(
  `${people.toLocaleString('en')} people, median of ${rounds}: ${figures.bytesPerRun.toFixed(1)} bytes each (${figures.memoryRatio.toFixed(1)} times less than objects and timers), ${perSecond(figures.enrolledPerSecond)} enroll, ${perSecond(figures.wakesPerSecond)} wake (${figures.wakesRatio.toFixed(2)} x), no turn over ${figures.longestTurnMs.toFixed(1)} ms`,
);
console.log(
  `snapshot ${figures.snapshotMs.toFixed(0)} ms · restore ${figures.restoreMs.toFixed(0)} ms · wakes found again in ${figures.lookMs.toFixed(0)} ms, ${figures.lookTurnMs.toFixed(1)} a turn`,
);
console.log(
  `all at one instant: ${perSecond(figures.sharpPerSecond)}, no turn over ${figures.sharpTurnMs.toFixed(1)} ms, ${figures.sharpMegabytes.toFixed(1)} MB with their bucket`,
);
console.log(
  `an event: ${figures.unheardNanoseconds.toFixed(0)} ns when nobody waits for its name, ${figures.heardNanoseconds.toFixed(0)} ns with a look for its person`,
);
printSummary('journey-runs', figures);

function ofRows(): Result {
  const flow = new Flow(program);
  const wakes = new Wakes(flow.runs);
  const enrolled = enrolling((person, nowMs) => {
    const advanced = enter(program, around(person, nowMs));
    flow.enroll(person, nowMs, advanced);
    if (advanced.outcome.kind === 'waits') wakes.add(person, advanced.outcome.wakeMs);
  });
  const bytes = (flow.byteLength + wakes.byteLength) / people;
  let nowMs = startMs + dayMs;
  let woken = 0;
  let longestTurnMs = 0;
  const began = performance.now();
  while (flow.runs.count > 0) {
    nowMs = Math.max(nowMs, wakes.nextMs);
    const turnBegan = performance.now();
    const due = wakes.take(nowMs, perTurn);
    for (const person of due) {
      const run = flow.runs.find(person) as Run;
      const advanced = flow.wake(program, run, around(person, nowMs));
      flow.advance(person, advanced);
      if (advanced.outcome.kind === 'waits') wakes.add(person, advanced.outcome.wakeMs);
    }
    longestTurnMs = Math.max(longestTurnMs, performance.now() - turnBegan);
    woken += due.length;
    if (wakes.nextMs > nowMs) nowMs += turnMs;
  }
  checked(woken, flow.stats.completed);
  return { bytes, enrolled, woken: rate(woken, began), longestTurnMs };
}

/** The baseline: an object and a timer per person. */
function ofObjects(): Result {
  const wheel = new TimerWheel();
  wheel.due(startMs, 1);
  globalThis.gc?.();
  const before = process.memoryUsage();
  const runs = new Map<number, { operation: number; wakeMs: number; enrolledMs: number }>();
  const enrolled = enrolling((person, nowMs) => {
    const { outcome } = enter(program, around(person, nowMs));
    if (outcome.kind !== 'waits') return;
    const { operation, wakeMs } = outcome;
    runs.set(person, { operation, wakeMs, enrolledMs: nowMs });
    wheel.schedule(wakeMs, 7, person, person, 1, 2, 3);
  });
  globalThis.gc?.();
  const after = process.memoryUsage();
  const heap = after.heapUsed - before.heapUsed;
  const bytes = (heap + wheel.byteLength) / people;
  let nowMs = startMs + dayMs;
  let woken = 0;
  let completed = 0;
  let longestTurnMs = 0;
  const began = performance.now();
  while (runs.size > 0) {
    const turnBegan = performance.now();
    const due = wheel.due(nowMs, perTurn);
    for (const handle of due) {
      const person = wheel.reference(handle, 0);
      wheel.remove(handle);
      const run = runs.get(person);
      if (run === undefined) continue;
      woken++;
      const { outcome } = wake(program, run.operation, around(person, nowMs));
      if (outcome.kind === 'waits') {
        runs.set(person, { ...run, operation: outcome.operation, wakeMs: outcome.wakeMs });
        wheel.schedule(outcome.wakeMs, 7, person, person, 1, 2, 3);
      } else {
        runs.delete(person);
        completed++;
      }
    }
    longestTurnMs = Math.max(longestTurnMs, performance.now() - turnBegan);
    if (due.length < perTurn) nowMs += turnMs;
  }
  checked(woken, completed);
  return { bytes, enrolled, woken: rate(woken, began), longestTurnMs };
}

function restart() {
  const flow = full(() => startMs);
  let began = performance.now();
  const snapshot = flow.snapshot();
  const snapshotMs = performance.now() - began;
  began = performance.now();
  const restored = Flow.restore(snapshot);
  const restoreMs = performance.now() - began;
  const wakes = new Wakes(restored.runs);
  began = performance.now();
  let lookTurnMs = 0;
  while (wakes.nextMs === 0) {
    const turnBegan = performance.now();
    wakes.take(startMs, perTurn);
    lookTurnMs = Math.max(lookTurnMs, performance.now() - turnBegan);
  }
  return { snapshotMs, restoreMs, lookMs: performance.now() - began, lookTurnMs };
}

/** Everyone wakes at one instant, as after quiet hours. */
function sharp() {
  const flow = full(() => startMs);
  const wakes = new Wakes(flow.runs);
  const nowMs = startMs + dayMs;
  let sharpTurnMs = 0;
  let bytes = 0;
  const began = performance.now();
  while (wakes.nextMs <= nowMs) {
    const turnBegan = performance.now();
    for (const person of wakes.take(nowMs, perTurn)) {
      const run = flow.runs.find(person) as Run;
      flow.advance(person, flow.wake(program, run, around(person, nowMs)));
    }
    sharpTurnMs = Math.max(sharpTurnMs, performance.now() - turnBegan);
    bytes = Math.max(bytes, flow.byteLength + wakes.byteLength);
  }
  return { sharpPerSecond: rate(people, began), sharpTurnMs, sharpMegabytes: bytes / 1e6 };
}

function looks() {
  const flow = full((person) => startMs + person);
  const listeners = new JourneyListeners();
  listeners.put({
    id: 'jrn_1',
    number: 1,
    name: 'bench',
    triggerEvent: 'signup',
    reentry: 'once',
    steps: [],
    active: true,
    program,
    createdMs: startMs,
    updatedMs: startMs,
  });
  const rng = seededRng(4);
  const who = Uint32Array.from({ length: people }, () => below(rng, people));
  const names = Array.from({ length: 16 }, (_, i) => `event ${i}`);
  let began = performance.now();
  let heard = 0;
  for (let i = 0; i < people; i++)
    if (listeners.to(names[i % names.length] as string) !== undefined) heard++;
  const unheard = performance.now() - began;
  began = performance.now();
  for (const person of who) {
    if (listeners.to('order') === undefined) continue;
    const run = flow.runs.find(person) as Run;
    const event = { name: 'order', atMs: startMs + hourMs };
    if (flow.handleEvent(program, run, event) === undefined) heard++;
  }
  if (heard !== people) throw new Error(`${heard} of ${people} waited for the first day to pass`);
  const each = (ms: number) => (ms / people) * 1e6;
  return {
    unheardNanoseconds: each(unheard),
    heardNanoseconds: each(performance.now() - began),
  };
}

function full(enrolledMs: (person: number) => Millis): Flow {
  const flow = new Flow(program);
  for (let person = 0; person < people; person++) {
    const nowMs = enrolledMs(person);
    flow.enroll(person, nowMs, enter(program, around(person, nowMs)));
  }
  return flow;
}

/** Enrolls everyone at random instants of a day; returns the rate per second. */
function enrolling(enroll: (person: number, nowMs: Millis) => void): number {
  const rng = seededRng(3);
  const began = performance.now();
  for (let person = 0; person < people; person++) enroll(person, startMs + below(rng, dayMs));
  return rate(people, began);
}

function around(person: number, nowMs: Millis): Surroundings {
  return {
    nowMs,
    test: () => person % 3 === 0,
    send: () => sent,
  };
}

function checked(woken: number, completed: number): void {
  if (woken !== people * wakesEach || completed !== people)
    throw new Error(`${woken} wakes and ${completed} completed of ${people} people`);
}

function programOf(steps: unknown): Program {
  const accepted = acceptGraph(steps, { retentionDays: 90 }, (_named, content) => ({ content }));
  if ('fault' in accepted) throw new Error(accepted.fault.message);
  return compileProgram(accepted.steps);
}

function rate(count: number, beganMs: number): number {
  return count / ((performance.now() - beganMs) / 1000);
}

function perSecond(count: number): string {
  return `${Math.round(count).toLocaleString('en')}/s`;
}
