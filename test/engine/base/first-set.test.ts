import fc from 'fast-check';
import t from 'tap';
import { FirstSet } from '../../../engine/base/first-set.ts';
import { tries } from '../../support/tries.ts';

t.test('a first-set knows the least member from any number on', async (t) => {
  const op = fc.record({
    add: fc.boolean(),
    value: fc.nat(4999),
    from: fc.nat(4999),
    to: fc.nat(5000),
  });
  fc.assert(
    fc.property(fc.array(op, { maxLength: 100 }), (ops) => {
      const set = new FirstSet(5000);
      const naive = new Set<number>();
      for (const { add, value, from, to } of ops) {
        if (add) {
          set.add(value);
          naive.add(value);
        } else {
          set.delete(value);
          naive.delete(value);
        }
        const expected = Math.min(...[...naive].filter((each) => each >= from && each < to));
        if (set.from(from, to) !== (expected === Number.POSITIVE_INFINITY ? -1 : expected))
          throw new Error('first');
      }
    }),
    { seed: 82, numRuns: tries(300) },
  );
  t.pass();
});
