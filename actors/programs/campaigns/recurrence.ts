// When a recurring campaign comes round. Days, weeks and months are those of the zone's calendar,
// each day with one instant (`local-time.ts`); periods count from the one that the first instant
// lies in, whether or not anything happened in it. What a reader would get wrong: hours are not the
// calendar's. They are sixty minutes each, or none would pass in the night that has one hour twice,
// and two at once in the night that lacks one.

import { Temporal } from 'temporal-polyfill';
import { dayMs, hourMs, type Millis } from '../../../engine/base/brand.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { civil, daysFromCivil } from '../../../engine/time/civil-time.ts';
import { limits } from '../../limits.ts';
import { instantOn, isLocalTime, timeOfDayMs, wallTimeMs } from '../../sending/gate/local-time.ts';
import { offsetSpan } from '../../sending/gate/offset-spans.ts';
import type { Recurring } from './records.ts';

/**
 * The first occurrence after `afterMs`, or none before the schedule ends. Of a schedule without a
 * start, `anchorMs` is its start: when the campaign was activated. No occurrence is before the
 * start.
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
  // An instant may lie behind the end of its period, where a gap held it up; so the period before
  // is looked at as well.
  const first = periodsUntil(schedule, startMs, Math.max(afterMs, startMs)) - 1;
  for (let period = Math.max(0, first); ; period++) {
    for (const atMs of instantsOf(period)) {
      if (atMs >= endMs) return undefined;
      if (atMs > afterMs && atMs >= startMs) return atMs;
    }
  }
}

/**
 * No two occurrences are nearer to each other, in hours of sixty minutes and days of twenty-four
 * hours; where a clock changes between two, they may be by that much. A month counts as 28 days,
 * also of several months, which never have as few each.
 */
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

/**
 * What makes no sense about a schedule, the first of it; `field` is the schedule's own path. The
 * zone is known to be one.
 */
export function recurringFault(schedule: Recurring, field = 'schedule'): Fault | undefined {
  const { every, interval = 1, at, weekdays, dayOfMonth, startMs, endMs } = schedule;
  const wrong = (member: string, problem: string) => fieldFault(`${field}.${member}`, problem);
  if (!isWholeWithin(interval, 1, limits.recurrenceIntervalMax))
    return wrong('interval', `expected a whole number from 1 to ${limits.recurrenceIntervalMax}`);
  if (!isLocalTime(at)) return wrong('at', 'expected a local time as HH:mm, from 00:00 to 23:59');
  if (weekdays !== undefined) {
    if (every !== 'week') return wrong('weekdays', 'can only be used with every: "week"');
    if (weekdays.length === 0 || !weekdays.every(isWeekdayAfter))
      return wrong(
        'weekdays',
        'expected days from 0 (Monday) to 6 (Sunday), in ascending order, without duplicates',
      );
  }
  if (dayOfMonth !== undefined) {
    if (every !== 'month') return wrong('dayOfMonth', 'can only be used with every: "month"');
    if (!isWholeWithin(dayOfMonth, 1, 31))
      return wrong('dayOfMonth', 'expected a whole number from 1 to 31');
  }
  if (startMs !== undefined && endMs !== undefined) {
    if (endMs <= startMs) return wrong('endAt', 'must be after startAt');
    if (nextOccurrence(schedule, startMs - 1, startMs) === undefined)
      return wrong('endAt', 'the schedule has no occurrence between startAt and endAt');
  }
  return undefined;
}

/** The instants of a period by its number, ascending. */
type InstantsOf = (period: number) => readonly Millis[];

/**
 * Occurrences are so many hours apart, of sixty minutes each. Where a zone changes by half an hour,
 * each is put off until the clock reads the minute again, so two periods may share one instant.
 */
function hourly(schedule: Recurring, startMs: Millis): InstantsOf {
  const { interval = 1, timezone } = schedule;
  const minute = timeOfDayMs(schedule.at) % hourMs;
  const firstMs = startOfHour(timezone, startMs) + minute;
  return (period) => [minuteHandAt(timezone, minute, firstMs + period * interval * hourMs)];
}

/** The first instant from one on at which the minutes of a zone's wall clock stand so. */
function minuteHandAt(zone: string, minute: Millis, fromMs: Millis): Millis {
  for (let atMs = fromMs; ; ) {
    const { untilMs } = offsetSpan(zone, atMs);
    const next = atMs + ((minute + hourMs - (wallTimeMs(zone, atMs) % hourMs)) % hourMs);
    if (next < untilMs) return next;
    atMs = untilMs;
  }
}

/** Occurrences on days of the zone's calendar. */
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
    // The library takes the last day of a month that is shorter.
    return [month.add({ months: period * interval }).toPlainDate({ day: dayOfMonth })];
  };
  return (period) =>
    datesOf(period).flatMap(
      ({ year, month, day }) => instantOn(timezone, daysFromCivil(year, month, day), timeMs) ?? [],
    );
}

/**
 * How many periods of a schedule were over at an instant, counted from the one that it starts in.
 */
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

/** The date that a zone's wall clock shows. */
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
