// Instants of turns: never backwards, never standing still, downtime believed, jumps caught up
// with, and what nothing explains reported.

import fc from 'fast-check';
import t from 'tap';
import { TurnClock } from '../../../engine/actor/turn-clock.ts';
import { tries } from '../../support/tries.ts';

const jumpMs = 5 * 60_000;
const hourMs = 3_600_000;

function clocks() {
  const real = { wallMs: 1_700_000_000_000, monotonicMs: 50 };
  const jumps: number[] = [];
  const clock = new TurnClock(
    { now: () => real.wallMs, monotonic: () => real.monotonicMs },
    (aheadMs) => jumps.push(aheadMs),
  );
  const pass = (ms: number) => {
    real.wallMs += ms;
    real.monotonicMs += ms;
  };
  return { real, jumps, clock, pass };
}

t.test('the first instant is the wall clock, however long the server was down', async (t) => {
  const { clock, real, jumps } = clocks();
  t.equal(clock.now(10).nowMs, real.wallMs);
  const behind = new TurnClock({ now: () => 5, monotonic: () => 0 }, () => undefined).now(10);
  t.same(behind, { nowMs: 10, wallMs: 5, doubted: undefined }, 'or where time was');
  t.same(jumps, []);
});

t.test('a small step is taken, a jump is caught up with at five minutes a second', async (t) => {
  const { clock, real, jumps, pass } = clocks();
  let last = clock.now(0).nowMs;
  real.wallMs += jumpMs;
  last = clock.now(last).nowMs;
  t.equal(last, real.wallMs);
  real.wallMs += jumpMs + 1;
  const before = last;
  last = clock.now(last).nowMs;
  t.equal(last, before);
  t.ok(clock.isCatchingUp);
  t.same(jumps, [jumpMs + 1]);
  pass(1_000);
  last = clock.now(last).nowMs;
  t.equal(last, before + 300_000);
  pass(1_000);
  t.equal(clock.now(last).nowMs, real.wallMs);
  t.notOk(clock.isCatchingUp);
  t.equal(jumps.length, 1);
});

t.test(
  'time goes on while the wall clock is behind, and the wall clock comes closer',
  async (t) => {
    const { clock, real, pass } = clocks();
    let last = clock.now(0).nowMs;
    real.wallMs -= hourMs;
    const behind = clock.now(last);
    t.same(behind, { nowMs: last, wallMs: real.wallMs, doubted: undefined });
    let turns = 0;
    for (; last > real.wallMs && turns < 25 * 60; turns++) {
      pass(60_000);
      const { nowMs } = clock.now(last);
      if (nowMs < last + 57_000) t.fail(`${nowMs - last} ms in a minute`);
      last = nowMs;
    }
    t.equal(turns, 20 * 60, 'an hour in 20 hours');
    t.equal(last, real.wallMs);
  },
);

t.test('many short turns lose no time', async (t) => {
  const { clock, real } = clocks();
  let last = clock.now(0).nowMs;
  const first = last;
  real.wallMs -= hourMs;
  for (let turn = 0; turn < 10_000; turn++) {
    real.monotonicMs += 0.1;
    last = clock.now(last).nowMs;
  }
  t.match(String(last - first), /^9(49|50)$/);
});

t.test('an advance of more than an hour that nothing explains is reported once', async (t) => {
  const { real, clock, pass } = clocks();
  const start = real.wallMs;
  t.equal(clock.now(start - hourMs).doubted, undefined, 'an hour off');
  pass(3 * hourMs);
  t.equal(clock.now(start).doubted, undefined, 'hours without a turn');
  const at = real.wallMs;
  real.wallMs += 7 * hourMs;
  t.same(clock.now(at).doubted, { fromMs: at, toMs: real.wallMs }, 'a jump');
  pass(1_000);
  t.equal(clock.now(at).doubted, undefined, 'the same jump');
  real.wallMs -= 7 * hourMs;
  t.equal(clock.now(at).doubted, undefined, 'and back');

  const downFrom = real.wallMs - 120 * 24 * hourMs;
  const started = new TurnClock({ now: () => real.wallMs, monotonic: () => 1e9 }, () => undefined);
  t.same(started.now(downFrom).doubted, { fromMs: downFrom, toMs: real.wallMs }, 'a start');
  const founded = new TurnClock({ now: () => real.wallMs, monotonic: () => 1e9 }, () => undefined);
  t.equal(founded.now(0).doubted, undefined, 'the first start of all');
});

t.test('whatever the clocks do, instants never run backwards nor faster than a clock', async () => {
  const step = fc.tuple(fc.integer({ min: -1e7, max: 1e9 }), fc.integer({ min: 0, max: 1e6 }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
      const { clock, real } = clocks();
      let last = clock.now(0).nowMs;
      for (const [wall, monotonic] of steps) {
        real.wallMs = Math.max(0, real.wallMs + wall);
        real.monotonicMs += monotonic;
        const { nowMs, wallMs } = clock.now(last);
        if (nowMs < last + Math.floor(monotonic * 0.95) - 1) return false;
        if (nowMs > Math.max(last + monotonic, real.wallMs) || wallMs > nowMs) return false;
        last = nowMs;
      }
      return true;
    }),
    { seed: 5, numRuns: tries(1_000) },
  );
});
