import fc from 'fast-check';
import t from 'tap';
import { limits } from '../../../../actors/limits.ts';
import { MonthlyActive } from '../../../../actors/tenants/usage/monthly-active.ts';
import { utcMonthOf, utcMonthStart } from '../../../../engine/time/utc-month.ts';
import { tries } from '../../../support/tries.ts';

const start = utcMonthOf(Date.UTC(2025, 10, 1));

type Step =
  | { readonly step: 'touch'; readonly person: number }
  | { readonly step: 'merge'; readonly from: number; readonly into: number }
  | { readonly step: 'pass'; readonly months: number; readonly edge: number }
  | { readonly step: 'checkpoint' };

const person = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 70_000 }));
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ step: fc.constant('touch' as const), person }) },
  {
    weight: 3,
    arbitrary: fc.record({ step: fc.constant('merge' as const), from: person, into: person }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      step: fc.constant('pass' as const),
      months: fc.integer({ min: 1, max: 5 }),
      // The very last and the very first instant of a month, and one between.
      edge: fc.constantFrom(-1, 0, 1e9),
    }),
  },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('checkpoint' as const) }) },
);

t.test('it counts as many as a set of people a month has, whatever happens', async (t) => {
  let checked = 0;
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      let active = new MonthlyActive();
      const naive = new Map<number, Set<number>>();
      let nowMs = utcMonthStart(start);
      const here = () => {
        const month = utcMonthOf(nowMs);
        const set = naive.get(month) ?? new Set();
        naive.set(month, set);
        return set;
      };
      for (const one of steps) {
        if (one.step === 'touch') {
          active.touch(one.person, nowMs);
          here().add(one.person);
        } else if (one.step === 'merge') {
          active.merge(one.from, one.into, nowMs);
          if (here().delete(one.from)) here().add(one.into);
        } else if (one.step === 'pass') {
          nowMs = Math.max(nowMs, utcMonthStart(utcMonthOf(nowMs) + one.months) + one.edge);
        } else {
          active = MonthlyActive.restore(structuredClone(active.snapshot()));
        }
      }
      const now = utcMonthOf(nowMs);
      for (let month = now - limits.usageMonthsKept; month <= now; month++) {
        checked++;
        if (active.count(month) !== (naive.get(month)?.size ?? 0)) return false;
      }
      return true;
    }),
    { seed: 7, numRuns: tries(400) },
  );
  t.ok(checked > tries(4_000));
});

t.test('the months of usage are kept, and two more for a wrong clock', async (t) => {
  const active = new MonthlyActive();
  for (let month = start; month < start + 100; month++) active.touch(1, utcMonthStart(month));
  t.equal(active.snapshot().finished.length, limits.usageMonthsKept + 3);
});

t.test('a clock that was years ahead drops no month and begins none', async (t) => {
  const active = new MonthlyActive();
  for (let month = start; month < start + 14; month++) active.touch(1, utcMonthStart(month));
  const now = start + 13;
  active.touch(2, utcMonthStart(now));
  const before = active.counts();
  active.touch(1, utcMonthStart(now + 30));
  active.rebase(utcMonthStart(now) + 1);
  t.same(active.counts(), before, 'two people were active before');
  active.touch(3, utcMonthStart(now) + 2);
  active.touch(4, utcMonthStart(now) + 2);
  t.equal(active.count(now), 3, 'three since');
  active.touch(1, utcMonthStart(now + 1));
  t.equal(active.count(now), 3, 'and they stay when the month ends');
  t.equal(active.count(now + 1), 1);
});

t.test('a merge in a new month leaves the months that are over alone', async (t) => {
  const active = new MonthlyActive();
  active.touch(1, utcMonthStart(start));
  active.touch(2, utcMonthStart(start));
  active.merge(2, 1, utcMonthStart(start + 1)); // before anybody was active in that month
  t.equal(active.count(start), 2);
  t.equal(active.count(start + 1), 0);
});

t.test('somebody merged into themselves still counts', async (t) => {
  const active = new MonthlyActive();
  active.touch(3, utcMonthStart(start));
  active.merge(3, 3, utcMonthStart(start));
  t.equal(active.count(start), 1);
});

t.test('a checkpoint from before there was a meter has nobody', async (t) => {
  const active = MonthlyActive.restore(undefined);
  t.same(active.counts(), []);
  active.touch(3, utcMonthStart(start));
  t.same(active.counts(), [[start, 1]]);
});

t.test('a month keeps how many of its people nobody had vouched for at its end', async (t) => {
  const active = new MonthlyActive();
  for (const person of [1, 2, 3, 4]) active.touch(person, utcMonthStart(start));
  for (const person of [1, 2, 9]) active.noteUnvouched(person);
  t.equal(active.countUnvouched(start), 2, 'of the active people');
  active.vouch(1);
  active.touch(2, utcMonthStart(start + 1));
  const copy = MonthlyActive.restore(active.snapshot());
  for (const one of [active, copy]) {
    t.equal(one.countUnvouched(start), 1);
    t.equal(one.countUnvouched(start + 1), 1, 'still nobody');
    one.merge(2, 3, utcMonthStart(start + 1));
    t.equal(one.countUnvouched(start + 1), 0, 'they were somebody known');
    t.equal(one.countUnvouched(start), 1, 'a month that is over stays');
    t.ok(one.mayHaveUnvouched);
  }
  const { unvouched: _, finishedUnvouched: __, ...older } = active.snapshot();
  t.equal(MonthlyActive.restore(older).countUnvouched(start), 0, 'from before it was noted');
});
