// Scheduling, canceling and firing timers, and the cost of a pending one, as ratios to
// `setTimeout` in the same run.
// Run: node --expose-gc --import=tsx bench/timers.ts [timers = 1000000]

import { dayMs } from '../engine/base/brand.ts';
import { seededRng } from '../engine/base/rng.ts';
import { TimerWheel } from '../engine/time/timer-wheel.ts';

const timers = Number(process.argv[2] ?? 1_000_000);
const startMs = 1_763_700_000_000;
const spanMs = 30 * dayMs;
const rounds = 3;

interface Rates {
  readonly schedule: number;
  readonly cancel: number;
  readonly fire: number;
  readonly bytes: number;
  readonly worstScheduleMs: number;
  readonly snapshotMs: number;
  readonly restoreMs: number;
  readonly firstTurnMs: number;
}

/** Schedules over 30 days, cancels a tenth, snapshots, restores, fires in turns of 1,000. */
function runWheel(seed: number): Rates {
  const rng = seededRng(seed);
  const dueMs = Float64Array.from({ length: timers }, () =>
    Math.floor(startMs + (rng.uint32() / 2 ** 32) * spanMs),
  );
  const handles = new Float64Array(timers);
  const wheel = new TimerWheel();
  wheel.due(startMs, 1);

  let worstScheduleMs = 0;
  let began = performance.now();
  for (let first = 0; first < timers; first += 1000) {
    const sliceBegan = performance.now();
    for (let i = first; i < Math.min(first + 1000, timers); i++) {
      handles[i] = wheel.schedule(dueMs[i] as number, 7, i, i, 1, 2, 3);
    }
    worstScheduleMs = Math.max(worstScheduleMs, performance.now() - sliceBegan);
  }
  const schedule = perSecond(timers, began);
  const bytes = wheel.byteLength / timers;

  began = performance.now();
  for (let i = 0; i < timers; i += 10) wheel.cancel(handles[i] as number);
  const cancel = perSecond(timers / 10, began);

  began = performance.now();
  const snapshot = wheel.snapshot();
  const snapshotMs = performance.now() - began;
  began = performance.now();
  const restored = TimerWheel.restore(snapshot);
  const restoreMs = performance.now() - began;
  began = performance.now();
  restored.due(startMs, 1000);
  const firstTurnMs = performance.now() - began;

  const pending = wheel.count;
  began = performance.now();
  let fired = 0;
  for (let nowMs = startMs; nowMs <= startMs + spanMs; nowMs += 3_600_000) {
    for (;;) {
      const due = wheel.due(nowMs, 1000);
      for (const handle of due) wheel.remove(handle);
      fired += due.length;
      if (due.length < 1000) break;
    }
  }
  const fire = perSecond(fired, began);
  if (fired !== pending) throw new Error(`fired ${fired} of ${pending}`);
  return { schedule, cancel, fire, bytes, worstScheduleMs, snapshotMs, restoreMs, firstTurnMs };
}

function runSetTimeout(): number {
  const count = Math.min(timers, 200_000);
  const made: NodeJS.Timeout[] = [];
  const began = performance.now();
  for (let i = 0; i < count; i++) made.push(setTimeout(() => {}, 100_000_000 + i));
  const rate = perSecond(count, began);
  for (const timeout of made) clearTimeout(timeout);
  return rate;
}

function perSecond(count: number, beganMs: number): number {
  return count / ((performance.now() - beganMs) / 1000);
}

function millions(rate: number): string {
  return `${(rate / 1e6).toFixed(2)} M/s`;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

const wheels: Rates[] = [];
const timeouts: number[] = [];
for (let round = 0; round < rounds; round++) {
  wheels.push(runWheel(round));
  timeouts.push(runSetTimeout());
}
const of = (name: keyof Rates) => median(wheels.map((rates) => rates[name]));
const timeout = median(timeouts);
console.log(`${timers} timers over 30 days, median of ${rounds}`);
console.log(
  `schedule   ${millions(of('schedule'))}   ${(of('schedule') / timeout).toFixed(1)} x setTimeout`,
);
console.log(`cancel     ${millions(of('cancel'))}`);
console.log(`fire       ${millions(of('fire'))}   (due + remove, 1,000 a turn)`);
console.log(`setTimeout ${millions(timeout)}`);
console.log(`memory     ${of('bytes').toFixed(1)} bytes a pending timer`);
console.log(
  `worst 1,000 schedules ${of('worstScheduleMs').toFixed(2)} ms (memory grows by pages, nothing is copied)`,
);
console.log(
  `snapshot   ${of('snapshotMs').toFixed(0)} ms · restore ${of('restoreMs').toFixed(0)} ms · first turn after it ${of('firstTurnMs').toFixed(0)} ms`,
);
