// Columns and the sets that are filled from them: the kernels say what a plain loop says, wherever
// the values lie.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import t from 'tap';
import { Bitset } from '../../../engine/base/bitset.ts';
import { Column, type Width } from '../../../engine/columns/column.ts';
import { ColumnMemory } from '../../../engine/columns/memory.ts';
import {
  add,
  addEqual,
  addGreater,
  addOther,
  clear,
  copyIn,
  copyOut,
  countMembers,
  intersect,
  invert,
  type ScratchSet,
  scratchSets,
  unite,
} from '../../../engine/columns/sets.ts';
import { fileAt } from '../../support/places.ts';
import { tries } from '../../support/tries.ts';
import { kernelsText } from './make-kernels.ts';

t.test('kernels-wasm.ts is what kernels.wat compiles to', async (t) => {
  const written = fileAt('engine/columns/kernels-wasm.ts');
  t.equal(await kernelsText(), readFileSync(written, 'utf8'));
});

function membersOf(set: ScratchSet): number[] {
  const found: number[] = [];
  copyOut(set).forEach((value) => void found.push(value));
  return found;
}

const greatest = { 1: 0xff, 2: 0xffff, 4: 0xffffffff } as const;

t.test(
  'a scan finds exactly who a plain loop finds, in small columns and in large ones',
  async (t) => {
    const scan = fc.record({
      width: fc.constantFrom<Width>(1, 2, 4),
      // On both sides of the size from which columns lie where the kernels reach them.
      length: fc.oneof(fc.nat(300), fc.integer({ min: 3_900, max: 9_000 })),
      people: fc.integer({ min: 1, max: 9_000 }),
      seed: fc.nat(),
      kinds: fc.integer({ min: 1, max: 4 }),
    });
    fc.assert(
      fc.property(scan, ({ width, length, people, seed, kinds }) => {
        const column = new Column(width);
        const plain = new Array<number>(length).fill(0);
        // A few values again and again, the greatest among them: signs are where comparisons go
        // wrong.
        const values = [0, 1, greatest[width], greatest[width] - 7, 0x80].slice(0, kinds + 1);
        for (let i = 0; i < length; i++) {
          const value = values[(i * 2_654_435_761 + seed) % values.length] as number;
          column.reach(i);
          column.values[i] = value;
          plain[i] = value;
        }
        const sets = scratchSets();
        sets.begin(people, 3);
        const end = sets.at(0).words.length * 32;
        for (const value of values) {
          const found = (fill: (into: ScratchSet) => void) => {
            clear(sets.at(0));
            fill(sets.at(0));
            return membersOf(sets.at(0)).filter((i) => i < length);
          };
          const expected = (holds: (one: number) => boolean) =>
            plain.flatMap((one, i) => (holds(one) && i < end ? [i] : []));
          t.same(
            found((into) => addEqual(column, value, into)),
            expected((one) => one === value),
          );
          t.same(
            found((into) => addOther(column, value, into)),
            expected((one) => one !== value),
          );
          if (width === 4)
            t.same(
              found((into) => addGreater(column as Column<Uint32Array>, value, into)),
              expected((one) => one > value),
            );
        }
      }),
      { seed: 7, numRuns: tries(60) },
    );
  },
);

t.test('sets are joined as sets are', async (t) => {
  const numbers = fc.uniqueArray(fc.nat(999), { maxLength: 60 });
  fc.assert(
    fc.property(numbers, numbers, (one, other) => {
      const sets = scratchSets();
      sets.begin(1_000, 3);
      const [a, b, c] = [sets.at(0), sets.at(1), sets.at(2)];
      const refill = () => {
        for (const set of [a, b, c]) clear(set);
        for (const value of one) add(a, value);
        const bits = new Bitset(8);
        for (const value of other) bits.set(value);
        copyIn(bits, b);
      };
      const sorted = (values: readonly number[]) => [...new Set(values)].sort((x, y) => x - y);
      refill();
      t.equal(countMembers(a), one.length);
      intersect(a, b);
      t.same(membersOf(a), sorted(one.filter((value) => other.includes(value))));
      refill();
      unite(a, b);
      t.same(membersOf(a), sorted([...one, ...other]));
      refill();
      invert(a);
      t.equal(countMembers(a), a.words.length * 32 - one.length);
      t.same(membersOf(c), []);
    }),
    { seed: 11, numRuns: tries(100) },
  );
});

t.test('a column keeps its values while it grows and moves', async (t) => {
  const column = new Column<Uint32Array>(4);
  const others: Column[] = [];
  for (let i = 0; i < 50_000; i++) {
    column.reach(i);
    column.values[i] = i + 1;
    if (i % 5_000 === 0) {
      const other = new Column(2);
      other.reach(20_000);
      others.push(other);
    }
  }
  t.ok(column.offset > 0, 'it ended up where the kernels reach it');
  t.ok(
    column.values.every((value, i) => value === (i < 50_000 ? i + 1 : 0)),
    'and what was never written is 0',
  );
  t.same(column.trimmed().length, 50_000);
  const again = new Column<Uint32Array>(4);
  again.fill(column.trimmed());
  t.same(again.trimmed(), column.trimmed());
  t.notOk(others.some((other) => other.values.some((value) => value !== 0)));
});

t.test('memory that is given back is handed out again, zeroed, and never twice', async (t) => {
  const memory = new ColumnMemory();
  const first = memory.take(10_000);
  const second = memory.take(10_000);
  t.ok(first && second && first.offset !== second.offset);
  if (first === undefined) return;
  t.equal(first.bytes, 16_384);
  new Uint8Array(memory.buffer, first.offset, first.bytes).fill(7);
  memory.give(first);
  const again = memory.take(9_000);
  t.same(again, first);
  t.ok(new Uint8Array(memory.buffer, first.offset, first.bytes).every((byte) => byte === 0));
  t.not(memory.take(9_000)?.offset, first.offset);
  t.equal(memory.take(2 ** 33), undefined, 'more than there can be');
});
