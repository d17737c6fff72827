import fc from 'fast-check';
import t from 'tap';
import { QuietClock, quietUntil } from '../../../../actors/sending/gate/quiet-hours.ts';
import { dayMs, minuteMs } from '../../../../engine/base/brand.ts';
import { tries } from '../../../support/tries.ts';
import { nights, type ReadClock } from './read-clock.ts';

const iso = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString());
const textOf = (minute: number) =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');

t.test('quiet hours hold from their start to before their end, by the wall clock', async (t) => {
  for (const [start, end, zone, now, expected] of [
    ['22:00', '08:00', 'UTC', '2026-05-01T21:59:59.999Z', undefined],
    ['22:00', '08:00', 'UTC', '2026-05-01T22:00:00.000Z', '2026-05-02T08:00:00.000Z'],
    ['22:00', '08:00', 'UTC', '2026-05-02T07:59:59.999Z', '2026-05-02T08:00:00.000Z'],
    ['22:00', '08:00', 'UTC', '2026-05-02T08:00:00.000Z', undefined],
    ['22:00', '08:00', 'UTC', '2028-02-28T23:00:00.000Z', '2028-02-29T08:00:00.000Z'],
    ['22:00', '08:00', 'UTC', '2100-02-28T23:00:00.000Z', '2100-03-01T08:00:00.000Z'],
    ['12:00', '13:30', 'Asia/Kathmandu', '2026-05-01T06:15:00.000Z', '2026-05-01T07:45:00.000Z'],
    ['00:00', '08:00', 'UTC', '2026-05-01T00:00:00.000Z', '2026-05-01T08:00:00.000Z'],
    ['22:00', '00:00', 'UTC', '2026-12-31T23:59:00.000Z', '2027-01-01T00:00:00.000Z'],
    ['09:00', '09:00', 'UTC', '2026-05-01T09:00:00.000Z', undefined],
    // The end is not there: they end where the gap does.
    ['22:00', '02:30', 'America/New_York', '2026-03-08T06:59:00.000Z', '2026-03-08T07:00:00.000Z'],
    ['22:00', '02:30', 'America/New_York', '2026-03-08T07:00:00.000Z', undefined],
    // Neither is there.
    ['02:10', '02:50', 'America/New_York', '2026-03-08T06:59:59.999Z', undefined],
    ['02:10', '02:50', 'America/New_York', '2026-03-08T07:00:00.000Z', undefined],
    // The start is not there: they begin after the gap.
    ['02:30', '08:00', 'America/New_York', '2026-03-08T07:00:00.000Z', '2026-03-08T12:00:00.000Z'],
    // The end is read twice: they end, and begin again when the clock goes back into them.
    ['22:00', '01:30', 'America/New_York', '2026-11-01T05:00:00.000Z', '2026-11-01T05:30:00.000Z'],
    ['22:00', '01:30', 'America/New_York', '2026-11-01T05:45:00.000Z', undefined],
    ['22:00', '01:30', 'America/New_York', '2026-11-01T06:00:00.000Z', '2026-11-01T06:30:00.000Z'],
    // They would end at the very instant at which the clock goes back into them.
    ['22:00', '02:00', 'America/New_York', '2026-11-01T03:00:00.000Z', '2026-11-01T07:00:00.000Z'],
    // 30 December 2011 never was, and nobody was to be disturbed on it.
    ['22:00', '08:00', 'Pacific/Apia', '2011-12-30T09:00:00.000Z', '2011-12-30T18:00:00.000Z'],
    ['22:00', '08:00', 'Nowhere/Land', '2026-05-01T23:00:00.000Z', '2026-05-02T08:00:00.000Z'],
  ] as const) {
    const found = quietUntil({ start, end }, zone, Date.parse(now));
    t.equal(iso(found), expected, `${start} to ${end} ${zone} ${now}`);
  }
});

t.test(
  'they end when reading the clock every minute says so, in nights of all kinds',
  async (t) => {
    const minute = fc.oneof(
      fc.integer({ min: 0, max: 1439 }),
      fc.constantFrom(0, 1, 30, 60, 90, 119, 120, 150, 180, 480, 1320, 1380, 1410, 1439),
    );
    let quiet = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...nights()),
        fc.oneof(
          fc.integer({ min: -26 * 60, max: 22 * 60 }),
          fc.integer({ min: -90, max: 90 }), // near the change itself
        ),
        fc.constantFrom(0, 0, 1, 59_999),
        minute,
        minute,
        ({ zone, changeMs, clock }, minutesAfterChange, beyondTheMinuteMs, start, end) => {
          const nowMs = changeMs + minutesAfterChange * minuteMs + beyondTheMinuteMs;
          const found = quietUntil({ start: textOf(start), end: textOf(end) }, zone, nowMs);
          const expected = readUntil(clock, start, end, nowMs);
          if (found !== expected)
            throw new Error(
              `${textOf(start)} to ${textOf(end)} ${zone} ${iso(nowMs)}: ${iso(found)} not ${iso(expected)}`,
            );
          if (found !== undefined) quiet++;
        },
      ),
      { seed: 3, numRuns: tries(12_000) },
    );
    t.ok(quiet > tries(3_000) && quiet < tries(9_000), `${quiet} were quiet`);
  },
);

t.test('a clock for many people says what each would be told alone', async (t) => {
  const zones = [...Intl.supportedValuesOf('timeZone'), 'europe/london', 'Nowhere/Land', ''];
  const hours = { start: '22:00', end: '08:00' };
  let quiet = 0;
  for (let day = 0; day < 12; day++) {
    const nowMs = Date.UTC(2026, 0, 1) + day * 31 * dayMs + day * 125 * minuteMs;
    const clock = new QuietClock(hours, nowMs);
    for (const zone of [...zones, ...zones]) {
      const expected = quietUntil(hours, zone, nowMs);
      if (clock.untilIn(zone) !== expected) throw new Error(`${zone} ${iso(nowMs)}`);
      if (expected !== undefined) quiet++;
    }
  }
  t.ok(quiet > 2_000 && quiet < 8_000, `${quiet} of 10,104 were quiet`);
});

/** The first minute from one on that is not within the hours, as long as that one is. */
function readUntil(clock: ReadClock, start: number, end: number, nowMs: number) {
  const isQuiet = (index: number) => {
    const minute = clock.minutes[index] as number;
    return start <= end ? start <= minute && minute < end : minute >= start || minute < end;
  };
  let index = clock.indexOf(nowMs);
  if (!isQuiet(index)) return undefined;
  while (isQuiet(index)) index++;
  return clock.instantOf(index);
}
