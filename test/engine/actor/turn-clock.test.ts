// Instants of turns: never backwards, downtime believed, jumps caught up with.

import fc from 'fast-check';
import t from 'tap';
import { TurnClock } from '../../../engine/actor/turn-clock.ts';

const jumpMs = 5 * 60_000;

function clocks() {
  const real = { wallMs: 1_000_000, monotonicMs: 50 };
  const jumps: number[] = [];
  const clock = new TurnClock(
    { now: () => real.wallMs, monotonic: () => real.monotonicMs },
    (aheadMs) => jumps.push(aheadMs),
  );
  return { real, jumps, clock };
}

t.test('the first instant is the wall clock, however long the server was down', async (t) => {
  const { clock, real, jumps } = clocks();
  t.equal(clock.now(10), real.wallMs);
  t.equal(
    new TurnClock({ now: () => 5, monotonic: () => 0 }, () => undefined).now(10),
    10,
    'or where time stood',
  );
  t.same(jumps, []);
});

t.test('a small step is taken, a jump is caught up with at five minutes a second', async (t) => {
  const { clock, real, jumps } = clocks();
  let last = clock.now(0);
  real.wallMs += jumpMs;
  last = clock.now(last);
  t.equal(last, real.wallMs);
  real.wallMs += jumpMs + 1;
  const before = last;
  last = clock.now(last);
  t.equal(last, before);
  t.ok(clock.isBehind);
  t.same(jumps, [jumpMs + 1]);
  real.wallMs += 1_000;
  real.monotonicMs += 1_000;
  last = clock.now(last);
  t.equal(last, before + 300_000);
  real.wallMs += 1_000;
  real.monotonicMs += 1_000;
  t.equal(clock.now(last), real.wallMs);
  t.notOk(clock.isBehind);
  t.equal(jumps.length, 1);
});

t.test('whatever the clocks do, instants never run backwards nor ahead of the wall', async () => {
  const step = fc.tuple(fc.integer({ min: -1e7, max: 1e9 }), fc.integer({ min: 0, max: 1e6 }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
      const { clock, real } = clocks();
      let last = clock.now(0);
      for (const [wall, monotonic] of steps) {
        real.wallMs = Math.max(0, real.wallMs + wall);
        real.monotonicMs += monotonic;
        const now = clock.now(last);
        if (now < last || now > Math.max(last, real.wallMs)) return false;
        last = now;
      }
      return true;
    }),
    { seed: 5, numRuns: 1_000 },
  );
});
