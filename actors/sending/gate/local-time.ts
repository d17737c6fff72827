// When the wall clock of a zone shows a time. Each local day has one instant for a time: if the
// clock skips the time, the first instant after the gap, perhaps on the next day; if it shows the
// time twice, the earlier one; none on a day that the zone skipped.

import { dayMs, hourMs, type Millis, minuteMs } from '../../../engine/base/brand.ts';
import { offsetSpan } from './offset-spans.ts';

/** The first instant at or after `fromMs` at which a local day has the time `at` (`HH:mm`). */
export function nextLocalTime(zone: string, at: string, fromMs: Millis): Millis {
  // Yesterday's time may lie in a gap that ends today.
  return firstFrom(zone, localDay(zone, fromMs) - 1, timeOfDayMs(at), fromMs).atMs;
}

export interface LocalDelivery {
  readonly atMs: Millis;
  /** The time had passed on the day of the start. */
  readonly isNextDay: boolean;
}

/**
 * When a campaign that begins at `startMs` reaches people of a zone at `at` (`HH:mm`) of their day.
 * `isNextDay`: the time had passed on their day of `startMs`.
 */
export function localDelivery(zone: string, at: string, startMs: Millis): LocalDelivery {
  const today = localDay(zone, startMs);
  const { atMs, day } = firstFrom(zone, today, timeOfDayMs(at), startMs);
  return { atMs, isNextDay: day !== today };
}

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
 * The instant at which a zone's clock first shows a time on a day (days since 1970), or the first
 * instant after a gap. `undefined` for a day that the zone skipped.
 */
export function instantOn(zone: string, day: number, timeMs: Millis): Millis | undefined {
  const local = day * dayMs + timeMs;
  // No zone is a day from UTC: at `local - dayMs` the clock has not reached the time.
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

/** In days since 1 January 1970. */
function localDay(zone: string, atMs: Millis): number {
  return Math.floor((atMs + offsetSpan(zone, atMs).offsetMs) / dayMs);
}

/** Milliseconds since midnight on a zone's clock. */
export function wallTimeMs(zone: string, atMs: Millis): Millis {
  const local = atMs + offsetSpan(zone, atMs).offsetMs;
  return local - Math.floor(local / dayMs) * dayMs;
}

/** Milliseconds since midnight of `HH:mm`. */
export function timeOfDayMs(at: string): Millis {
  return Number(at.slice(0, 2)) * hourMs + Number(at.slice(3, 5)) * minuteMs;
}

/** `00:00` to `23:59`. */
export function isLocalTime(text: string): boolean {
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(text);
}
