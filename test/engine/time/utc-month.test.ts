import fc from 'fast-check';
import t from 'tap';
import {
  parseUtcMonth,
  utcMonthOf,
  utcMonthStart,
  utcMonthText,
} from '../../../engine/time/utc-month.ts';
import { tries } from '../../support/tries.ts';

// Years 0 to 9999, as texts have them.
const instant = fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 });

t.test('an instant lies in the month that the calendar of UTC says', async () => {
  fc.assert(
    fc.property(instant, (ms) => {
      const date = new Date(ms);
      const month = utcMonthOf(ms);
      return (
        month === date.getUTCFullYear() * 12 + date.getUTCMonth() &&
        utcMonthText(month) === date.toISOString().slice(0, 7)
      );
    }),
    { seed: 1, numRuns: tries(2_000) },
  );
});

t.test(
  'a month begins with its first instant, and the one before ends just ahead of it',
  async () => {
    fc.assert(
      fc.property(instant, (ms) => {
        const month = utcMonthOf(ms);
        const start = utcMonthStart(month);
        return (
          start <= ms &&
          ms < utcMonthStart(month + 1) &&
          utcMonthOf(start) === month &&
          utcMonthOf(start - 1) === month - 1
        );
      }),
      { seed: 2, numRuns: tries(2_000) },
    );
  },
);

t.test('a text names the month that was written so, and no other text names one', async (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 119_999 }), (month) => {
      return parseUtcMonth(utcMonthText(month)) === month;
    }),
    { seed: 3, numRuns: tries(500) },
  );
  for (const text of [
    '',
    '2026',
    '2026-00',
    '2026-13',
    '2026-1',
    '26-01',
    '2026-01-01',
    '2026-01 ',
  ])
    t.equal(parseUtcMonth(text), undefined, JSON.stringify(text));
});
