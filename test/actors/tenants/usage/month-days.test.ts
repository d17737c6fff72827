// The curve of a month: how many people had been active by the end of each day.

import fc from 'fast-check';
import t from 'tap';
import { MonthlyActive } from '../../../../actors/tenants/usage/monthly-active.ts';
import { dayMs, hourMs, type Millis } from '../../../../engine/base/brand.ts';
import { utcMonthOf, utcMonthStart } from '../../../../engine/time/utc-month.ts';
import { tries } from '../../../support/tries.ts';

const startMs = Date.UTC(2026, 0, 30, 5);

type Step =
  | { readonly step: 'touch'; readonly person: number }
  | { readonly step: 'merge'; readonly from: number; readonly into: number }
  | { readonly step: 'pass'; readonly hours: number }
  | { readonly step: 'checkpoint' };

const person = fc.integer({ min: 0, max: 30 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ step: fc.constant('touch' as const), person }) },
  {
    weight: 2,
    arbitrary: fc.record({ step: fc.constant('merge' as const), from: person, into: person }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      step: fc.constant('pass' as const),
      hours: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constantFrom(24, 24 * 12, 24 * 20)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('checkpoint' as const) }) },
);

/** The same by a set of people, counted at each midnight. */
class Naive {
  readonly months = new Map<number, (number | null)[]>();
  people = new Set<number>();
  /** Of its first activity on, as the meter knows nothing of earlier days. */
  hasBegun = false;

  pass(fromMs: Millis, toMs: Millis): void {
    for (let dayStart = midnight(fromMs); dayStart + dayMs <= toMs; dayStart += dayMs) {
      const month = utcMonthOf(dayStart);
      this.months.set(month, [...(this.months.get(month) ?? []), this.people.size]);
      if (utcMonthOf(dayStart + dayMs) !== month) this.people = new Set();
    }
  }

  /** Of the month of `nowMs`, whose first days were before the test began. */
  current(nowMs: Millis): readonly (number | null)[] {
    const month = utcMonthOf(nowMs);
    const before = month === utcMonthOf(startMs) ? dayOf(startMs) : 0;
    return [
      ...Array.from({ length: before }, () => 0),
      ...(this.months.get(month) ?? []),
      this.people.size,
    ];
  }
}

t.test('it counts as a set of people does at each midnight, whatever happens', async (t) => {
  let ended = 0;
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let active = new MonthlyActive();
      const naive = new Naive();
      let nowMs = startMs;
      for (const one of steps) {
        if (one.step === 'touch') {
          active.touch(one.person, nowMs);
          naive.people.add(one.person);
        } else if (one.step === 'merge') {
          active.merge(one.from, one.into, nowMs);
          if (naive.people.delete(one.from)) naive.people.add(one.into);
        } else if (one.step === 'pass') {
          const beforeMs = nowMs;
          nowMs += one.hours * hourMs;
          naive.pass(beforeMs, nowMs);
        } else active = MonthlyActive.restore(structuredClone(active.snapshot()));
        const days = active.countByDay(utcMonthOf(nowMs), nowMs);
        if (JSON.stringify(days) !== JSON.stringify(naive.current(nowMs))) return false;
        const before = utcMonthOf(nowMs) - 1;
        const finished = active.countByDay(before, nowMs);
        if (finished === undefined || before === utcMonthOf(startMs)) continue;
        ended++;
        if (JSON.stringify(finished) !== JSON.stringify(naive.months.get(before))) return false;
      }
      return true;
    }),
    { seed: 11, numRuns: tries(400) },
  );
  t.ok(ended > tries(50), `${ended} months had ended`);
});

t.test('days from before they were noted are unknown, and are so in the month alone', async (t) => {
  const old = new MonthlyActive();
  old.touch(1, startMs);
  const { days: _days, ...snapshot } = old.snapshot();
  const active = MonthlyActive.restore(snapshot);
  const january = Array.from({ length: 29 }, () => null);
  t.same(active.countByDay(utcMonthOf(startMs), startMs), [...january, 1]);
  active.touch(2, startMs + dayMs);
  t.same(active.countByDay(utcMonthOf(startMs), startMs + dayMs), [...january, null, 2]);
  const laterMs = startMs + 3 * dayMs;
  active.touch(2, laterMs);
  t.same(active.countByDay(utcMonthOf(laterMs), laterMs), [0, 1]);
});

t.test('days that a wrong clock ended go on', async (t) => {
  const active = new MonthlyActive();
  const atMs = Date.UTC(2026, 4, 10, 12);
  active.touch(1, atMs);
  active.touch(2, atMs + 5 * dayMs);
  active.rebase(atMs);
  active.touch(3, atMs + hourMs);
  const none = Array.from({ length: 9 }, () => 0);
  t.same(active.countByDay(utcMonthOf(atMs), atMs), [...none, 3]);
  active.touch(4, atMs + 40 * dayMs);
  active.rebase(atMs + dayMs);
  t.same(active.countByDay(utcMonthOf(atMs), atMs + dayMs), [...none, 3, 1]);
});

t.test('a copy from a checkpoint stays equal, also through a clock that was wrong', async (t) => {
  const back = fc.record({
    step: fc.constant('back' as const),
    hours: fc.integer({ min: 1, max: 1000 }),
  });
  let wentBack = 0;
  fc.assert(
    fc.property(fc.boolean(), fc.array(fc.oneof(step, back), { maxLength: 40 }), (isOld, steps) => {
      const first = new MonthlyActive();
      first.touch(1, startMs);
      const { days, ...older } = first.snapshot();
      let copy = MonthlyActive.restore(isOld ? older : { ...older, days: days ?? fail() });
      const active = MonthlyActive.restore(structuredClone(copy.snapshot()));
      let nowMs = startMs;
      for (const one of steps) {
        if (one.step === 'pass') nowMs += one.hours * hourMs;
        else if (one.step === 'checkpoint') copy = MonthlyActive.restore(copy.snapshot());
        else if (one.step === 'back') {
          nowMs = Math.max(startMs, nowMs - one.hours * hourMs);
          for (const either of [active, copy]) either.rebase(nowMs);
          wentBack++;
        } else
          for (const either of [active, copy]) {
            if (one.step === 'touch') either.touch(one.person, nowMs);
            else either.merge(one.from, one.into, nowMs);
          }
        const snapshots = [active, copy].map((either) => JSON.stringify(either.snapshot().days));
        if (snapshots[0] !== snapshots[1]) return false;
        const counts = [active, copy].map((either) => either.countByDay(utcMonthOf(nowMs), nowMs));
        if (JSON.stringify(counts[0]) !== JSON.stringify(counts[1])) return false;
      }
      return true;
    }),
    { seed: 12, numRuns: tries(600) },
  );
  t.ok(wentBack > 100, `${wentBack} times`);
});

function fail(): never {
  throw new Error('a snapshot has days');
}

function midnight(atMs: Millis): Millis {
  return Math.floor(atMs / dayMs) * dayMs;
}

function dayOf(atMs: Millis): number {
  return (midnight(atMs) - utcMonthStart(utcMonthOf(atMs))) / dayMs;
}
