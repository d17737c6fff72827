import fc from 'fast-check';
import t from 'tap';
import { RateMeter } from '../../../../actors/programs/campaigns/rate-meter.ts';
import { minuteMs, secondMs } from '../../../../engine/base/brand.ts';
import { tries } from '../../../support/tries.ts';

const startedMs = 1_790_000_000_250;

/** Waits before each count: within a second, within the window, and beyond it. */
const counts = fc.array(
  fc.record({
    waitMs: fc.oneof(
      fc.integer({ min: 0, max: 1_500 }),
      fc.integer({ min: 0, max: 20_000 }),
      fc.integer({ min: 0, max: 3 * minuteMs }),
    ),
    people: fc.integer({ min: 1, max: 500 }),
    restarts: fc.boolean(),
  }),
  { minLength: 1, maxLength: 60, size: 'max' },
);

t.test('the meter sums what a list of all counts would, whenever it is asked', async () => {
  fc.assert(
    fc.property(counts, fc.integer({ min: 0, max: 90 }), (all, secondsLater) => {
      let meter = new RateMeter();
      const told: { second: number; people: number }[] = [];
      let nowMs = startedMs;
      for (const { waitMs, people, restarts } of all) {
        nowMs += waitMs;
        meter.count(people, nowMs);
        told.push({ second: Math.floor(nowMs / secondMs), people });
        if (restarts) meter = RateMeter.restore(structuredClone(meter.snapshot()));
      }
      const second = Math.floor(nowMs / secondMs) + secondsLater;
      const sumSince = (first: number) =>
        told.reduce((sum, one) => sum + (one.second >= first ? one.people : 0), 0);
      const lasted = Math.min(10, second - Math.floor(startedMs / secondMs) + 1);
      const perSecond = sumSince(second - 9) / lasted;
      return (
        meter.inMinuteOf(second) === sumSince(second - 60) &&
        meter.inSecond(second) === sumSince(second) &&
        meter.perSecond(second * secondMs, startedMs) === perSecond
      );
    }),
    { numRuns: tries(1_000) },
  );
});
