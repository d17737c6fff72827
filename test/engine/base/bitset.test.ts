import fc from 'fast-check';
import t from 'tap';
import { Bitset } from '../../../engine/base/bitset.ts';
import { same } from '../../support/same.ts';
import { tries } from '../../support/tries.ts';

const number = fc.oneof(
  fc.integer({ min: 0, max: 100 }),
  fc.integer({ min: 0, max: 5000 }),
  fc.constantFrom(31, 32, 63, 64, 1023, 1024),
);
const numbers = fc.array(number, { maxLength: 80 });

const bitset = (values: Iterable<number>) => {
  const set = new Bitset(0);
  for (const value of values) set.set(value);
  return set;
};
const list = (set: Bitset) => {
  const out: number[] = [];
  set.forEach((value) => {
    out.push(value);
  });
  return out;
};
const sorted = (values: Iterable<number>) => [...new Set(values)].sort((a, b) => a - b);

t.test(
  'a bitset is a sorted set of numbers, also after a restore, and combines as sets do',
  async (t) => {
    fc.assert(
      fc.property(numbers, numbers, numbers, (left, right, gone) => {
        const set = bitset(left);
        const other = bitset(right);
        same(list(Bitset.restore(set.clone().snapshot())), sorted(left));
        same(list(set.clone().or(other)), sorted([...left, ...right]));
        same(list(set.clone().and(other)), sorted(left.filter((value) => right.includes(value))));
        same(
          list(set.clone().andNot(other)),
          sorted(left.filter((value) => !right.includes(value))),
        );
        for (const value of gone) set.clear(value);
        const rest = sorted(left.filter((value) => !gone.includes(value)));
        same(list(set), rest);
        same(set.count(), rest.length);
        same(set.isEmpty(), rest.length === 0);
        for (const value of [...gone, ...left, 9999]) {
          same(set.test(value), rest.includes(value));
          same(set.nextFrom(value), rest.find((each) => each >= value) ?? -1);
          same(set.previousFrom(value), rest.findLast((each) => each <= value) ?? -1);
        }
        same([...set.snapshot()], [...bitset(rest.toReversed()).snapshot()]);
      }),
      { seed: 71, numRuns: tries(400) },
    );
    t.pass();
  },
);

t.test('a restored set is its own, and grows', async (t) => {
  const set = bitset([5]);
  const snapshot = set.snapshot();
  set.set(6);
  const again = Bitset.restore(snapshot);
  again.set(70_000);
  t.same(list(again), [5, 70_000]);
  t.same(list(Bitset.restore(new Uint8Array(0))), []);
});

t.test('an audience of a million takes 125 KB', async (t) => {
  const set = new Bitset(1_000_000);
  for (let i = 0; i < 1_000_000; i++) set.set(i);
  t.equal(set.count(), 1_000_000);
  t.equal(set.byteLength, 125_000);
  t.equal(set.snapshot().length, 125_000);
});

t.test('the number of a rank is the one that a walk comes to', async (t) => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat({ max: 5_000 })), (numbers) => {
      const sorted = [...numbers].sort((one, other) => one - other);
      const set = bitset(sorted);
      for (const rank of [0, 1, 31, 32, 33, sorted.length - 1, sorted.length, sorted.length + 40])
        same(set.at(rank), sorted[rank] ?? -1);
    }),
  );
  t.equal(bitset([7]).at(-1), -1);
});
