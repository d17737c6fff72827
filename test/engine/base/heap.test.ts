import fc from 'fast-check';
import t from 'tap';
import { Heap } from '../../../engine/base/heap.ts';
import { tries } from '../../support/tries.ts';

t.test(
  'a heap gives its items in order, and any of them can be taken out where it says it lies',
  async (t) => {
    const op = fc.record({ push: fc.boolean(), which: fc.nat(), limit: fc.nat(20) });
    fc.assert(
      fc.property(
        fc.array(op, { maxLength: 150 }),
        fc.array(fc.nat(9), { minLength: 150, maxLength: 150 }),
        (ops, keys) => {
          const positions = new Map<number, number>();
          const before = (a: number, b: number) => ((keys[a] ?? 0) - (keys[b] ?? 0) || a - b) < 0;
          const heap = new Heap({
            before,
            moved: (item, position) => positions.set(item, position),
          });
          const naive: number[] = [];
          ops.forEach(({ push, which, limit }, item) => {
            if (push || naive.length === 0) {
              heap.push(item);
              naive.push(item);
            } else {
              const [removed] = naive.splice(which % naive.length, 1);
              heap.removeAt(positions.get(removed ?? -1) ?? -1);
            }
            naive.sort((a, b) => (before(a, b) ? -1 : 1));
            if (heap.count !== naive.length || heap.first !== naive[0]) throw new Error('first');
            if (heap.leading(limit).join() !== naive.slice(0, limit).join())
              throw new Error('leading');
          });
        },
      ),
      { seed: 81, numRuns: tries(300) },
    );
    t.throws(() => new Heap({ before: () => true, moved: () => {} }).removeAt(0));
  },
);
