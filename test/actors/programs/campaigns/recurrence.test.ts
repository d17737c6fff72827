import fc from 'fast-check';
import t from 'tap';
import { limits } from '../../../../actors/limits.ts';
import type { Recurring } from '../../../../actors/programs/campaigns/records.ts';
import {
  nextOccurrence,
  recurringFault,
  shortestPeriodMs,
} from '../../../../actors/programs/campaigns/recurrence.ts';
import { dayMs, hourMs, type Millis, minuteMs } from '../../../../engine/base/brand.ts';
import { everyNth, tries } from '../../../support/tries.ts';
import { ReadClock } from '../../sending/gate/read-clock.ts';

const iso = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString());
const at = (text: string) => Date.parse(text);

/** The first occurrences from a schedule's start on. */
function first(count: number, schedule: Recurring, anchorMs = 0): (Millis | undefined)[] {
  const found: (Millis | undefined)[] = [];
  let afterMs = (schedule.startMs ?? anchorMs) - 1;
  for (let number = 0; number < count; number++) {
    const next = nextOccurrence(schedule, afterMs, anchorMs);
    found.push(next);
    if (next === undefined) break;
    afterMs = next;
  }
  return found;
}

t.test('occurrences come round by the calendar of their zone', async (t) => {
  const recurring = { type: 'recurring', at: '09:00', timezone: 'UTC' } as const;
  const newYork = { ...recurring, timezone: 'America/New_York' } as const;
  const cases: readonly [title: string, schedule: Recurring, texts: readonly string[]][] = [
    [
      'every hour, of which only the minutes count',
      { ...recurring, every: 'hour', at: '17:20', startMs: at('2026-05-01T10:20:00Z') },
      ['2026-05-01T10:20:00.000Z', '2026-05-01T11:20:00.000Z'],
    ],
    [
      'every sixth hour, counted from the hour of the start although its minute had passed',
      { ...recurring, every: 'hour', interval: 6, at: '00:20', startMs: at('2026-05-01T10:21Z') },
      ['2026-05-01T16:20:00.000Z', '2026-05-01T22:20:00.000Z'],
    ],
    [
      'an hour that comes twice has two, and one that is skipped none',
      { ...newYork, every: 'hour', at: '00:30', startMs: at('2026-11-01T05:00Z') },
      ['2026-11-01T05:30:00.000Z', '2026-11-01T06:30:00.000Z', '2026-11-01T07:30:00.000Z'],
    ],
    [
      'every other day, by the clock although a night is an hour shorter',
      { ...newYork, every: 'day', interval: 2, startMs: at('2026-03-06T12:00Z') },
      ['2026-03-06T14:00:00.000Z', '2026-03-08T13:00:00.000Z', '2026-03-10T13:00:00.000Z'],
    ],
    [
      'a time that a night lacks is when the gap ends',
      { ...newYork, every: 'day', at: '02:30', startMs: at('2026-03-07T12:00Z') },
      ['2026-03-08T07:00:00.000Z', '2026-03-09T06:30:00.000Z'],
    ],
    [
      'a time that a night has twice is the first of the two, once',
      { ...newYork, every: 'day', at: '01:30', startMs: at('2026-11-01T04:00Z') },
      ['2026-11-01T05:30:00.000Z', '2026-11-02T06:30:00.000Z'],
    ],
    [
      'a week has the weekday of its start',
      { ...recurring, every: 'week', startMs: at('2026-05-01T09:00Z') },
      ['2026-05-01T09:00:00.000Z', '2026-05-08T09:00:00.000Z'],
    ],
    [
      'every other week on Monday and Friday, counted from the Monday of the first week',
      {
        ...recurring,
        every: 'week',
        interval: 2,
        weekdays: [0, 4],
        startMs: at('2026-04-29T00:00Z'),
      },
      ['2026-05-01T09:00:00.000Z', '2026-05-11T09:00:00.000Z', '2026-05-15T09:00:00.000Z'],
    ],
    [
      'a month without a 31st has its last day',
      { ...recurring, every: 'month', dayOfMonth: 31, startMs: at('2028-01-31T09:00Z') },
      ['2028-01-31T09:00:00.000Z', '2028-02-29T09:00:00.000Z', '2028-03-31T09:00:00.000Z'],
    ],
    [
      'every twelfth month',
      {
        ...recurring,
        every: 'month',
        interval: 12,
        dayOfMonth: 29,
        startMs: at('2098-02-01T00:00Z'),
      },
      ['2098-02-28T09:00:00.000Z', '2099-02-28T09:00:00.000Z', '2100-02-28T09:00:00.000Z'],
    ],
    [
      'the first of a month unless said',
      { ...recurring, every: 'month', startMs: at('2026-05-01T09:00:00.001Z') },
      ['2026-06-01T09:00:00.000Z'],
    ],
  ];
  for (const [title, schedule, texts] of cases)
    t.same(first(texts.length, schedule).map(iso), texts, title);
});

t.test('a clock put back by half an hour holds an hour up until it reads the minute', async (t) => {
  // It began in winter; in summer the same minute is half an hour later.
  const hourly = (time: string, startMs: number): Recurring => ({
    type: 'recurring',
    every: 'hour',
    at: time,
    timezone: 'Australia/Lord_Howe',
    startMs,
  });
  const lastOfSummer = (schedule: Recurring) => {
    const found: (string | undefined)[] = [];
    let afterMs = at('2027-04-03T12:50Z');
    for (let number = 0; number < 4; number++) {
      afterMs = nextOccurrence(schedule, afterMs, 0) ?? Number.NaN;
      found.push(iso(afterMs)?.slice(11, 16));
    }
    return found;
  };
  const quarterPast = hourly('00:15', at('2026-09-18T08:45Z'));
  t.same(lastOfSummer(quarterPast), ['13:15', '14:15', '15:45', '16:45']);
  // It would be full at the very instant of the change, when the clock reads half past.
  const full = hourly('00:00', at('2026-09-18T08:30Z'));
  t.same(lastOfSummer(full), ['13:00', '14:00', '15:30', '16:30']);
});

t.test('the start is included, the end is not, and without a start it is the anchor', async (t) => {
  const daily: Recurring = { type: 'recurring', every: 'day', at: '09:00', timezone: 'UTC' };
  const startMs = at('2026-05-01T09:00Z');
  const next = (schedule: Recurring, afterMs: number, anchorMs = 0) =>
    nextOccurrence(schedule, afterMs, anchorMs);
  t.equal(next({ ...daily, startMs }, 0), startMs);
  t.equal(next({ ...daily, startMs: startMs + 1 }, 0), startMs + dayMs);
  t.equal(next({ ...daily, startMs }, startMs - 1), startMs);
  t.equal(next({ ...daily, startMs }, startMs), startMs + dayMs);
  t.equal(next({ ...daily, startMs, endMs: startMs + 1 }, 0), startMs);
  t.equal(next({ ...daily, startMs, endMs: startMs }, 0), undefined);
  t.equal(next({ ...daily, startMs, endMs: startMs + dayMs }, startMs), undefined);
  t.equal(next({ ...daily, interval: 3 }, startMs, startMs), startMs + 3 * dayMs);
  t.equal(next({ ...daily, interval: 3 }, startMs - 1, startMs), startMs);
  t.equal(
    next({ ...daily, interval: 3, startMs }, startMs, startMs + dayMs),
    startMs + 3 * dayMs,
    'a start is before an anchor',
  );
});

/** Some months of zones in which clocks change, read every minute. */
const months: readonly (readonly [zone: string, from: string, days: number])[] = [
  ['America/New_York', '2028-02-10', 60],
  ['America/New_York', '2026-10-01', 60],
  ['America/St_Johns', '2010-10-10', 50],
  ['America/Nuuk', '2027-03-01', 50],
  ['America/Santiago', '2026-08-15', 45],
  ['Africa/Casablanca', '2026-02-01', 65],
  ['Asia/Kathmandu', '2027-12-15', 90],
  ['Australia/Lord_Howe', '2026-03-10', 50],
  ['Australia/Lord_Howe', '2026-09-10', 50],
  ['Pacific/Apia', '2011-12-01', 50],
  ['Pacific/Chatham', '2026-03-01', 50],
];

t.test('they are what reading the clock every minute for months finds', async (t) => {
  const clocks = months
    .filter((_, index) => index % everyNth(3) === 0)
    .map(([zone, from, days]) => ({
      zone,
      clock: new ReadClock(zone, at(from), days * dayMs),
    }));
  let count = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(...clocks),
      scheduleIn(),
      fc.integer({ min: 2 * dayMs, max: 30 * dayMs }),
      fc.boolean(),
      fc.option(fc.integer({ min: 1, max: 40 * dayMs }), { nil: undefined, freq: 3 }),
      fc.array(fc.integer({ min: -dayMs, max: 40 * dayMs }), { minLength: 6, maxLength: 6 }),
      ({ zone, clock }, drawn, startAfter, isAnchored, lengthMs, afters) => {
        const startMs = clock.startMs + startAfter;
        const schedule: Recurring = {
          ...drawn,
          timezone: zone,
          ...(isAnchored ? {} : { startMs }),
          ...(lengthMs === undefined ? {} : { endMs: startMs + lengthMs }),
        };
        const all = readOccurrences(clock, schedule, startMs);
        // From random instants, and from each of the first occurrences to the next.
        for (const afterMs of [...afters.map((after) => startMs + after), ...all.slice(0, 12)]) {
          const expected = all.find((atMs) => atMs > afterMs);
          const found = nextOccurrence(schedule, afterMs, isAnchored ? startMs : 0);
          // What is found beyond the months that were read is not known to be right or wrong.
          const isBeyond = expected === undefined && found !== undefined && found > lastOf(clock);
          if (found !== expected && !isBeyond)
            throw new Error(`${JSON.stringify({ schedule, startMs, afterMs })}: ${iso(found)}`);
          if (!isBeyond) count++;
        }
      },
    ),
    { seed: 5, numRuns: tries(1_000) },
  );
  t.ok(count > tries(8_000), `${count} cases`);
});

t.test('over decades they are those that walking day by day finds', async (t) => {
  let count = 0;
  fc.assert(
    fc.property(
      scheduleIn().filter(({ every }) => every !== 'hour'),
      fc.integer({ min: Date.UTC(1999, 0, 1), max: Date.UTC(2099, 11, 31) }),
      fc.integer({ min: 0, max: 5_000 }),
      (drawn, startMs, daysLater) => {
        const schedule: Recurring = { ...drawn, timezone: 'UTC', startMs };
        const afterMs = startMs + daysLater * dayMs;
        const found = nextOccurrence(schedule, afterMs, 0);
        const offset = offsetOf(schedule.at) * minuteMs;
        let day = Math.floor(afterMs / dayMs) - 1;
        const firstDay = Math.floor(startMs / dayMs);
        while (!(isDayOf(schedule, day, firstDay) && day * dayMs + offset > afterMs)) day++;
        if (found !== day * dayMs + offset)
          throw new Error(`${JSON.stringify({ schedule, afterMs })}: ${iso(found)} not day ${day}`);
        count++;
      },
    ),
    { seed: 6, numRuns: tries(2_000) },
  );
  t.equal(count, tries(2_000));
});

t.test('no two occurrences are nearer than the shortest period says', async (t) => {
  const schedule = (rest: Omit<Recurring, 'type' | 'at' | 'timezone'>): Recurring => ({
    type: 'recurring',
    at: '09:00',
    timezone: 'UTC',
    ...rest,
  });
  for (const [rest, expected] of [
    [{ every: 'hour' }, hourMs],
    [{ every: 'hour', interval: 6 }, 6 * hourMs],
    [{ every: 'day', interval: 3 }, 3 * dayMs],
    [{ every: 'week' }, 7 * dayMs],
    [{ every: 'week', weekdays: [6] }, 7 * dayMs],
    [{ every: 'week', weekdays: [0, 2, 5] }, 2 * dayMs],
    [{ every: 'week', weekdays: [0, 6] }, dayMs],
    [{ every: 'week', interval: 2, weekdays: [0, 6] }, 6 * dayMs],
    [{ every: 'week', interval: 2, weekdays: [3] }, 14 * dayMs],
    [{ every: 'month' }, 28 * dayMs],
    [{ every: 'month', interval: 3 }, 84 * dayMs],
  ] as const)
    t.equal(shortestPeriodMs(schedule(rest)), expected, JSON.stringify(rest));
  fc.assert(
    fc.property(scheduleIn(), fc.integer({ min: 0, max: 4e12 }), (drawn, startMs) => {
      const chosen: Recurring = { ...drawn, timezone: 'UTC', startMs };
      const found = first(30, chosen) as Millis[];
      const gaps = found.slice(1).map((atMs, index) => atMs - (found[index] as Millis));
      const least = Math.min(...gaps);
      const shortest = shortestPeriodMs(chosen);
      if (chosen.every === 'month' ? least < shortest : least !== shortest)
        throw new Error(
          `${JSON.stringify(chosen)}: ${least / dayMs} days, not ${shortest / dayMs}`,
        );
    }),
    { seed: 7, numRuns: tries(300) },
  );
});

t.test('a schedule that makes no sense is told which member is wrong', async (t) => {
  const daily: Recurring = { type: 'recurring', every: 'day', at: '09:00', timezone: 'UTC' };
  const weekly: Recurring = { ...daily, every: 'week' };
  const monthly: Recurring = { ...daily, every: 'month' };
  const startMs = at('2026-05-01T10:00Z');
  const most = limits.recurrenceIntervalMax;
  const cases: readonly (readonly [Recurring, string | undefined])[] = [
    [daily, undefined],
    [{ ...daily, interval: 1 }, undefined],
    [{ ...daily, interval: most }, undefined],
    [{ ...daily, interval: 0 }, 'interval'],
    [{ ...daily, interval: most + 1 }, 'interval'],
    [{ ...daily, interval: 1.5 }, 'interval'],
    [{ ...daily, interval: Number.NaN }, 'interval'],
    [{ ...daily, at: '23:59' }, undefined],
    [{ ...daily, at: '24:00' }, 'at'],
    [{ ...daily, at: '9:00' }, 'at'],
    [{ ...weekly, weekdays: [0, 1, 2, 3, 4, 5, 6] }, undefined],
    [{ ...weekly, weekdays: [6] }, undefined],
    [{ ...weekly, weekdays: [] }, 'weekdays'],
    [{ ...weekly, weekdays: [7] }, 'weekdays'],
    [{ ...weekly, weekdays: [-1] }, 'weekdays'],
    [{ ...weekly, weekdays: [1.5] }, 'weekdays'],
    [{ ...weekly, weekdays: [4, 0] }, 'weekdays'],
    [{ ...weekly, weekdays: [0, 0] }, 'weekdays'],
    [{ ...daily, weekdays: [0] }, 'weekdays'],
    [{ ...monthly, weekdays: [0] }, 'weekdays'],
    [{ ...monthly, dayOfMonth: 1 }, undefined],
    [{ ...monthly, dayOfMonth: 31 }, undefined],
    [{ ...monthly, dayOfMonth: 0 }, 'dayOfMonth'],
    [{ ...monthly, dayOfMonth: 32 }, 'dayOfMonth'],
    [{ ...weekly, dayOfMonth: 1 }, 'dayOfMonth'],
    [{ ...daily, startMs }, undefined],
    [{ ...daily, endMs: startMs }, undefined],
    [{ ...daily, startMs: startMs - hourMs, endMs: startMs - hourMs + 1 }, undefined],
    [{ ...daily, startMs, endMs: startMs }, 'endAt'],
    [{ ...daily, startMs, endMs: startMs - 1 }, 'endAt'],
    // Nine o'clock had passed: the first occurrence is 23 hours later, and has to be before the
    // end.
    [{ ...daily, startMs, endMs: startMs + 23 * hourMs }, 'endAt'],
    [{ ...daily, startMs, endMs: startMs + 23 * hourMs + 1 }, undefined],
  ];
  for (const [schedule, member] of cases) {
    const found = recurringFault(schedule);
    const field = member === undefined ? undefined : `schedule.${member}`;
    t.equal(found?.field, field, JSON.stringify(schedule));
    if (found !== undefined) t.match(found, { code: 'invalid', message: `${field}: ` });
  }
  t.equal(recurringFault({ ...daily, at: '' }, 'steps[1].at')?.field, 'steps[1].at.at');
});

/** A schedule of any kind, but for its zone and its bounds. */
function scheduleIn(): fc.Arbitrary<Omit<Recurring, 'timezone'>> {
  const time = fc
    .oneof(
      fc.integer({ min: 0, max: 1439 }),
      fc.constantFrom(0, 1, 15, 30, 45, 90, 105, 120, 135, 150, 165, 1380, 1410),
    )
    .map((minute) =>
      [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':'),
    );
  const base = { type: fc.constant('recurring' as const), at: time };
  const interval = (max: number) => fc.option(fc.integer({ min: 1, max }), { nil: 1 });
  return fc.oneof(
    fc.record({ ...base, every: fc.constant('hour' as const), interval: interval(50) }),
    fc.record({ ...base, every: fc.constant('day' as const), interval: interval(9) }),
    fc.record({ ...base, every: fc.constant('week' as const), interval: interval(3) }),
    fc.record({
      ...base,
      every: fc.constant('week' as const),
      interval: interval(3),
      weekdays: fc
        .subarray([0, 1, 2, 3, 4, 5, 6], { minLength: 1 })
        .map((days) => days.sort((a, b) => a - b)),
    }),
    fc.record({
      ...base,
      every: fc.constant('month' as const),
      interval: interval(3),
      dayOfMonth: fc.oneof(fc.integer({ min: 1, max: 31 }), fc.integer({ min: 28, max: 31 })),
    }),
  );
}

/** All occurrences of a schedule within the months that were read. */
function readOccurrences(clock: ReadClock, schedule: Recurring, startMs: Millis): Millis[] {
  const { endMs = Number.POSITIVE_INFINITY } = schedule;
  const all =
    schedule.every === 'hour'
      ? readHours(clock, schedule, startMs)
      : readDays(clock, schedule, startMs);
  return all.filter((atMs) => atMs >= startMs && atMs < endMs);
}

function readDays(clock: ReadClock, schedule: Recurring, startMs: Millis): Millis[] {
  const firstDay = clock.days[clock.indexOf(startMs)] as number;
  return clock
    .timesOf(offsetOf(schedule.at))
    .filter(({ day }) => isDayOf(schedule, day, firstDay))
    .map(({ atMs }) => atMs);
}

/** Once a period of so many minutes has begun, the next minute that reads like `at`. */
function readHours(clock: ReadClock, schedule: Recurring, startMs: Millis): Millis[] {
  const wanted = offsetOf(schedule.at) % 60;
  const start = clock.indexOf(startMs);
  const firstIndex = start - ((clock.minutes[start] as number) % 60) + wanted;
  const step = 60 * (schedule.interval ?? 1);
  const found: Millis[] = [];
  let isDue = false;
  for (let index = firstIndex; index < clock.minutes.length; index++) {
    if ((index - firstIndex) % step === 0) isDue = true;
    if (!isDue || (clock.minutes[index] as number) % 60 !== wanted) continue;
    found.push(clock.instantOf(index));
    isDue = false;
  }
  return found;
}

/** Whether a schedule has an occurrence on a day, judged by that day and its first one alone. */
function isDayOf(schedule: Recurring, day: number, firstDay: number): boolean {
  const { every, interval = 1, dayOfMonth = 1 } = schedule;
  const date = new Date(day * dayMs);
  const firstDate = new Date(firstDay * dayMs);
  if (day < firstDay && every === 'day') return false;
  if (every === 'day') return (day - firstDay) % interval === 0;
  if (every === 'week') {
    const monday = (of: Date) => of.getTime() / dayMs - ((of.getUTCDay() + 6) % 7);
    const weekdays = schedule.weekdays ?? [(firstDate.getUTCDay() + 6) % 7];
    const weeks = (monday(date) - monday(firstDate)) / 7;
    return weekdays.includes((date.getUTCDay() + 6) % 7) && weeks >= 0 && weeks % interval === 0;
  }
  const monthOf = (of: Date) => of.getUTCFullYear() * 12 + of.getUTCMonth();
  const since = monthOf(date) - monthOf(firstDate);
  const length = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  return since >= 0 && since % interval === 0 && date.getUTCDate() === Math.min(dayOfMonth, length);
}

function offsetOf(text: string): number {
  const [hour = 0, minute = 0] = text.split(':').map(Number);
  return hour * 60 + minute;
}

function lastOf(clock: ReadClock): Millis {
  return clock.instantOf(clock.minutes.length - 1);
}
