// The instant that a date in a template means: as APIs, databases, mails and programs write it.
// Dates without a zone are local time, also a bare day: JavaScript would read "2026-03-01" as
// midnight UTC and print 28 February in Lima. The API is stricter (engine/time/instant.ts).

import { dayMs, hourMs, type Millis, minuteMs, secondMs } from '../../../engine/base/brand.ts';
import { daysFromCivil, daysInMonth, type OffsetAt } from '../../../engine/time/civil-time.ts';

const textMax = 128;

/**
 * Accepts `now`, `today`, a date of ISO 8601, RFC 2822 or in English, with or without time and
 * zone, and a number: seconds since 1970, or a finer unit if it is too large for seconds.
 * `undefined` for anything else, and outside the years 1 to 9999.
 */
export function instantOf(value: unknown, nowMs: Millis, offsetAt: OffsetAt): Millis | undefined {
  const ms = readInstant(value, nowMs, offsetAt);
  return ms !== undefined && ms >= earliest && ms < latest ? ms : undefined;
}

function readInstant(value: unknown, nowMs: Millis, offsetAt: OffsetAt): Millis | undefined {
  if (typeof value === 'number') return compact(String(value), offsetAt) ?? sinceEpoch(value);
  if (typeof value !== 'string' || value.length > textMax) return undefined;
  if (value === 'now' || value === 'today') return nowMs;
  const text = value.trim().replace(/\s+/g, ' ').replaceAll('\u2212', '-');
  const day = compact(text, offsetAt);
  if (day !== undefined) return day;
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return sinceEpoch(Number(text));
  for (const form of forms) {
    const parts = form.exec(text)?.groups;
    if (parts !== undefined) return fromParts(parts, offsetAt);
  }
  return undefined;
}

/**
 * The basic form of ISO 8601: 20261129, 20261129T150000Z, also without the T. As seconds, such
 * days would all be in August and September of 1970; with a time, in the years 2572 to 2666.
 */
function compact(text: string, offsetAt: OffsetAt): Millis | undefined {
  const parts = basicForm.exec(text.replace(/^(\d{8})(\d{6})$/, '$1T$2'))?.groups;
  return parts === undefined ? undefined : fromParts(parts, offsetAt);
}

const basicForm =
  /^(?<year>(?:19|20|21)\d\d)(?<month>\d\d)(?<day>\d\d)(?:T(?<hour>\d\d)(?<minute>\d\d)(?<second>\d\d)?(?:[.,](?<fraction>\d+))?)?(?<zone>.*)$/i;

/**
 * By its size: seconds below 10^11 (the year 5138), then milliseconds, microseconds, nanoseconds.
 * So milliseconds before March 1973 are taken for seconds.
 */
function sinceEpoch(value: number): Millis | undefined {
  const size = Math.abs(value);
  if (size < 1e11) return Math.floor(value * secondMs);
  if (size < 1e14) return Math.floor(value);
  if (size < 1e17) return Math.floor(value / 1e3);
  return size < 1e19 ? Math.floor(value / 1e6) : undefined;
}

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const clock = String.raw`(?<hour>\d\d?):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d+))?)?(?: ?(?<half>[ap])\.?m\.?)?`;
const month = String.raw`(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?`;
const weekday = '(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},? )?';
const day = String.raw`(?<day>\d\d?)(?:st|nd|rd|th)?`;
const year = String.raw`(?<year>\d{4})`;
const anyYear = String.raw`(?<year>\d{4}|\d\d)`;

const forms = [
  // ISO 8601 and databases: 2026-03-01T09:30:00.25Z, 2026-03-01 09:30:00+07, 2026/3/1
  String.raw`${year}(?<mark>[-/.])(?<month>\d\d?)\k<mark>(?<day>\d\d?)(?:(?:t|,? )${clock})?(?<zone>.*)`,
  // RFC 2822, Oracle and English: Sun, 1 Mar 2026 09:30:00 +0700, 01-MAR-26, 1st March 2026
  `${weekday}${day}[ -]${month}(?:,? |-)${anyYear}(?:,? (?:at )?${clock})?(?<zone>.*)`,
  // JavaScript and English: Sun Mar 01 2026 09:30:00 GMT+0700 (ICT), March 1, 2026
  `${weekday}${month} ${day},? ${year}(?:,? (?:at )?${clock})?(?<zone>.*)`,
  // C and Java: Sun Mar 1 09:30:00 UTC 2026
  String.raw`${weekday}${month} ${day} ${clock}(?<zone>(?: \S+)?) ${year}`,
].map((form) => new RegExp(`^${form}$`, 'i'));

type Parts = Readonly<Record<string, string | undefined>>;

function fromParts(parts: Parts, offsetAt: OffsetAt): Millis | undefined {
  const number = (name: string) => Number(parts[name] ?? 0);
  const named = (parts['month'] ?? '').toLowerCase();
  const month = months.indexOf(named.slice(0, 3)) + 1 || Number(named);
  const year = wholeYear(parts['year'] ?? '');
  const timeMs = timeOfDay(parts);
  if (timeMs === undefined || month < 1 || month > 12) return undefined;
  if (number('day') < 1 || number('day') > daysInMonth(year, month)) return undefined;
  const local = daysFromCivil(year, month, number('day')) * dayMs + timeMs;
  // The second look-up settles times near a change of the clocks; a skipped time moves forward.
  if (parts['zone'] === '') return local - offsetAt(local - offsetAt(local));
  const offsetMs = writtenOffset(parts['zone'] ?? '');
  return offsetMs === undefined ? undefined : local - offsetMs;
}

/** Two digits mean 1950 to 2049. Source: RFC 2822, 4.3; Oracle's RR is the same. */
function wholeYear(text: string): number {
  const year = Number(text);
  if (text.length > 2) return year;
  return year < 50 ? 2000 + year : 1900 + year;
}

/** 24:00 is the end of the day, and the second 60 one that was added to it. */
function timeOfDay(parts: Parts): Millis | undefined {
  const number = (name: string) => Number(parts[name] ?? 0);
  const half = parts['half']?.toLowerCase();
  if (half !== undefined && (number('hour') < 1 || number('hour') > 12)) return undefined;
  const hour =
    half === undefined ? number('hour') : (number('hour') % 12) + (half === 'p' ? 12 : 0);
  if (hour > 24 || number('minute') > 59 || number('second') > 60) return undefined;
  const ms =
    hour * hourMs +
    number('minute') * minuteMs +
    number('second') * secondMs +
    Number((parts['fraction'] ?? '').padEnd(3, '0').slice(0, 3));
  return hour === 24 && ms > dayMs ? undefined : ms;
}

/** Behind an offset may stand its name: `+0700 WIB`, `+07:00[Asia/Bangkok]`, `+0700 (ICT)`. */
const zoneForm =
  /^ ?(?<name>[a-z]{1,4})?(?:(?<sign>[+-])(?<hours>\d\d?)(?::?(?<minutes>\d\d)(?::?\d\d)?)?)?(?: [a-z]{2,5}| [+-]\d\d(?:\d\d)?|\[[^\]]+\]| \([^)]+\))?$/i;

/**
 * In hours; those of America are from RFC 2822, others those that mean one zone alone: not IST, BST
 * and AST.
 */
const zoneNames: Readonly<Record<string, number>> = {
  ...{ z: 0, ut: 0, utc: 0, gmt: 0 },
  ...{ est: -5, edt: -4, cst: -6, cdt: -5, mst: -7, mdt: -6, pst: -8, pdt: -7 },
  ...{ akst: -9, akdt: -8, hst: -10 },
  ...{ wet: 0, west: 1, cet: 1, cest: 2, eet: 2, eest: 3, msk: 3 },
  ...{ ict: 7, wib: 7, wita: 8, wit: 9, sgt: 8, hkt: 8, jst: 9, kst: 9 },
  ...{ awst: 8, acst: 9.5, acdt: 10.5, aest: 10, aedt: 11, nzst: 12, nzdt: 13 },
};

function writtenOffset(zone: string): Millis | undefined {
  const { name, sign, hours, minutes = '0' } = zoneForm.exec(zone)?.groups ?? {};
  const named = name === undefined ? 0 : zoneNames[name.toLowerCase()];
  if (named === undefined || (name === undefined && sign === undefined)) return undefined;
  if (sign === undefined) return named * hourMs;
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const size = Number(hours) * hourMs + Number(minutes) * minuteMs;
  return sign === '+' ? size : -size;
}

// A day inside the years 1 to 9999 on either side, so that no zone leaves them.
const earliest = (daysFromCivil(1, 1, 1) + 1) * dayMs;
const latest = (daysFromCivil(10000, 1, 1) - 1) * dayMs;
