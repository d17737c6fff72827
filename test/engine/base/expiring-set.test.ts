import fc from 'fast-check';
import t from 'tap';
import { ExpiringSet } from '../../../engine/base/expiring-set.ts';
import { seededRng } from '../../../engine/base/rng.ts';
import { tries } from '../../support/tries.ts';

const windowHours = 24;

const op = fc.record({
  high: fc.constantFrom(0, 1, 0x80000000, 0xffffffff, 0x12345678),
  low: fc.constantFrom(0, 2, 3, 0xffffffff),
  forward: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.integer({ min: -2, max: 30 })),
  restart: fc.boolean(),
});

t.test(
  'with room for all, an id is known in its hour and the 24 after it, and never later',
  async (t) => {
    fc.assert(
      fc.property(fc.array(op, { maxLength: 200 }), (ops) => {
        let set = new ExpiringSet(100_000);
        const naive = new Map<string, number>();
        let hour = 490_000;
        let latest = hour;
        for (const { high, low, forward, restart } of ops) {
          hour += forward;
          latest = Math.max(latest, hour);
          const name = `${high}/${low}`;
          const since = naive.get(name);
          const known = since !== undefined && since >= latest - windowHours;
          if (set.has(high, low, latest) !== known) throw new Error(`has ${name}`);
          if (set.addIfAbsent(high, low, hour) === known) throw new Error(`add ${name}`);
          if (!known) naive.set(name, latest);
          if (restart) set = ExpiringSet.restore(set.snapshot());
          const live = [...naive.values()].filter((since) => since >= latest - windowHours).length;
          if (set.count !== live) throw new Error(`${set.count} is not ${live}`);
          if (set.effectiveWindowHours() !== windowHours) throw new Error('window');
        }
      }),
      { seed: 31, numRuns: tries(400) },
    );
    t.pass();
  },
);

t.test(
  'over capacity the newest stay: at least 63 of 64 parts of it, and the effective window says since when',
  async (t) => {
    const capacity = 6400;
    const set = new ExpiringSet(capacity);
    const rng = seededRng(4);
    const added: { high: number; low: number; hour: number }[] = [];
    for (let i = 0; i < 40_000; i++) {
      const id = { high: rng.uint32(), low: rng.uint32(), hour: 1000 + Math.floor(i / 2000) };
      if (!set.addIfAbsent(id.high, id.low, id.hour)) t.fail('a fresh id was known');
      added.push(id);
      if (set.count > capacity) t.fail('over capacity');
      if (i > capacity && set.count < (capacity * 63) / 64 - 1) t.fail(`only ${set.count}`);
      if (i % 997 === 0 && i > 20_000) {
        const newest = added.slice(-Math.floor((capacity * 63) / 64) + 1);
        if (!newest.every((each) => set.has(each.high, each.low, id.hour)))
          t.fail('a new id was dropped');
        const since = id.hour - set.effectiveWindowHours();
        const promised = added.filter((each) => each.hour >= since && each.hour < id.hour);
        if (!promised.every((each) => set.has(each.high, each.low, id.hour)))
          t.fail('the window promises too much');
      }
    }
    t.ok(
      set.effectiveWindowHours() >= 2 && set.effectiveWindowHours() < 4,
      `${set.effectiveWindowHours()} hours`,
    );
  },
);

t.test('a set that is restarted at any time goes on as one that was not', async (t) => {
  const rng = seededRng(6);
  let restarted = new ExpiringSet(2000);
  const running = new ExpiringSet(2000);
  for (let i = 0; i < 30_000; i++) {
    const high = rng.uint32() % 5000;
    const hour = Math.floor(i / 700);
    if (
      running.addIfAbsent(high * 800_000, high, hour) !==
      restarted.addIfAbsent(high * 800_000, high, hour)
    )
      t.fail('differs');
    running.has(rng.uint32(), 1, hour);
    if (i % 1500 === 0) restarted = ExpiringSet.restore(restarted.snapshot());
  }
  t.same(restarted.snapshot(), running.snapshot());
});

t.test('a million ids take at most 13 bytes each', async (t) => {
  const set = new ExpiringSet(2_000_000);
  const rng = seededRng(8);
  for (let i = 0; i < 1_000_000; i++) set.addIfAbsent(rng.uint32(), rng.uint32(), 5);
  t.ok(set.byteLength / set.count <= 13, `${set.byteLength / set.count} bytes`);
  for (let hour = 6; hour < 31; hour++)
    for (let i = 0; i < 2000; i++) set.addIfAbsent(rng.uint32(), rng.uint32(), hour);
  t.ok(
    set.byteLength < 3_000_000,
    `${set.byteLength} bytes are held for ${set.count} ids after the hour expired`,
  );
});
