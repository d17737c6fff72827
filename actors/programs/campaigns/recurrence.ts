// When a recurring campaign is due. Days, weeks and months follow the zone's calendar, counted from
// the period of the first instant. Hours do not: they are always 60 minutes, or a clock change
// would skip one occurrence or start two at once.

import { Temporal } from 'temporal-polyfill';
import { dayMs, hourMs, type Millis } from '../../../engine/base/brand.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { civil, daysFromCivil } from '../../../engine/time/civil-time.ts';
import { limits } from '../../limits.ts';
import { instantOn, isLocalTime, timeOfDayMs, wallTimeMs } from '../../sending/gate/local-time.ts';
import { offsetSpan } from '../../sending/gate/offset-spans.ts';
import type { Recurring } from './records.ts';

/**
 * The first occurrence after `afterMs`, not before the start and before `endMs`. `anchorMs`, the
 * activation, is the start of a schedule without one.
 */
export function nextOccurrence(
  schedule: Recurring,
  afterMs: Millis,
  anchorMs: Millis,
): Millis | undefined {
  const startMs = schedule.startMs ?? anchorMs;
  const endMs = schedule.endMs ?? Infinity;
  const instantsOf =
    schedule.every === 'hour' ? hourly(schedule, startMs) : daily(schedule, startMs);
  // A clock change can move an instant past its period's end, so check the period before, too.
  const first = periodsUntil(schedule, startMs, Math.max(afterMs, startMs)) - 1;
  for (let period = Math.max(0, first); ; period++) {
    for (const atMs of instantsOf(period)) {
      if (atMs >= endMs) return undefined;
      if (atMs > afterMs && atMs >= startMs) return atMs;
    }
  }
}

/**
 * The first instant of the schedule's clock time from `fromMs`, or from its start. Its periods are
 * counted from there; a weekly schedule without weekdays recurs on its weekday.
 */
export function firstOccurrence(schedule: Recurring, fromMs: Millis): Millis | undefined {
  const { interval: _interval, startMs = fromMs, ...rest } = schedule;
  const isDaily = schedule.every === 'week' && schedule.weekdays === undefined;
  const each: Recurring = isDaily ? { ...rest, every: 'day' } : rest;
  return nextOccurrence({ ...each, startMs }, startMs - 1, startMs);
}

/** The least time between two occurrences, apart from clock changes. Months count 28 days each. */
export function shortestPeriodMs(schedule: Recurring): Millis {
  const { every, interval = 1, weekdays = [] } = schedule;
  if (every === 'hour') return interval * hourMs;
  if (every === 'day') return interval * dayMs;
  if (every === 'month') return interval * 28 * dayMs;
  const [first = 0] = weekdays;
  const following = [...weekdays.slice(1), first + 7 * interval];
  const gaps = following.map((weekday, index) => weekday - (weekdays[index] ?? first));
  return Math.min(...gaps) * dayMs;
}

/** The first problem of a schedule; `field` is its path. Its zone must be valid. */
export function recurringFault(schedule: Recurring, field = 'schedule'): Fault | undefined {
  const { every, interval = 1, at, weekdays, dayOfMonth, startMs, endMs } = schedule;
  const wrong = (member: string, problem: string) => fieldFault(`${field}.${member}`, problem);
  if (!isWholeWithin(interval, 1, limits.recurrenceIntervalMax))
    return wrong('interval', `expected a whole number from 1 to ${limits.recurrenceIntervalMax}`);
  if (!isLocalTime(at)) return wrong('at', 'expected a local time as HH:mm, from 00:00 to 23:59');
  if (weekdays !== undefined) {
    if (every !== 'week') return wrong('weekdays', 'can only be used with every: "week"');
    if (weekdays.length === 0 || !weekdays.every(isWeekdayAfter))
      return wrong('weekdays', 'expected days from "mon" to "sun", each at most once');
  }
  if (dayOfMonth !== undefined) {
    if (every !== 'month') return wrong('dayOfMonth', 'can only be used with every: "month"');
    if (!isWholeWithin(dayOfMonth, 1, 31))
      return wrong('dayOfMonth', 'expected a whole number from 1 to 31');
  }
  if (startMs !== undefined && endMs !== undefined) {
    if (endMs <= startMs) return wrong('endAt', 'must be after startAt');
    if (firstOccurrence(schedule, startMs) === undefined)
      return wrong('endAt', 'the schedule has no occurrence between startAt and endAt');
  }
  return undefined;
}

/** The instants of the nth period, ascending. */
type InstantsOf = (period: number) => readonly Millis[];

/**
 * Every `interval` × 60 minutes. If the zone shifts by half an hour, waits for the clock to show
 * the minute again, so two periods may share an instant.
 */
function hourly(schedule: Recurring, startMs: Millis): InstantsOf {
  const { interval = 1, timezone } = schedule;
  const minute = timeOfDayMs(schedule.at) % hourMs;
  const firstMs = startOfHour(timezone, startMs) + minute;
  return (period) => [minuteHandAt(timezone, minute, firstMs + period * interval * hourMs)];
}

/** The first instant from `fromMs` at which a zone's clock shows this minute. */
function minuteHandAt(zone: string, minute: Millis, fromMs: Millis): Millis {
  for (let atMs = fromMs; ; ) {
    const { untilMs } = offsetSpan(zone, atMs);
    const next = atMs + ((minute + hourMs - (wallTimeMs(zone, atMs) % hourMs)) % hourMs);
    if (next < untilMs) return next;
    atMs = untilMs;
  }
}

function daily(schedule: Recurring, startMs: Millis): InstantsOf {
  const { every, interval = 1, timezone, dayOfMonth = 1 } = schedule;
  const timeMs = timeOfDayMs(schedule.at);
  const start = dateAt(timezone, startMs);
  const monday = mondayOf(start);
  const weekdays = schedule.weekdays ?? [start.dayOfWeek - 1];
  const month = start.toPlainYearMonth();
  const datesOf = (period: number): readonly Temporal.PlainDate[] => {
    if (every === 'day') return [start.add({ days: period * interval })];
    if (every === 'week')
      return weekdays.map((weekday) => monday.add({ weeks: period * interval, days: weekday }));
    // Temporal clamps to the last day of a shorter month.
    return [month.add({ months: period * interval }).toPlainDate({ day: dayOfMonth })];
  };
  return (period) =>
    datesOf(period).flatMap(
      ({ year, month, day }) => instantOn(timezone, daysFromCivil(year, month, day), timeMs) ?? [],
    );
}

/** The number of periods that ended before `atMs`, from the one of the start. */
function periodsUntil(schedule: Recurring, startMs: Millis, atMs: Millis): number {
  const { every, interval = 1, timezone } = schedule;
  if (every === 'hour')
    return Math.floor((atMs - startOfHour(timezone, startMs)) / (interval * hourMs));
  const start = dateAt(timezone, startMs);
  const now = dateAt(timezone, atMs);
  const units = {
    day: () => start.until(now).days,
    week: () => mondayOf(start).until(mondayOf(now), { largestUnit: 'weeks' }).weeks,
    month: () =>
      start.toPlainYearMonth().until(now.toPlainYearMonth(), { largestUnit: 'months' }).months,
  };
  return Math.floor(units[every]() / interval);
}

function startOfHour(zone: string, atMs: Millis): Millis {
  return atMs - (wallTimeMs(zone, atMs) % hourMs);
}

function dateAt(zone: string, atMs: Millis): Temporal.PlainDate {
  const { year, month, day } = civil(atMs, offsetSpan(zone, atMs).offsetMs);
  return new Temporal.PlainDate(year, month, day);
}

function mondayOf(date: Temporal.PlainDate): Temporal.PlainDate {
  return date.subtract({ days: date.dayOfWeek - 1 });
}

function isWeekdayAfter(weekday: number, index: number, weekdays: readonly number[]): boolean {
  return isWholeWithin(weekday, (weekdays[index - 1] ?? -1) + 1, 6);
}

function isWholeWithin(value: number, min: number, max: number): boolean {
  return Number.isInteger(value) && value >= min && value <= max;
}
