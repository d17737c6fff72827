// The ordered map against a plain sorted list.

import fc from 'fast-check';
import t from 'tap';
import { OrderedMap } from '../../storage/ordered-map.ts';
import { tries } from '../support/tries.ts';

t.test('an ordered map does what a sorted list would', async (t) => {
  const name = fc.integer({ min: 0, max: 999 }).map((n) => String(n).padStart(3, '0'));
  const step = fc.record({ name, kind: fc.constantFrom('set', 'set', 'delete') });
  const bounds = fc.record({ low: name, high: name, reverse: fc.boolean() });
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 900, size: 'max' }),
      bounds,
      (steps, { low, high, reverse }) => {
        const map = new OrderedMap<number>();
        const model = new Map<string, number>();
        steps.forEach(({ name, kind }, i) => {
          if (kind === 'delete') t.equal(map.delete(name), model.delete(name));
          else {
            map.set(name, i);
            model.set(name, i);
          }
        });
        const expected = [...model].filter(([name]) => name >= low && name < high).sort();
        if (reverse) expected.reverse();
        t.equal(map.size, model.size);
        t.strictSame([...map.range(low, high, reverse)], expected);
      },
    ),
    { seed: 31, numRuns: tries(60) },
  );
});

t.test('keys that arrive in order, and go in order, are all found', async (t) => {
  const map = new OrderedMap<number>();
  const name = (i: number) => String(i).padStart(6, '0');
  for (let i = 0; i < 5000; i++) map.set(name(i), i);
  t.same(
    [...map.range(name(1000), name(1003))].map(([, i]) => i),
    [1000, 1001, 1002],
  );
  for (let i = 0; i < 4990; i++) t.equal(map.delete(name(i)), true);
  t.equal(map.delete(name(0)), false);
  t.same(
    [...map.range('', '~', true)].map(([, i]) => i),
    [4999, 4998, 4997, 4996, 4995, 4994, 4993, 4992, 4991, 4990],
  );
  for (let i = 4990; i < 5000; i++) map.delete(name(i));
  t.equal(map.size, 0);
  t.same([...map.range('', '~')], []);
});
