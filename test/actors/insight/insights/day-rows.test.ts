import fc from 'fast-check';
import t from 'tap';
import { DayRows } from '../../../../actors/insight/insights/day-rows.ts';
import { dayMs } from '../../../../engine/base/brand.ts';
import { tries } from '../../../support/tries.ts';

const row = fc.tuple(
  fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 2 ** 32 - 1 })),
  fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: dayMs - 1 })),
  fc.integer({ min: 0, max: 15 }),
);

t.test('rows of a day come back whole, by person, then time, then name', async () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 30_000 }),
      fc.array(row, { maxLength: 3_000, size: 'max' }),
      (day, rows) => {
        const kept = new DayRows(day);
        for (const [person, ms, name] of rows) kept.add(person, day * dayMs + ms, name);
        kept.sort();
        const found = Array.from({ length: kept.count }, (_, i) => [
          kept.person(i),
          kept.atMs(i) - day * dayMs,
          kept.name(i),
        ]);
        const sorted = rows.toSorted(
          (one, other) => one[0] - other[0] || one[1] - other[1] || one[2] - other[2],
        );
        return JSON.stringify(found) === JSON.stringify(sorted);
      },
    ),
    // Three thousand rows take minutes to shrink.
    { numRuns: tries(200), endOnFailure: true },
  );
});
