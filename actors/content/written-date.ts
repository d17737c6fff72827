// The instant that a date in a template means. Dates without a zone are local time, also a bare
// day: JavaScript would read "2026-03-01" as midnight UTC and print 28 February in Lima. The API is
// stricter (engine/time/instant.ts).

import { dayMs, hourMs, type Millis, minuteMs, secondMs } from '../../engine/base/brand.ts';
import { daysFromCivil, daysInMonth, type OffsetAt } from '../../engine/time/civil-time.ts';

const iso =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?: ?(?:([Zz])|([+-])(\d\d):?(\d\d)))?)?$/;

/**
 * Accepts seconds since the epoch (a number, or digits), `now`, `today`, or an ISO 8601 date with
 * or without time and zone. `undefined` for anything else, and outside the years 1 to 9999.
 */
export function instantOf(value: unknown, nowMs: Millis, offsetAt: OffsetAt): Millis | undefined {
  const ms = readInstant(value, nowMs, offsetAt);
  return ms !== undefined && ms >= earliest && ms < latest ? ms : undefined;
}

function readInstant(value: unknown, nowMs: Millis, offsetAt: OffsetAt): Millis | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value * secondMs : undefined;
  if (typeof value !== 'string' || value.length > 64) return undefined;
  if (value === 'now' || value === 'today') return nowMs;
  if (/^\d+$/.test(value)) return Number(value) * secondMs;
  const match = iso.exec(value.trim());
  if (match === null) return undefined;
  const [, y, mo, d, h = '0', mi = '0', s = '0', fraction = '', z, sign, zh, zm] = match;
  const [year, month, day] = [Number(y), Number(mo), Number(d)];
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  if (Number(h) > 23 || Number(mi) > 59 || Number(s) > 60) return undefined;
  const local =
    daysFromCivil(year, month, day) * dayMs +
    Number(h) * hourMs +
    Number(mi) * minuteMs +
    Number(s) * secondMs +
    Number(fraction.padEnd(3, '0').slice(0, 3));
  if (z !== undefined) return local;
  if (sign !== undefined) {
    const offset = Number(zh) * hourMs + Number(zm) * minuteMs;
    return sign === '+' ? local - offset : local + offset;
  }
  // The second look-up settles times near a change of the clocks; a skipped time moves forward.
  return local - offsetAt(local - offsetAt(local));
}

// A day inside the years 1 to 9999 on either side, so that no zone leaves them.
const earliest = (daysFromCivil(1, 1, 1) + 1) * dayMs;
const latest = (daysFromCivil(10000, 1, 1) - 1) * dayMs;
