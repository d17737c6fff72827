import fc from 'fast-check';
import t from 'tap';
import { ExactSums } from '../../../../actors/insight/insights/exact-sums.ts';
import type { Facts, Rfm } from '../../../../actors/insight/insights/protocol.ts';
import { edgesOf, quintileOf, rfm } from '../../../../actors/insight/insights/rfm.ts';
import { dayMs, hourMs } from '../../../../engine/base/brand.ts';
import { seededRng } from '../../../../engine/base/rng.ts';
import { InsightWorld } from '../../../support/insight-world.ts';
import { scattered } from '../../../support/scattered-events.ts';
import { tries } from '../../../support/tries.ts';

const amountMax = 1e12;

const nowMs = Date.UTC(2026, 2, 15, 12);

/** Quintiles by rank: equal values get the quintile of the first rank with that value. */
function quintilesByRank(values: readonly number[]): (value: number) => number {
  const sorted = values.toSorted((a, b) => a - b);
  return (value) => Math.floor((sorted.indexOf(value) * 5) / sorted.length) + 1;
}

const value = fc.oneof(
  fc.constantFrom(0, 1, 0.1, 0.2, 42.5, -3, 1e-6, 999_999.99, 'a text', null, true),
  fc.integer({ min: -1_000_000, max: 1_000_000 }).map((cents) => cents / 100),
);
const event = fc.record({
  name: fc.constantFrom('order', 'order', 'session', 'delivered'),
  person: fc.integer({ min: 0, max: 14 }),
  atMs: fc.integer({ min: 0, max: 60 }).map((step) => nowMs - 5 * dayMs + step * 2 * hourMs),
  props: fc.option(fc.record({ total: value, 'to"tal': value }, { requiredKeys: [] }), {
    nil: undefined,
  }),
});

t.test('the table agrees with the raw events, however they are stored', async (t) => {
  fc.assert(
    fc.property(
      fc.array(event, { maxLength: 70 }),
      fc.constantFrom(undefined, 'order', 'nothing'),
      fc.constantFrom(undefined, 'total', 'to"tal', '__proto__'),
      fc.integer({ min: 1, max: 6 }),
      fc.uniqueArray(fc.integer({ min: 0, max: 14 }), { maxLength: 3 }),
      fc.integer(),
      (events, asked, valueProp, span, erased, seed) => {
        const facts: Facts = { nowMs, timezone: 'UTC', span, erased };
        const found = rfm(
          {
            ...(asked === undefined ? {} : { event: asked }),
            ...(valueProp === undefined ? {} : { valueProp }),
          },
          facts,
          scattered(events, seededRng(seed)),
        );
        const seen = events.filter(
          ({ name, person, atMs }) =>
            atMs > nowMs - span * dayMs &&
            !erased.includes(person) &&
            (asked === undefined ? name !== 'delivered' : name === asked),
        );
        const people = [...new Set(seen.map(({ person }) => person))].map((person) => {
          const theirs = seen.filter((one) => one.person === person);
          const values = theirs.map(({ props }) => props?.[valueProp as 'total']);
          return {
            lastMs: Math.max(...theirs.map(({ atMs }) => atMs)),
            times: theirs.length,
            micros: values.reduce<number>(
              (sum, one) => sum + (typeof one === 'number' ? Math.round(one * 1e6) : 0),
              0,
            ),
          };
        });
        const recency = quintilesByRank(people.map(({ lastMs }) => lastMs));
        const frequency = quintilesByRank(people.map(({ times }) => times));
        t.equal(found.people, people.length);
        t.equal(found.cells.length, 25);
        for (const cell of found.cells) {
          const here = people.filter(
            ({ lastMs, times }) =>
              recency(lastMs) === cell.recency && frequency(times) === cell.frequency,
          );
          t.equal(cell.people, here.length);
          const micros = here.reduce((sum, one) => sum + one.micros, 0);
          t.equal(cell.value, valueProp === undefined ? undefined : micros / 1e6);
        }
        t.equal(found.recencyEdges.length, people.length === 0 ? 0 : 4);
      },
    ),
    { seed: 31, numRuns: tries(250) },
  );
});

t.test('edges are existing values, and equal values are never separated', async (t) => {
  const edges = edgesOf(Float64Array.from([1, 1, 1, 1, 1, 1, 2, 3, 4, 9]));
  t.same(edges, [1, 1, 1, 3]);
  t.same(
    [1, 2, 3, 4, 9].map((value) => quintileOf(value, edges)),
    [1, 4, 4, 5, 5],
  );
  t.same(edgesOf(Float64Array.from([7])), [7, 7, 7, 7]);
  t.same(edgesOf(new Float64Array()), []);
});

t.test('a sum is the same in every order, and that of decimals is the decimal', async (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: -1e9, max: 1e9, noNaN: true })),
      fc.array(fc.integer()),
      (values, order) => {
        const sumOf = (some: readonly number[]) => {
          const sums = new ExactSums();
          for (const one of some) sums.add(3, one);
          return sums.grouped([3], () => 0, 1)[0];
        };
        const other = values.toSorted(
          (a, b) => (order[values.indexOf(a)] ?? 0) - (order[values.indexOf(b)] ?? 0),
        );
        t.equal(sumOf(other), sumOf(values));
      },
    ),
    { seed: 5, numRuns: tries(100) },
  );
  const sums = new ExactSums();
  for (const one of [0.1, 0.2, amountMax * 2, Number.NaN, Number.POSITIVE_INFINITY])
    sums.add(0, one);
  sums.add(5_000, -1.25);
  t.same(
    sums.grouped([0, 5_000], (person) => (person === 0 ? 0 : 1), 3),
    [0.3, -1.25, 0],
  );
});

t.test('a value is found however its name was written', async (t) => {
  const facts: Facts = { nowMs, timezone: 'UTC', span: 1, erased: [] };
  const written = [
    '{"total":1}',
    '{"\\u0074otal":2}',
    '{"t\\u006ftal": 4, "x": {"total": 8}}',
    '{"x":"total"}',
  ];
  const events = written.map((propsJson, i) => ({
    name: 'order',
    person: 1,
    atMs: nowMs - i,
    propsJson,
  }));
  const { cells } = rfm({ valueProp: 'total' }, facts, scattered(events, seededRng(2)));
  t.equal(cells.find(({ people }) => people === 1)?.value, 7);
});

t.test('the table is the same after a checkpoint', async (t) => {
  const world = await InsightWorld.begin(4);
  await world.live(70);
  const { app } = world;
  const question = { kind: 'insight.rfm' as const, days: 60, valueProp: 'n' };
  const before = await world.ask<Rfm>(app, question);
  t.ok(before.people > 4);
  t.ok(before.cells.some(({ value }) => (value ?? 0) > 0));
  await world.fold(true);
  t.strictSame(await world.ask<Rfm>(app, question), before);
  await world.close();
});
