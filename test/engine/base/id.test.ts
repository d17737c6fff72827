import fc from 'fast-check';
import t from 'tap';
import { formatId, newId, newIdRun, parseId } from '../../../engine/base/id.ts';
import { type Rng, seededRng } from '../../../engine/base/rng.ts';
import { tries } from '../../support/tries.ts';

const anySeed = fc.integer({ min: 0, max: 2 ** 31 - 1 });
/** How much later each id is made, and of how many in a row. */
const anyLife = fc.array(
  fc.tuple(fc.constantFrom(0, 0, 0, 1, 700), fc.constantFrom(1, 1, 1, 1_024)),
  { minLength: 1, maxLength: 60 },
);
const startMs = 1_790_000_000_000;

/** The 48 bits after the time. */
function bitsOf({ high16, low32 }: { readonly high16: number; readonly low32: number }): number {
  return high16 * 2 ** 32 + low32;
}

/** Gives these numbers in turn, again and again. */
function givenRng(...numbers: readonly number[]): Rng {
  let at = 0;
  return { uint32: () => numbers[at++ % numbers.length] as number };
}

t.test('ids that one generator makes rise, whatever the time and the runs between', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(anySeed, anyLife, (seed, life) => {
        const rng = seededRng(seed);
        let atMs = startMs;
        let former = '';
        for (const [laterMs, length] of life) {
          atMs += laterMs;
          const run = newIdRun(7, atMs, rng, length);
          const first = formatId('ntf', run);
          const last = formatId('ntf', { ...run, low32: run.low32 + length - 1 });
          if (first <= former || last < first || run.low32 % length !== 0) return false;
          if (parseId('ntf', last)?.atMs !== atMs) return false;
          former = last;
        }
        return true;
      }),
      { numRuns: tries(300) },
    ),
  );
});

t.test('the same seed makes the same ids, and another one others', async (t) => {
  const idsOf = (seed: number) => {
    const rng = seededRng(seed);
    return Array.from({ length: 50 }, (_, nth) => newId('seg', 7, startMs + (nth >> 3), rng));
  };
  t.same(idsOf(1), idsOf(1));
  t.equal(new Set([...idsOf(1), ...idsOf(2)]).size, 100);
});

t.test('a restart in the same millisecond begins elsewhere', async (t) => {
  const ids = new Set<string>();
  for (let start = 0; start < 200; start++) {
    const rng = seededRng(start);
    for (let nth = 0; nth < 50; nth++) ids.add(newId('ntf', 7, startMs, rng));
  }
  t.equal(ids.size, 10_000);
});

t.test('a step to the next id is one of two thousand million', async (t) => {
  const steps: number[] = [];
  const rng = seededRng(3);
  let former = bitsOf(newIdRun(7, startMs, rng, 1));
  for (let nth = 0; nth < 20_000; nth++) {
    const bits = bitsOf(newIdRun(7, startMs, rng, 1));
    steps.push(bits - former);
    former = bits;
  }
  t.ok(steps.every((step) => step >= 1 && step <= 2 ** 31));
  const mean = steps.reduce((sum, step) => sum + step, 0) / steps.length;
  t.ok(Math.abs(mean / 2 ** 30 - 1) < 0.05, `${mean}`);
  t.ok(new Set(steps).size > 19_990, 'hardly one twice');
});

t.test('however high the first is and however wide the steps, 65,000 rise', async (t) => {
  const rng = givenRng(2 ** 32 - 1);
  let former = -1;
  let rising = 0;
  for (let nth = 0; nth < 65_000; nth++) {
    const bits = bitsOf(newIdRun(7, startMs, rng, 1));
    if (bits > former) rising++;
    former = bits;
  }
  t.equal(rising, 65_000);
  const more = Array.from({ length: 5_000 }, () => bitsOf(newIdRun(7, startMs, rng, 1)));
  t.ok(Math.max(...more) < 2 ** 48, 'beyond that they still fit');
});

t.test('an id of an earlier time takes nothing from the order of the later ones', async (t) => {
  const rng = seededRng(5);
  const first = newId('seg', 7, startMs + 1, rng);
  t.equal(parseId('seg', newId('seg', 7, startMs, rng))?.atMs, startMs);
  t.ok(newId('seg', 7, startMs + 1, rng) > first);
});
