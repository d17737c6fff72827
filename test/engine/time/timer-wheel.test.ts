import fc from 'fast-check';
import t from 'tap';
import { dayMs, hourMs, minuteMs } from '../../../engine/base/brand.ts';
import { TimerWheel } from '../../../engine/time/timer-wheel.ts';
import { same } from '../../support/same.ts';
import { tries } from '../../support/tries.ts';

const maxDueMs = 2 ** 46;

const startMs = 1_763_700_000_123;

interface Naive {
  readonly handle: number;
  readonly dueMs: number;
  readonly mark: number;
}

/** A sorted list: the wheel as anyone would first write it. */
class SortedTimers {
  list: Naive[] = [];

  add(timer: Naive): void {
    let at = this.list.length;
    while (at > 0 && (this.list[at - 1] as Naive).dueMs > timer.dueMs) at--;
    this.list.splice(at, 0, timer);
  }

  remove(handle: number): boolean {
    const before = this.list.length;
    this.list = this.list.filter((timer) => timer.handle !== handle);
    return this.list.length < before;
  }

  due(nowMs: number, limit: number): number[] {
    return this.list
      .filter((timer) => timer.dueMs <= nowMs)
      .slice(0, limit)
      .map((timer) => timer.handle);
  }
}

type Step =
  | { readonly kind: 'schedule'; readonly inMs: number; readonly copies: number }
  | { readonly kind: 'cancel'; readonly which: number }
  | {
      readonly kind: 'fire';
      readonly afterMs: number;
      readonly limit: number;
      readonly keep: boolean;
    }
  | { readonly kind: 'restart' };

/** Borders of the wheel's levels, as distances from now. */
const border = fc.constantFrom(2 ** 10, 2 ** 16, 2 ** 22, 2 ** 26, 2 ** 32, 2 ** 36, 2 ** 39);
const delay = fc.oneof(
  fc.constant(0),
  fc.integer({ min: -5000, max: 5000 }),
  fc.integer({ min: 0, max: 3 * 65_536 }),
  fc.integer({ min: 0, max: 3 * hourMs }),
  fc.integer({ min: 0, max: 60 * dayMs }),
  fc.integer({ min: -2 * dayMs, max: 10_000 * dayMs }),
  fc.tuple(border, fc.integer({ min: -3, max: 3 })).map(([far, near]) => far + near),
  fc.integer({ min: 2 ** 22 - 65_536, max: 2 ** 22 + 65_536 }),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('schedule' as const),
      inMs: delay,
      copies: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const), which: fc.nat() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('fire' as const),
      afterMs: delay,
      limit: fc.integer({ min: 0, max: 12 }),
      keep: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
);

t.test(
  'a wheel is a sorted list: same timers, same order, whatever is scheduled, canceled, fired or restarted',
  async () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        let wheel = new TimerWheel();
        const quiet = new TimerWheel(); // told of changes only, never asked for what is due
        const naive = new SortedTimers();
        const known: number[] = [];
        let nowMs = startMs;
        let mark = 0;
        for (const step of steps) {
          if (step.kind === 'schedule') {
            for (let copy = 0; copy < step.copies; copy++) {
              const dueMs = Math.max(0, nowMs + step.inMs);
              const handle = wheel.schedule(
                dueMs,
                40_000 + (mark % 1000),
                mark,
                4294967295,
                mark,
                0,
                7,
              );
              same(
                quiet.schedule(dueMs, 40_000 + (mark % 1000), mark, 4294967295, mark, 0, 7),
                handle,
              );
              naive.add({ handle, dueMs, mark });
              known.push(handle);
              mark++;
            }
          } else if (step.kind === 'cancel') {
            const handle = known[step.which % Math.max(1, known.length)] ?? 0;
            const expected = naive.remove(handle);
            same(wheel.cancel(handle), expected);
            same(quiet.cancel(handle), expected);
          } else if (step.kind === 'fire') {
            nowMs = Math.max(nowMs, nowMs + step.afterMs);
            const due = wheel.due(nowMs, step.limit);
            same(due, naive.due(nowMs, step.limit));
            same(wheel.due(nowMs, step.limit), due);
            for (const handle of step.keep ? [] : due) {
              const timer = naive.list.find((each) => each.handle === handle) as Naive;
              same(wheel.dueMs(handle), timer.dueMs);
              same(wheel.owner(handle), timer.mark);
              same(wheel.kind(handle), 40_000 + (timer.mark % 1000));
              same(
                [0, 1, 2, 3].map((i) => wheel.reference(handle, i as 0)),
                [4294967295, timer.mark, 0, 7],
              );
              wheel.remove(handle);
              quiet.remove(handle);
              naive.remove(handle);
            }
          } else {
            wheel = TimerWheel.restore(wheel.snapshot());
          }
          same(wheel.count, naive.list.length);
          same(wheel.nextDueMs(), naive.list[0]?.dueMs);
        }
        same(wheel.snapshot(), quiet.snapshot());
        same(wheel.due(maxDueMs, 1e6), naive.due(maxDueMs, 1e6));
      }),
      { seed: 7, numRuns: tries(400) },
    );
  },
);

t.test('a timer never fires a millisecond early, at any distance', async (t) => {
  for (const inMs of [
    0,
    1,
    999,
    1024,
    minuteMs,
    hourMs,
    69 * minuteMs,
    30 * dayMs,
    50 * dayMs,
    3650 * dayMs,
  ]) {
    const wheel = new TimerWheel();
    wheel.due(startMs, 1);
    const handle = wheel.schedule(startMs + inMs, 1, 2, 3, 4, 5, 6);
    for (let pauseMs = 1; pauseMs < inMs; pauseMs *= 3) t.same(wheel.due(startMs + pauseMs, 1), []);
    if (inMs > 0) t.same(wheel.due(startMs + inMs - 1, 1), []);
    t.same(wheel.due(startMs + inMs, 1), [handle]);
  }
});

t.test('a stale handle does nothing, also when its slot has another timer', async (t) => {
  const wheel = new TimerWheel();
  const first = wheel.schedule(startMs, 1, 1, 0, 0, 0, 0);
  t.ok(wheel.cancel(first));
  const second = wheel.schedule(startMs, 1, 2, 0, 0, 0, 0);
  t.not(second, first);
  t.notOk(wheel.cancel(first));
  t.notOk(wheel.has(first));
  t.throws(() => wheel.remove(first));
  t.throws(() => wheel.dueMs(first));
  t.ok(wheel.has(second));
  for (const nonsense of [0, -1, 0.5, Number.NaN, 2 ** 53, Number.POSITIVE_INFINITY])
    t.notOk(wheel.cancel(nonsense));
});

t.test(
  'a due time that is no whole millisecond before the year 4199, or too great a kind, is a bug',
  async (t) => {
    const wheel = new TimerWheel();
    for (const dueMs of [-1, 0.5, Number.NaN, maxDueMs])
      t.throws(() => wheel.schedule(dueMs, 1, 0, 0, 0, 0, 0));
    t.throws(() => wheel.schedule(0, 65_536, 0, 0, 0, 0, 0));
    const last = wheel.schedule(maxDueMs - 1, 65_535, 0, 0, 0, 0, 0);
    t.same(wheel.due(maxDueMs - 2, 9), []);
    t.same(wheel.due(maxDueMs * 2, 9), [last]);
  },
);

t.test('a clock that runs backwards fires nothing again and nothing early', async (t) => {
  const wheel = new TimerWheel();
  const early = wheel.schedule(startMs, 1, 0, 0, 0, 0, 0);
  wheel.due(startMs + hourMs, 1);
  const between = wheel.schedule(startMs + minuteMs, 1, 0, 0, 0, 0, 0);
  t.same(wheel.due(startMs - 1, 9), []);
  t.same(wheel.due(startMs, 9), [early]);
  t.same(wheel.due(startMs + minuteMs, 9), [early, between]);
});

t.test(
  '200,000 timers of one millisecond come out in order of scheduling and leave nothing behind',
  async (t) => {
    const wheel = new TimerWheel();
    wheel.due(startMs, 1);
    const handles: number[] = [];
    for (let i = 0; i < 200_000; i++)
      handles.push(wheel.schedule(startMs + dayMs, 1, i, 0, 0, 0, 0));
    t.equal(wheel.nextDueMs(), startMs + dayMs);
    let fired = 0;
    for (
      let due = wheel.due(startMs + dayMs, 5000);
      due.length > 0;
      due = wheel.due(startMs + dayMs, 5000)
    ) {
      for (const handle of due) {
        if (handle !== handles[fired++]) t.fail('out of order');
        wheel.remove(handle);
      }
    }
    t.equal(fired, 200_000);
    t.equal(wheel.nextDueMs(), undefined);
  },
);

t.test(
  'a timer for an instant whose timers already wait to be removed comes after them',
  async (t) => {
    const wheel = new TimerWheel();
    const waiting = wheel.schedule(startMs, 1, 0, 0, 0, 0, 0);
    t.same(wheel.due(startMs, 9), [waiting]);
    const late = [1, 2].map((owner) => wheel.schedule(startMs, 1, owner, 0, 0, 0, 0));
    const earlier = wheel.schedule(startMs - 1, 1, 3, 0, 0, 0, 0);
    t.same(wheel.due(startMs, 9), [earlier, waiting, ...late]);
  },
);
