// When the wall clock of a zone reads a time. Every local day has one instant for a time, or none.
// Easily got wrong: where a clock is put forward over the time, the first instant after the gap
// stands for it, which may be on the next day; where it is put back, the time is read twice and the
// earlier counts; and a day that a zone skipped has no times at all.

import { dayMs, hourMs, type Millis, minuteMs } from '../../../engine/base/brand.ts';
import { offsetSpan } from './offset-spans.ts';

/** The first instant at or after `fromMs` that is some local day's instant for `at` (`HH:mm`). */
export function nextLocalTime(zone: string, at: string, fromMs: Millis): Millis {
  // The time of the day before may lie in a gap that ends today.
  return firstFrom(zone, localDay(zone, fromMs) - 1, timeOfDayMs(at), fromMs).atMs;
}

/**
 * When somebody in a zone is reached by a campaign that begins at `startMs` and reaches everybody
 * at `at` (`HH:mm`) of their own day. `isNextDay`: on their day of `startMs` the time had passed by
 * then, and they are reached on their next one.
 */
export function localDelivery(
  zone: string,
  at: string,
  startMs: Millis,
): { readonly atMs: Millis; readonly isNextDay: boolean } {
  const today = localDay(zone, startMs);
  const { atMs, day } = firstFrom(zone, today, timeOfDayMs(at), startMs);
  return { atMs, isNextDay: day !== today };
}

/** Of the days from `day` on, the first whose instant for a time is not before `fromMs`. */
function firstFrom(
  zone: string,
  day: number,
  timeMs: Millis,
  fromMs: Millis,
): { readonly atMs: Millis; readonly day: number } {
  for (let later = day; ; later++) {
    const atMs = instantOn(zone, later, timeMs);
    if (atMs !== undefined && atMs >= fromMs) return { atMs, day: later };
  }
}

/**
 * The instant at which a zone's wall clock first reads a time on a day (in days since 1 January
 * 1970), or the first instant after the gap that the time lies in. Undefined for a day that the
 * zone skipped.
 */
export function instantOn(zone: string, day: number, timeMs: Millis): Millis | undefined {
  const local = day * dayMs + timeMs;
  // No zone is a day from UTC, so the clock has not got there in the first of these stretches, or
  // not before it began.
  let span = offsetSpan(zone, local - dayMs);
  while (local - span.offsetMs >= span.untilMs) {
    const next = offsetSpan(zone, span.untilMs);
    if (local - next.offsetMs < next.fromMs) {
      const dayBefore = Math.floor((next.fromMs - 1 + span.offsetMs) / dayMs);
      const dayAfter = Math.floor((next.fromMs + next.offsetMs) / dayMs);
      return dayBefore < day && day < dayAfter ? undefined : next.fromMs;
    }
    span = next;
  }
  return local - span.offsetMs;
}

/** The day that a zone's wall clock shows, in days since 1 January 1970. */
export function localDay(zone: string, atMs: Millis): number {
  return Math.floor((atMs + offsetSpan(zone, atMs).offsetMs) / dayMs);
}

/** How far into its day a zone's wall clock is. */
export function wallTimeMs(zone: string, atMs: Millis): Millis {
  const local = atMs + offsetSpan(zone, atMs).offsetMs;
  return local - Math.floor(local / dayMs) * dayMs;
}

/** How far into a day a time of `HH:mm` is. */
export function timeOfDayMs(at: string): Millis {
  return Number(at.slice(0, 2)) * hourMs + Number(at.slice(3, 5)) * minuteMs;
}

/** Whether a text is a wall-clock time, `00:00` to `23:59`. */
export function isLocalTime(text: string): boolean {
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(text);
}
