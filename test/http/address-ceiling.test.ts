// Ceilings by address, against a list of every instant at which something passed.

import * as fc from 'fast-check';
import t from 'tap';
import { AddressCeiling } from '../../http/address-ceiling.ts';

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
      { seed: 9, numRuns: 300 },
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

t.test('addresses are bounded; those beyond share one ceiling, and those at rest go', async (t) => {
  const ceiling = new AddressCeiling(5, 50);
  let passed = 0;
  for (let i = 0; i < 1_000; i++) if (ceiling.take(`flood-${i}`, startMs) === 0) passed++;
  t.equal(ceiling.addresses, 50);
  t.equal(passed, 50 + 5, 'the flood does not lift its own ceiling');
  t.ok(ceiling.waitSeconds('yet another', startMs) > 0);
  t.equal(ceiling.take('flood-0', startMs), 0, 'who has a place keeps it');
  for (let i = 0; i < 100; i++) ceiling.take(`calm-${i}`, startMs + 61_000 + i * 61_000);
  t.ok(ceiling.addresses < 50, `${ceiling.addresses}`);
});
