// RFC 3339 to milliseconds: `parseInstant` for any string, `plainInstant` from request bytes for
// usual forms. Not `Date.parse`: it accepts more and rolls 31 February over to March. Cuts
// fractions below a millisecond; a leap second is the second after it.

import type { Millis } from '../base/brand.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../base/brand.ts';

const rfc3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** The instant of an RFC 3339 date-time, years 0000 to 9999, or `undefined`. */
export function parseInstant(text: string): Millis | undefined {
  const match = rfc3339.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction, sign, zoneHour, zoneMinute] = match;
  const date = dateMs(Number(year), Number(month), Number(day));
  if (date === undefined) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return undefined;
  const time = Number(hour) * hourMs + Number(minute) * minuteMs + Number(second) * secondMs;
  const millis = fraction === undefined ? 0 : Number(fraction.padEnd(3, '0').slice(0, 3));
  let offset = 0;
  if (sign !== undefined) {
    if (Number(zoneHour) > 23 || Number(zoneMinute) > 59) return undefined;
    offset = Number(zoneHour) * hourMs + Number(zoneMinute) * minuteMs;
    if (sign === '-') offset = -offset;
  }
  return date + time + millis - offset;
}

// Events of a request usually share their day.
let cachedDay = -1;
let cachedDayMs = 0;

/**
 * The instant in `bytes[start, end)` as `YYYY-MM-DDTHH:MM:SS`, optional fraction, `Z` or offset;
 * else -1 (also small letters, leap seconds, before 1970). Agrees with `parseInstant` if not -1.
 */
export function plainInstant(bytes: Uint8Array, start: number, end: number): Millis {
  if (end - start < 20) return -1;
  if (bytes[start + 4] !== hyphen || bytes[start + 7] !== hyphen) return -1;
  if (bytes[start + 10] !== letterT) return -1;
  if (bytes[start + 13] !== colon || bytes[start + 16] !== colon) return -1;
  const day =
    (twoDigits(bytes, start) * 100 + twoDigits(bytes, start + 2)) * 10000 +
    twoDigits(bytes, start + 5) * 100 +
    twoDigits(bytes, start + 8);
  const hour = twoDigits(bytes, start + 11);
  const minute = twoDigits(bytes, start + 14);
  const second = twoDigits(bytes, start + 17);
  if (hour > 23 || minute > 59 || second > 59) return -1;
  let i = start + 19;
  let millis = 0;
  if (bytes[i] === dot) {
    const first = ++i;
    for (let worth = 100; ; i++, worth = worth === 1 ? 0 : worth / 10) {
      const digit = i < end ? (bytes[i] as number) - zero : -1;
      if (digit < 0 || digit > 9) break;
      millis += digit * worth;
    }
    if (i === first) return -1;
  }
  const offset = bytes[i] === letterZ && i === end - 1 ? 0 : plainOffset(bytes, i, end);
  if (day !== cachedDay) {
    if (day >= notDigits) return -1;
    const ms = dateMs(Math.floor(day / 10000), Math.floor(day / 100) % 100, day % 100);
    if (ms === undefined) return -1;
    cachedDay = day;
    cachedDayMs = ms;
  }
  const instant =
    cachedDayMs + hour * hourMs + minute * minuteMs + second * secondMs + millis - offset;
  // A bad offset is `notDigits` days long, so it ends here too.
  return instant >= 0 ? instant : -1;
}

function plainOffset(bytes: Uint8Array, at: number, end: number): Millis {
  const sign = bytes[at];
  const isOffset = end - at === 6 && (sign === plus || sign === hyphen) && bytes[at + 3] === colon;
  const hours = isOffset ? twoDigits(bytes, at + 1) : notDigits;
  const minutes = isOffset ? twoDigits(bytes, at + 4) : notDigits;
  if (hours > 23 || minutes > 59) return notDigits * dayMs;
  return (hours * hourMs + minutes * minuteMs) * (sign === hyphen ? -1 : 1);
}

const plus = 43;
const hyphen = 45;
const dot = 46;
const zero = 48;
const colon = 58;
const letterT = 84;
const letterZ = 90;
// Above any date: a non-digit in any place makes the number this large.
const notDigits = 100_000_000;

function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = (bytes[at] as number) - zero;
  const ones = (bytes[at + 1] as number) - zero;
  return tens < 0 || tens > 9 || ones < 0 || ones > 9 ? notDigits : tens * 10 + ones;
}

/** Midnight UTC of a proleptic Gregorian date, or `undefined` for no such day. */
function dateMs(year: number, month: number, day: number): Millis | undefined {
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  // Years begin in March, so that the leap day is last.
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra =
    yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return (era * 146097 + dayOfEra - 719468) * dayMs;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
