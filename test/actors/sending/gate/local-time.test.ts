import fc from 'fast-check';
import t from 'tap';
import {
  instantOn,
  isLocalTime,
  localDelivery,
  nextLocalTime,
} from '../../../../actors/sending/gate/local-time.ts';
import { dayMs, hourMs, minuteMs } from '../../../../engine/base/brand.ts';
import { tries } from '../../../support/tries.ts';
import { type Night, nights } from './read-clock.ts';

const iso = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString());
const all = nights();
const texts = Array.from({ length: 1440 }, (_, minute) =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':'),
);

t.test('a local time is the first instant at which the wall clock reads it', async (t) => {
  for (const [zone, at, from, expected] of [
    ['UTC', '09:00', '2026-05-01T09:00:00.000Z', '2026-05-01T09:00:00.000Z'],
    ['UTC', '09:00', '2026-05-01T09:00:00.001Z', '2026-05-02T09:00:00.000Z'],
    ['UTC', '00:00', '2100-02-28T00:00:00.001Z', '2100-03-01T00:00:00.000Z'],
    ['UTC', '00:00', '2096-02-28T12:00:00.000Z', '2096-02-29T00:00:00.000Z'],
    ['Asia/Kathmandu', '08:00', '2026-12-31T02:16:00.000Z', '2027-01-01T02:15:00.000Z'],
    // Half past two is not there: three o'clock stands for it, which is the first instant after the
    // gap.
    ['America/New_York', '02:30', '2026-03-08T05:00:00.000Z', '2026-03-08T07:00:00.000Z'],
    ['America/New_York', '02:30', '2026-03-08T07:00:00.001Z', '2026-03-09T06:30:00.000Z'],
    ['Australia/Lord_Howe', '02:15', '2026-10-03T14:00:00.000Z', '2026-10-03T15:30:00.000Z'],
    // The gap is the last hour of a Saturday; what stands for its half past eleven is on Sunday.
    ['America/Nuuk', '23:30', '2027-03-27T12:00:00.000Z', '2027-03-28T01:00:00.000Z'],
    ['America/Nuuk', '23:30', '2027-03-28T01:00:00.000Z', '2027-03-28T01:00:00.000Z'],
    ['America/Nuuk', '23:30', '2027-03-28T01:00:00.001Z', '2027-03-29T00:30:00.000Z'],
    // Half past one comes twice: the first counts, and whoever comes between the two waits for the
    // next day.
    ['America/New_York', '01:30', '2026-11-01T04:00:00.000Z', '2026-11-01T05:30:00.000Z'],
    ['America/New_York', '01:30', '2026-11-01T05:30:00.001Z', '2026-11-02T06:30:00.000Z'],
    ['Australia/Lord_Howe', '01:45', '2026-04-04T14:00:00.000Z', '2026-04-04T14:45:00.000Z'],
    // Just after midnight the clock goes back over it, and the day before goes on.
    ['America/St_Johns', '23:30', '2010-11-06T12:00:00.000Z', '2010-11-07T02:00:00.000Z'],
    ['America/St_Johns', '00:00', '2010-11-07T02:35:00.000Z', '2010-11-08T03:30:00.000Z'],
    // 30 December 2011 never was.
    ['Pacific/Apia', '09:00', '2011-12-29T19:00:00.001Z', '2011-12-30T19:00:00.000Z'],
    ['Pacific/Apia', '00:00', '2011-12-29T10:00:00.001Z', '2011-12-30T10:00:00.000Z'],
    ['Nowhere/Land', '09:00', '2026-05-01T00:00:00.000Z', '2026-05-01T09:00:00.000Z'],
  ] as const)
    t.equal(iso(nextLocalTime(zone, at, Date.parse(from))), expected, `${at} ${zone} ${from}`);
  t.equal(instantOn('Pacific/Apia', Date.parse('2011-12-30') / dayMs, 9 * hourMs), undefined);
});

t.test('whose hour has passed when a campaign begins is reached on the next day', async (t) => {
  for (const [zone, at, start, expected, isNextDay] of [
    ['Europe/Berlin', '09:00', '2026-06-30T07:00:00.000Z', '2026-06-30T07:00:00.000Z', false],
    ['Europe/Berlin', '09:00', '2026-06-30T07:00:00.001Z', '2026-07-01T07:00:00.000Z', true],
    ['Asia/Tokyo', '09:00', '2026-06-30T07:00:00.000Z', '2026-07-01T00:00:00.000Z', true],
    // It is the first of July there already, one o'clock in the morning.
    ['Asia/Tokyo', '09:00', '2026-06-30T16:00:00.000Z', '2026-07-01T00:00:00.000Z', false],
    ['America/New_York', '02:30', '2026-03-08T07:00:00.000Z', '2026-03-08T07:00:00.000Z', false],
    ['America/New_York', '02:30', '2026-03-08T07:00:00.001Z', '2026-03-09T06:30:00.000Z', true],
    // What Saturday's gap put off to Sunday's first instant is Saturday's: on Sunday half past
    // eleven is yet to come.
    ['America/Nuuk', '23:30', '2027-03-28T01:00:00.000Z', '2027-03-29T00:30:00.000Z', false],
    ['America/New_York', '01:30', '2026-11-01T06:00:00.000Z', '2026-11-02T06:30:00.000Z', true],
    ['Pacific/Apia', '09:00', '2011-12-29T20:00:00.000Z', '2011-12-30T19:00:00.000Z', true],
  ] as const) {
    const { atMs, ...rest } = localDelivery(zone, at, Date.parse(start));
    t.same({ at: iso(atMs), ...rest }, { at: expected, isNextDay }, `${at} ${zone} ${start}`);
  }
});

const cases = fc.record({
  night: fc.constantFrom(...all),
  minutesAfterChange: fc.integer({ min: -26 * 60, max: 22 * 60 }),
  beyondTheMinuteMs: fc.constantFrom(0, 0, 1, 59_999),
  minuteOfDay: fc.oneof(
    fc.integer({ min: 0, max: 1439 }),
    fc.constantFrom(0, 1, 30, 60, 90, 119, 120, 150, 179, 180, 1380, 1410, 1439),
  ),
});

t.test('it is what reading the clock every minute finds, in nights of all kinds', async (t) => {
  let count = 0;
  fc.assert(
    fc.property(cases, ({ night, minutesAfterChange, beyondTheMinuteMs, minuteOfDay }) => {
      const fromMs = night.changeMs + minutesAfterChange * minuteMs + beyondTheMinuteMs;
      const at = texts[minuteOfDay] as string;
      const found = nextLocalTime(night.zone, at, fromMs);
      const expected = timesOf(night, minuteOfDay).find(({ atMs }) => atMs >= fromMs);
      if (found !== expected?.atMs)
        throw new Error(
          `${night.zone} ${at} ${iso(fromMs)}: ${iso(found)} not ${iso(expected?.atMs)}`,
        );
      count++;
    }),
    { seed: 1, numRuns: tries(8_000) },
  );
  t.equal(count, tries(8_000));
});

t.test('so is the delivery on the day of a start, or on the next', async (t) => {
  let nextDays = 0;
  fc.assert(
    fc.property(cases, ({ night, minutesAfterChange, beyondTheMinuteMs, minuteOfDay }) => {
      const { zone, clock } = night;
      const startMs = night.changeMs + minutesAfterChange * minuteMs + beyondTheMinuteMs;
      const at = texts[minuteOfDay] as string;
      const today = clock.days[clock.indexOf(startMs)] as number;
      const expected = timesOf(night, minuteOfDay).find(
        ({ day, atMs }) => day >= today && atMs >= startMs,
      );
      const found = localDelivery(zone, at, startMs);
      if (found.atMs !== expected?.atMs || found.isNextDay !== expected.day > today)
        throw new Error(
          `${zone} ${at} ${iso(startMs)}: ${iso(found.atMs)} not ${iso(expected?.atMs)}`,
        );
      if (found.isNextDay) nextDays++;
    }),
    { seed: 2, numRuns: tries(4_000) },
  );
  t.ok(nextDays > tries(1_000) && nextDays < tries(3_000), `${nextDays} on the next day`);
});

t.test('a wall-clock time is two digits, a colon and two digits of a day', async (t) => {
  for (const text of ['00:00', '09:05', '19:59', '23:59']) t.ok(isLocalTime(text), text);
  for (const text of ['', '24:00', '23:60', '9:00', '09:0', '09:00:00', ' 09:00', '09.00', '٠٩:٠٠'])
    t.notOk(isLocalTime(text), text);
});

/** Finding them walks the whole clock, so those of one time of day are kept. */
const known = new Map<Night, Map<number, readonly { day: number; atMs: number }[]>>();

function timesOf(night: Night, minuteOfDay: number) {
  const times = known.get(night) ?? new Map();
  known.set(night, times);
  const found = times.get(minuteOfDay) ?? night.clock.timesOf(minuteOfDay);
  times.set(minuteOfDay, found);
  return found as ReturnType<typeof night.clock.timesOf>;
}
