// Counters that addresses beyond a full table share: strict for each of them, and a flood does not
// use up those of others.

import fc from 'fast-check';
import t from 'tap';
import { SharedCounters } from '../../../../http/call/admission/shared-counters.ts';
import { tries } from '../../../support/tries.ts';

const startMs = 1_790_000_000_000;

t.test('in no window does an address use more than the limit', async (t) => {
  const step = fc.record({
    waitMs: fc.oneof(fc.nat(30_000), fc.constantFrom(0, 59_999, 60_000)),
    units: fc.integer({ min: 1, max: 8 }),
    used: fc.nat(8),
    holds: fc.boolean(),
  });
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const limit = 8;
        const counters = new SharedCounters(limit, 60_000, 1);
        const made: { atMs: number; units: number }[] = [];
        let nowMs = startMs;
        for (const { waitMs, units, used, holds } of steps) {
          nowMs += waitMs;
          if (holds) {
            const hold = counters.hold('a', nowMs, units);
            if (hold.count > units) return false;
            made.push({ atMs: nowMs, units: Math.min(used, hold.count) });
            hold.release(used, nowMs);
          } else if (counters.take('a', nowMs, units) === 0) made.push({ atMs: nowMs, units });
          else if (counters.free('a', nowMs).count >= units) return false;
          const recent = made.filter((one) => one.atMs > nowMs - 60_000);
          if (recent.reduce((sum, one) => sum + one.units, 0) > limit) return false;
        }
        return true;
      }),
      { seed: 12, numRuns: tries(300) },
    ),
  );
});

t.test('a flood of addresses leaves newcomers nearly all of their limit', async (t) => {
  const counters = new SharedCounters(100, 60_000);
  for (let i = 0; i < 200_000; i++) counters.take(`flood-${i}`, startMs, 1);
  let least = 100;
  for (let i = 0; i < 1_000; i++)
    least = Math.min(least, counters.free(`visitor-${i}`, startMs).count);
  t.ok(least > 80, `${least}`);
});
