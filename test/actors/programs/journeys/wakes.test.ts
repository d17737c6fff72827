// Rows and wakes by themselves: rows against a map, wakes against a sorted list, and both with so
// many people that rows are cut, looked through in slices, and wakes fall together.

import { deepStrictEqual, equal, ok } from 'node:assert';
import fc from 'fast-check';
import t from 'tap';
import { endOfRows, type Run, Runs } from '../../../../actors/programs/journeys/runs.ts';
import { Wakes } from '../../../../actors/programs/journeys/wakes.ts';
import { dayMs, hourMs, minuteMs } from '../../../../engine/base/brand.ts';
import { below, seededRng } from '../../../../engine/base/rng.ts';
import { tries } from '../../../support/tries.ts';

const startMs = Date.parse('2026-03-01T00:00:00.500Z');
const spreadPeople = fc.constantFrom(0, 1, 2, 4095, 4096, 2 ** 31, 2 ** 32 - 1);
const instant = fc.oneof(
  fc.constantFrom(startMs, startMs + 499, startMs + 500, startMs + hourMs, 2 ** 32 * 1000 - 1),
  fc.integer({ min: startMs, max: startMs + 40 * dayMs }),
);

t.test(
  'rows keep what was put in, each person once, and equal rows give equal snapshots',
  async () => {
    const change = fc.record({
      kind: fc.constantFrom('put' as const, 'put' as const, 'remove' as const),
      person: spreadPeople,
      operation: fc.integer({ min: 0, max: 200 }),
      wakeMs: instant,
      enrolledMs: instant,
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const runs = new Runs();
        const naive = new Map<number, Run>();
        for (const { kind, person, operation, wakeMs, enrolledMs } of changes) {
          const before = naive.get(person);
          if (kind === 'remove') {
            deepStrictEqual(runs.remove(person), before);
            naive.delete(person);
          } else if (before === undefined) {
            const run = { person, operation, wakeMs, enrolledMs };
            runs.add(run);
            naive.set(person, run);
          } else {
            runs.move(person, operation, wakeMs);
            naive.set(person, { ...before, operation, wakeMs });
          }
          equal(runs.count, naive.size);
          equal(runs.has(person), naive.has(person));
        }
        const others = new Runs();
        for (const [person, run] of [...naive].reverse()) {
          deepStrictEqual(runs.find(person), run);
          equal(runs.wakeMsOf(person), run.wakeMs);
          others.add(run);
        }
        deepStrictEqual(runs.snapshot(), others.snapshot());
        const restored = Runs.restore(runs.snapshot());
        deepStrictEqual(restored.snapshot(), runs.snapshot());
        for (const [person, run] of naive) deepStrictEqual(restored.find(person), run);
      }),
      { seed: 6, numRuns: tries(500) },
    );
  },
);

t.test('a second run of a person, and an instant that no row can hold, are bugs', async (t) => {
  const runs = new Runs();
  const run = { person: 1, operation: 0, wakeMs: startMs, enrolledMs: startMs };
  runs.add(run);
  t.throws(() => runs.add(run), /one run at most/);
  t.throws(() => runs.add({ ...run, person: 2, wakeMs: 999 }), /between 1970 and 2106/);
  t.throws(() => runs.move(2, 0, startMs), /in flight/);
});

t.test('a look over many rows sees everybody once, and memory is used again', async (t) => {
  const many = 100_000;
  const runs = new Runs();
  const fill = () => {
    for (let person = 0; person < many; person++)
      runs.add({ person, operation: 1, wakeMs: startMs + person, enrolledMs: startMs });
  };
  fill();
  const { byteLength } = runs;
  t.ok(byteLength / many < 26, `${byteLength / many} bytes a run`);
  const seen = new Uint8Array(many);
  let looks = 0;
  for (let cursor = 0; cursor < endOfRows; looks++)
    cursor = runs.visit(cursor, (person, wakeMs) => {
      if (wakeMs !== startMs + person) t.fail(`${person}`);
      seen[person] = (seen[person] as number) + 1;
    });
  t.ok(looks > 10, 'in slices');
  t.ok(seen.every((count) => count === 1));
  for (let person = 0; person < many; person++) runs.remove(person);
  t.equal(runs.count, 0);
  fill();
  t.ok(runs.byteLength <= byteLength * 1.05);
});

t.test('wakes come out in order, each once, as a sorted list gives them', async () => {
  const wait = fc.oneof(
    fc.constantFrom(1, 500, 999, 1000, minuteMs, hourMs - 500, hourMs, hourMs + 500, 30 * dayMs),
    fc.integer({ min: 1, max: 3 * hourMs }),
  );
  const anybody = fc.nat(30);
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('put' as const), person: anybody, wait }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('end' as const), person: anybody }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('take' as const),
        pass: fc.oneof(fc.constant(0), wait),
        max: fc.constantFrom(1, 2, 100),
        /**
         * What becomes of those who were handed out: they end, or wait again, or nothing came of
         * it.
         */
        then: fc.constantFrom('end' as const, 'again' as const, 'nothing' as const),
      }),
    },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (script) => {
      const runs = new Runs();
      let wakes = new Wakes(runs);
      const waiting = new Map<number, number>();
      let nowMs = startMs;
      const put = (person: number, wakeMs: number) => {
        if (waiting.has(person)) runs.move(person, 0, wakeMs);
        else runs.add({ person, operation: 0, wakeMs, enrolledMs: nowMs });
        waiting.set(person, wakeMs);
        wakes.add(person, wakeMs);
      };
      const end = (person: number) => {
        runs.remove(person);
        waiting.delete(person);
      };
      for (const one of script) {
        if (one.kind === 'put') put(one.person, nowMs + one.wait);
        else if (one.kind === 'end') end(one.person);
        else if (one.kind === 'restart') wakes = new Wakes(runs);
        else {
          nowMs += one.pass;
          const due = [...waiting.values()].filter((ms) => ms <= nowMs).sort((a, b) => a - b);
          const taken: number[] = [];
          const instants: number[] = [];
          while (taken.length < due.length) {
            ok(wakes.nextMs <= nowMs, 'it says so while somebody is due');
            const some = wakes.take(nowMs, one.max);
            ok(some.length <= one.max);
            equal(new Set(some).size, some.length);
            for (const person of some) {
              // Who was left where they were may be found once more.
              if (one.then === 'nothing' && taken.includes(person)) continue;
              taken.push(person);
              instants.push(waiting.get(person) as number);
              if (one.then === 'end') end(person);
              else if (one.then === 'again') put(person, nowMs + 90 * minuteMs);
            }
          }
          deepStrictEqual(instants, due);
          if (one.then === 'nothing')
            for (const person of taken) wakes.add(person, waiting.get(person) as number);
        }
        const nextMs = Math.max(nowMs, Math.min(...waiting.values()));
        ok(wakes.nextMs <= nextMs, 'it never sleeps past one');
      }
    }),
    { seed: 7, numRuns: tries(3000) },
  );
});

t.test(
  'a hundred thousand who wait for one instant, and as many for any, come out in slices',
  async (t) => {
    const many = 100_000;
    const rng = seededRng(8);
    const runs = new Runs();
    const eightMs = startMs + 8 * hourMs;
    for (let person = 0; person < 2 * many; person++) {
      const wakeMs = person < many ? eightMs : startMs + 1 + below(rng, dayMs);
      runs.add({ person, operation: 0, wakeMs, enrolledMs: startMs });
    }
    const wakes = new Wakes(runs);
    let lastMs = 0;
    let taken = 0;
    let nowMs = startMs;
    while (runs.count > 0) {
      const due = wakes.take(nowMs, 1000);
      if (due.length > 1000) t.fail('more than was asked for');
      for (const person of due) {
        const wakeMs = runs.remove(person)?.wakeMs ?? 0;
        if (wakeMs < lastMs || wakeMs > nowMs) t.fail('out of order');
        lastMs = wakeMs;
        taken++;
      }
      nowMs = Math.max(nowMs, wakes.nextMs === Number.POSITIVE_INFINITY ? 0 : wakes.nextMs);
      // Wakes of a bucket are told by its second, so that asking again at the same instant may find
      // nobody.
      if (due.length === 0) nowMs += 1000;
    }
    t.equal(taken, 2 * many);
    t.equal(wakes.nextMs, Number.POSITIVE_INFINITY);
  },
);
