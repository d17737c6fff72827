import fc from 'fast-check';
import t from 'tap';
import { dayMs, hourMs, minuteMs } from '../../../engine/base/brand.ts';
import { civil, daysFromCivil, daysInMonth, zoneOf } from '../../../engine/time/civil-time.ts';
import { tries } from '../../support/tries.ts';

const first = Date.parse('0001-01-02');
const last = Date.parse('9999-12-30');

t.test('a wall clock shows what JavaScript shows of UTC, wherever its zone is', async (t) => {
  fc.assert(
    fc.property(
      fc.integer({ min: first, max: last }),
      fc.integer({ min: -840, max: 840 }),
      (ms, offsetMinutes) => {
        const offsetMs = offsetMinutes * minuteMs;
        const date = new Date(ms + offsetMs);
        const yearStart = new Date(date);
        yearStart.setUTCMonth(0, 1);
        yearStart.setUTCHours(0, 0, 0, 0);
        t.strictSame(civil(ms, offsetMs), {
          ms,
          offsetMs,
          year: date.getUTCFullYear(),
          month: date.getUTCMonth() + 1,
          day: date.getUTCDate(),
          dayOfYear: Math.floor((date.getTime() - yearStart.getTime()) / dayMs) + 1,
          weekday: date.getUTCDay(),
          hour: date.getUTCHours(),
          minute: date.getUTCMinutes(),
          second: date.getUTCSeconds(),
          millisecond: date.getUTCMilliseconds(),
        });
      },
    ),
    { seed: 7, numRuns: tries(500) },
  );
});

t.test('the days of every month of four centuries follow each other without a gap', async (t) => {
  let days = daysFromCivil(1970, 1, 1);
  t.equal(days, 0);
  for (let year = 1970; year < 2370; year++) {
    for (let month = 1; month <= 12; month++) {
      if (daysFromCivil(year, month, 1) !== days) t.fail(`${year}-${month} begins elsewhere`);
      days += daysInMonth(year, month);
    }
  }
  t.equal(days, daysFromCivil(2370, 1, 1));
});

t.test(
  'a zone has the offset of the instant: winter, summer, and before it changed its mind',
  async (t) => {
    const london = zoneOf('Europe/London');
    t.equal(london(Date.UTC(2026, 0, 1)), 0);
    t.equal(london(Date.UTC(2026, 2, 29, 0, 59, 59, 999)), 0);
    t.equal(london(Date.UTC(2026, 2, 29, 1)), hourMs);
    t.equal(zoneOf('Asia/Kathmandu')(0), 5.5 * hourMs);
    t.equal(zoneOf('Asia/Kathmandu')(Date.UTC(2026, 0, 1)), 5.75 * hourMs);
    t.equal(zoneOf('europe/london')(Date.UTC(2026, 6, 1)), hourMs, 'in any case of letters');
  },
);

t.test('what is no zone is UTC, and a number is minutes west of it', async (t) => {
  for (const zone of ['UTC', 'Nowhere/Land', '', 'x'.repeat(65), undefined, null, {}, 1441])
    t.equal(zoneOf(zone)(Date.UTC(2026, 6, 1)), 0, String(zone));
  t.equal(zoneOf(-330)(0), 330 * minuteMs);
});
