// Ceilings by address, against a list of every instant at which something passed.

import * as fc from 'fast-check';
import t from 'tap';
import { AddressCeiling } from '../../../../http/call/admission/address-ceiling.ts';
import type { Hold } from '../../../../http/call/call-edge.ts';
import { tries } from '../../../support/tries.ts';

const startMs = 1_790_000_000_123;

t.test('in no 60 seconds does more pass than the limit, and never less than is free', async (t) => {
  const step = fc.record({
    waitMs: fc.oneof(fc.nat(900), fc.nat(70_000), fc.constantFrom(0, 1, 999, 59_999, 60_000)),
    calls: fc.integer({ min: 1, max: 12 }),
  });
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.array(step, { maxLength: 60 }),
        (limit, steps) => {
          const ceiling = new AddressCeiling(limit, 10);
          const passed: number[] = [];
          let nowMs = startMs;
          for (const { waitMs, calls } of steps) {
            nowMs += waitMs;
            for (let i = 0; i < calls; i++) {
              const before = ceiling.waitSeconds('a', nowMs);
              const wait = ceiling.take('a', nowMs);
              if (before !== wait) return false;
              const within = (ms: number) => passed.filter((at) => at > nowMs - ms).length;
              if (wait === 0) passed.push(nowMs);
              // A second's calls count until the last of them is a minute old.
              else if (within(61_000) < limit) return false;
              if (within(60_000) > limit) return false;
              if (wait > 60 || wait < 0 || !Number.isInteger(wait)) return false;
            }
          }
          return true;
        },
      ),
      { seed: 9, numRuns: tries(300) },
    ),
  );
});

t.test('a caller that waits as long as it was told passes', async (t) => {
  const ceiling = new AddressCeiling(3, 10);
  let nowMs = startMs;
  for (let i = 0; i < 30; i++) {
    const wait = ceiling.take('a', nowMs);
    if (wait > 0) {
      nowMs += wait * 1000;
      t.equal(ceiling.take('a', nowMs), 0);
    }
    nowMs += 700;
  }
});

t.test('asking takes nothing, and addresses have a ceiling each', async (t) => {
  const ceiling = new AddressCeiling(2, 10);
  for (let i = 0; i < 9; i++) t.equal(ceiling.waitSeconds('a', startMs), 0);
  t.equal(ceiling.addresses, 0, 'an address that only asks is not kept');
  t.equal(ceiling.take('a', startMs), 0);
  t.equal(ceiling.take('a', startMs), 0);
  t.equal(ceiling.take('a', startMs), 60);
  t.equal(ceiling.take('b', startMs), 0);
});

t.test('a clock that goes backwards lets nothing more pass', async (t) => {
  const ceiling = new AddressCeiling(1, 10);
  t.equal(ceiling.take('a', startMs), 0);
  t.equal(ceiling.take('a', startMs - 3_600_000), 60);
  t.equal(ceiling.take('a', startMs + 60_000), 0);
});

t.test('addresses are bounded; those beyond share counters, and those at rest go', async (t) => {
  const ceiling = new AddressCeiling(5, 50);
  let passed = 0;
  for (let i = 0; i < 500_000; i++) if (ceiling.take(`flood-${i}`, startMs) === 0) passed++;
  t.equal(ceiling.addresses, 50);
  t.equal(ceiling.overflows, 499_950);
  t.ok(passed <= 50 + 5 * 65_536, `the flood does not lift its own ceiling: ${passed}`);
  t.equal(ceiling.take('flood-0', startMs), 0, 'who has a place keeps it');
  for (let i = 0; i < 100; i++) ceiling.take(`calm-${i}`, startMs + 61_000 + i * 61_000);
  t.ok(ceiling.addresses < 50, `${ceiling.addresses}`);
});

t.test('what is held counts, and only what was used of it goes on counting', async (t) => {
  const ceiling = new AddressCeiling(10, 10);
  const holds: Hold[] = [];
  const hold = (wanted: number, nowMs: number) =>
    ceiling.hold('a', wanted, nowMs, (one) => holds.push(one));
  hold(4, startMs);
  hold(6, startMs);
  t.same(
    holds.map(({ count, waitSeconds }) => [count, waitSeconds]),
    [
      [4, 0],
      [6, 0],
    ],
  );
  hold(5, startMs);
  t.equal(holds.length, 2, 'it waits for what others hold');
  hold(1, startMs);
  t.equal(holds.length, 2, 'and nobody overtakes it');
  holds[0]?.release(4, startMs);
  t.equal(holds.length, 2, 'all of that was used');
  holds[1]?.release(1, startMs + 2_000);
  t.same(
    holds.slice(2).map(({ count }) => count),
    [5],
    'then what is wanted is free, and the next one waits again',
  );
  holds[2]?.release(5, startMs + 3_000);
  t.match(holds[3], { count: 0, waitSeconds: 57 }, 'nobody holds any more, so it is told at once');
  holds[3]?.release(0, startMs + 3_000);
  hold(9, startMs + 60_000);
  t.match(holds[4], { count: 4, waitSeconds: 2 }, 'the first four are a minute old');
  holds[4]?.release(0, startMs + 60_000);
  hold(10, startMs + 63_000);
  t.match(holds[5], { count: 10 });
  holds[5]?.release(0, startMs + 63_000);
  t.equal(ceiling.addresses, 0, 'who used nothing leaves no trace');
});

t.test('of concurrent holds no more is ever used in 60 seconds than the limit', async (t) => {
  const step = fc.record({
    waitMs: fc.oneof(fc.nat(900), fc.nat(30_000), fc.constantFrom(0, 59_999, 60_000)),
    address: fc.constantFrom('a', 'b', 'c'),
    wanted: fc.integer({ min: 1, max: 8 }),
    used: fc.nat(8),
    releases: fc.nat(3),
  });
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 80 }),
        fc.integer({ min: 1, max: 3 }),
        (steps, places) => {
          const limit = 8;
          // An address that was among those that share one ceiling may get one of its own
          // meanwhile.
          const most = places < 3 ? 2 * limit : limit;
          const ceiling = new AddressCeiling(limit, places);
          const made: { address: string; atMs: number; used: number }[] = [];
          const open: { hold: Hold; use: () => number }[] = [];
          let nowMs = startMs;
          let asked = 0;
          let told = 0;
          for (const { waitMs, address, wanted, used, releases } of steps) {
            nowMs += waitMs;
            asked++;
            ceiling.hold(address, wanted, nowMs, (hold) => {
              told++;
              const n = Math.min(used, hold.count);
              // Used as soon as it is held, the earliest that it can be.
              made.push({ address, atMs: nowMs, used: n });
              open.push({ hold, use: () => n });
            });
            for (let i = 0; i < releases; i++) {
              const first = open.shift();
              first?.hold.release(first.use(), nowMs);
            }
            for (const who of ['a', 'b', 'c']) {
              const recent = made.filter((one) => one.address === who && one.atMs > nowMs - 60_000);
              if (recent.reduce((sum, one) => sum + one.used, 0) > most) return false;
            }
          }
          for (let one = open.shift(); one !== undefined; one = open.shift())
            one.hold.release(one.use(), nowMs);
          return told === asked && ceiling.addresses <= places;
        },
      ),
      { seed: 10, numRuns: tries(300) },
    ),
  );
});

t.test('units: in no window more than the limit, what came late is waited for', async (t) => {
  for (const [window, windowMs] of [
    ['minute', 60_000],
    ['hour', 3_600_000],
  ] as const) {
    const ceiling = new AddressCeiling(10, 10, window);
    let nowMs = startMs;
    t.equal(ceiling.take('a', nowMs, 6), 0);
    nowMs += windowMs / 6;
    t.equal(ceiling.take('a', nowMs, 4), 0);
    t.equal(ceiling.take('a', nowMs, 6), (windowMs * 5) / 6 / 1000, 'until the first six are free');
    t.equal(ceiling.take('a', nowMs, 7), windowMs / 1000, 'until all are free');
    ceiling.count('a', nowMs, 20);
    nowMs = startMs + windowMs;
    t.equal(ceiling.take('a', nowMs), windowMs / 6 / 1000, 'debts');
    nowMs += windowMs / 6;
    t.equal(ceiling.take('a', nowMs, 10), 0);
  }
});
