// Local time of a zone at an instant, and the calendar. Reads only ICU's zone tables through Intl,
// so a replay gives the same. An offset belongs to an instant; a local time alone is none.

import { dayMs, hourMs, type Millis, minuteMs, secondMs } from '../base/brand.ts';

/** A zone's offset from UTC, in ms east. */
export type OffsetAt = (ms: Millis) => Millis;

const utc: OffsetAt = () => 0;
const zonesMax = 1_000;
const zones = new Map<string, OffsetAt>();

/** An IANA name, or minutes west of UTC; UTC if unknown. */
export function zoneOf(zone: unknown): OffsetAt {
  if (typeof zone === 'number' && Math.abs(zone) <= 24 * 60) return () => -zone * minuteMs;
  if (typeof zone !== 'string' || zone === 'UTC' || zone.length > 64) return utc;
  const known = zones.get(zone);
  if (known !== undefined) return known;
  let formatter: Intl.DateTimeFormat;
  try {
    formatter = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return utc;
  }
  const offsetAt: OffsetAt = (ms) => {
    const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
    for (const { type, value } of formatter.formatToParts(ms)) parts[type] = Number(value);
    const { year = 1, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    const local =
      daysFromCivil(year, month, day) * dayMs +
      hour * hourMs +
      minute * minuteMs +
      second * secondMs;
    return local - Math.floor(ms / secondMs) * secondMs;
  };
  // Names come in any case, so spellings outnumber zones.
  if (zones.size >= zonesMax) zones.clear();
  zones.set(zone, offsetAt);
  return offsetAt;
}

export interface Civil {
  readonly ms: Millis;
  readonly offsetMs: Millis;
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** 1 for 1 January. */
  readonly dayOfYear: number;
  /** 0 for Sunday. */
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
}

/** The wall clock at `ms`, `offsetMs` ahead of UTC. */
export function civil(ms: Millis, offsetMs: Millis): Civil {
  const local = Math.floor(ms + offsetMs);
  const days = Math.floor(local / dayMs);
  const time = local - days * dayMs;
  // The inverse of daysFromCivil.
  const shifted = days + 719468;
  const era = Math.floor(shifted / 146097);
  const dayOfEra = shifted - era * 146097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36524) -
      Math.floor(dayOfEra / 146096)) /
      365,
  );
  const marchDay =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * marchDay + 2) / 153);
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return {
    ms,
    offsetMs,
    year,
    month,
    day: marchDay - Math.floor((153 * marchMonth + 2) / 5) + 1,
    dayOfYear: days - daysFromCivil(year, 1, 1) + 1,
    weekday: (((days + 4) % 7) + 7) % 7,
    hour: Math.floor(time / hourMs),
    minute: Math.floor(time / minuteMs) % 60,
    second: Math.floor(time / secondMs) % 60,
    millisecond: time % secondMs,
  };
}

/** Days from 1970-01-01; months from 1. Proleptic Gregorian, by Howard Hinnant's algorithm. */
export function daysFromCivil(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return (
    era * 146097 +
    yearOfEra * 365 +
    Math.floor(yearOfEra / 4) -
    Math.floor(yearOfEra / 100) +
    dayOfYear -
    719468
  );
}

/** Months count from 1. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
