// A time span divided into hours, days, weeks or months of a zone's calendar. A day is not always
// 24 hours and does not start at a fixed offset. It starts when the wall clock first shows its
// date, which may be one o'clock when clocks change, and a date that a zone skipped has no day.

import { dayMs, hourMs, type Millis } from '../../../engine/base/brand.ts';
import { civil, daysFromCivil, type OffsetAt } from '../../../engine/time/civil-time.ts';
import type { Interval } from './protocol.ts';

/** Consecutive buckets without gaps. */
export class Buckets {
  readonly starts: Float64Array;
  readonly endMs: Millis;
  #last = 0;

  constructor(starts: readonly Millis[], endMs: Millis) {
    this.starts = Float64Array.from(starts);
    this.endMs = endMs;
  }

  get count(): number {
    return this.starts.length;
  }

  get fromMs(): Millis {
    return this.starts[0] as Millis;
  }

  /**
   * The bucket of an instant; -1 outside of all. Fast where successive instants are close together.
   */
  of(atMs: Millis): number {
    const { starts } = this;
    const last = this.#last;
    if (atMs >= (starts[last] as Millis) && atMs < (starts[last + 1] ?? this.endMs)) return last;
    if (atMs >= this.endMs || atMs < this.fromMs) return -1;
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((starts[middle] as Millis) <= atMs) low = middle;
      else high = middle - 1;
    }
    this.#last = low;
    return low;
  }
}

/**
 * The last `days` days of a calendar up to the end of the hour, day or week with `nowMs`. Weeks
 * start on Monday. The first bucket starts with the span, so it may be partial.
 */
export function lastDays(
  interval: Interval,
  days: number,
  nowMs: Millis,
  offsetAt: OffsetAt,
): Buckets {
  const today = dayOn(nowMs, offsetAt);
  const first = today - days + 1;
  if (interval === 'hour') return hours(startOfDay(first, offsetAt), nowMs, offsetAt);
  const begins = [first];
  if (interval === 'day') for (let day = first + 1; day <= today; day++) begins.push(day);
  else for (let day = mondayOf(first) + 7; day <= today; day += 7) begins.push(day);
  const end = interval === 'day' ? today + 1 : mondayOf(today) + 7;
  return daysAsBuckets(begins, end, offsetAt);
}

/** Hours or days of a calendar, from the one with `fromMs` to the one before `toMs`, or with it. */
export function bucketsBetween(
  interval: 'hour' | 'day',
  fromMs: Millis,
  toMs: Millis,
  offsetAt: OffsetAt,
): Buckets {
  const lastMs = Math.max(fromMs, toMs - 1);
  if (interval === 'hour') {
    const local = fromMs + offsetAt(fromMs);
    return hours(fromMs - (((local % hourMs) + hourMs) % hourMs), lastMs, offsetAt);
  }
  const begins: number[] = [];
  const last = dayOn(lastMs, offsetAt);
  for (let day = dayOn(fromMs, offsetAt); day <= last; day++) begins.push(day);
  return daysAsBuckets(begins, last + 1, offsetAt);
}

/**
 * The last `count` whole days, Monday weeks or months of a calendar; the last one contains `nowMs`.
 */
export function lastPeriods(
  interval: 'day' | 'week' | 'month',
  count: number,
  nowMs: Millis,
  offsetAt: OffsetAt,
): Buckets {
  const today = dayOn(nowMs, offsetAt);
  const begins: number[] = [];
  if (interval === 'month') {
    const { year, month } = civil(nowMs, offsetAt(nowMs));
    const last = year * 12 + month - 1;
    for (let at = last - count + 1; at <= last; at++) begins.push(firstOfMonth(at));
    return daysAsBuckets(begins, firstOfMonth(last + 1), offsetAt);
  }
  const length = interval === 'week' ? 7 : 1;
  const current = interval === 'week' ? mondayOf(today) : today;
  for (let back = count - 1; back >= 0; back--) begins.push(current - back * length);
  return daysAsBuckets(begins, current + length, offsetAt);
}

/**
 * The start of a day in a zone: the first instant at which the wall clock shows this date or a
 * later one.
 */
export function startOfDay(day: number, offsetAt: OffsetAt): Millis {
  const local = day * dayMs;
  const before = offsetAt(local - dayMs);
  const after = offsetAt(local + dayMs);
  if (before === after) return local - before;
  // A change is near. No offset exceeds a day, so the day starts within these bounds.
  let low = local - 2 * dayMs;
  let high = local + 2 * dayMs;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (dayOn(middle, offsetAt) >= day) high = middle;
    else low = middle;
  }
  return high;
}

/** The wall clock's date, in days since the epoch. */
function dayOn(atMs: Millis, offsetAt: OffsetAt): number {
  return Math.floor((atMs + offsetAt(atMs)) / dayMs);
}

/** 1 January 1970 was a Thursday. */
function mondayOf(day: number): number {
  return day - ((((day + 3) % 7) + 7) % 7);
}

/** The first day of a month, counted from January of the year 0. */
function firstOfMonth(month: number): number {
  return daysFromCivil(Math.floor(month / 12), (month % 12) + 1, 1);
}

function daysAsBuckets(begins: readonly number[], end: number, offsetAt: OffsetAt): Buckets {
  const starts: Millis[] = [];
  for (const day of begins) {
    const startMs = startOfDay(day, offsetAt);
    if (startMs !== starts[starts.length - 1]) starts.push(startMs);
    // A skipped day starts together with the next one.
  }
  return new Buckets(starts, startOfDay(end, offsetAt));
}

/** Each hour starts where the wall clock shows a full hour, or one hour after the previous one. */
function hours(fromMs: Millis, nowMs: Millis, offsetAt: OffsetAt): Buckets {
  const starts: Millis[] = [];
  let atMs = fromMs;
  while (atMs <= nowMs) {
    starts.push(atMs);
    const local = atMs + offsetAt(atMs);
    atMs += hourMs - (((local % hourMs) + hourMs) % hourMs);
  }
  return new Buckets(starts, atMs);
}
