// The `date` filter. liquidjs's own reads the machine's clock, zone and locale; this one takes the
// instant and the zone of the render, so that a replay writes the same text. Names of months and
// days are English whatever the machine's locale; a text in another language formats with numbers,
// or has a localization.

import { type Millis, minuteMs, secondMs } from '../../engine/base/brand.ts';
import { type Civil, civil, zoneOf } from '../../engine/time/civil-time.ts';
import type { RenderBudget } from './render-budget.ts';
import { instantOf } from './written-date.ts';

/** When and where a text is rendered. */
export interface RenderMoment {
  /** What `now` and `today` mean. */
  readonly nowMs: Millis;
  /** IANA zone; one that is not known is read as UTC. */
  readonly timezone?: string;
}

const defaultFormat = '%A, %B %-e, %Y at %-l:%M %P %z';

/**
 * Formats a date in the manner of strftime. What is not a date (see `instantOf`) comes back as it
 * is, as in every Liquid. `zone`: an IANA name, or minutes west of UTC; without it the zone of
 * `moment`.
 */
export function formatDate(
  value: unknown,
  format: unknown,
  zone: unknown,
  moment: RenderMoment,
  budget: RenderBudget,
): unknown {
  const offsetAt = zoneOf(zone ?? moment.timezone);
  const ms = instantOf(value, moment.nowMs, offsetAt);
  if (ms === undefined) return value;
  const pattern = typeof format === 'string' ? format : defaultFormat;
  budget.use(pattern.length);
  budget.spend(Math.ceil(pattern.length / 8));
  const date = civil(ms, offsetAt(ms));
  return pattern.replace(/%([-_0^#:]*)(\d{0,2})([a-zA-Z%+])/g, (whole, flags, width, code) => {
    const text = directive(date, code, flags);
    return text === undefined ? whole : pad(text, code, flags, Number(width));
  });
}

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

function directive(d: Civil, code: string, flags: string): string | undefined {
  switch (code) {
    case 'a':
      return (weekdays[d.weekday] ?? '').slice(0, 3);
    case 'A':
      return weekdays[d.weekday];
    case 'b':
    case 'h':
      return (months[d.month - 1] ?? '').slice(0, 3);
    case 'B':
      return months[d.month - 1];
    case 'c':
      return compose(d, 'a', ' ', 'b', ' ', 'e', ' ', 'H', ':', 'M', ':', 'S', ' ', 'Y');
    case 'C':
      return String(Math.floor(d.year / 100));
    case 'd':
    case 'e':
      return String(d.day);
    case 'D':
    case 'x':
      return compose(d, 'm', '/', 'd', '/', 'y');
    case 'F':
      return compose(d, 'Y', '-', 'm', '-', 'd');
    case 'H':
    case 'k':
      return String(d.hour);
    case 'I':
    case 'l':
      return String(d.hour % 12 || 12);
    case 'j':
      return String(d.dayOfYear);
    case 'L':
      return String(d.millisecond);
    case 'm':
      return String(d.month);
    case 'M':
      return String(d.minute);
    case 'n':
      return '\n';
    case 'N':
      return `${String(d.millisecond).padStart(3, '0')}000000`;
    case 'p':
      return d.hour < 12 ? 'AM' : 'PM';
    case 'P':
      return d.hour < 12 ? 'am' : 'pm';
    case 'q':
      return ordinalSuffix(d.day);
    case 'r':
      return compose(d, 'I', ':', 'M', ':', 'S', ' ', 'p');
    case 'R':
      return compose(d, 'H', ':', 'M');
    case 's':
      return String(Math.floor(d.ms / secondMs));
    case 'S':
      return String(d.second);
    case 't':
      return '\t';
    case 'T':
    case 'X':
      return compose(d, 'H', ':', 'M', ':', 'S');
    case 'u':
      return String(d.weekday || 7);
    case 'U':
      return String(Math.floor((d.dayOfYear + 6 - d.weekday) / 7));
    case 'w':
      return String(d.weekday);
    case 'W':
      return String(Math.floor((d.dayOfYear + 6 - ((d.weekday + 6) % 7)) / 7));
    case 'y':
      return String(d.year % 100);
    case 'Y':
      return String(d.year);
    case 'z':
    case 'Z':
      return offsetText(d.offsetMs, flags.includes(':') ? ':' : '');
    case '%':
      return '%';
    default:
      return undefined;
  }
}

function compose(d: Civil, ...codes: readonly string[]): string {
  let text = '';
  for (const code of codes) {
    text += /[a-zA-Z]/.test(code) ? pad(directive(d, code, '') ?? '', code, '', 0) : code;
  }
  return text;
}

function ordinalSuffix(day: number): string {
  if (day >= 11 && day <= 13) return 'th';
  return ['th', 'st', 'nd', 'rd'][day % 10] ?? 'th';
}

function offsetText(offsetMs: Millis, separator: string): string {
  const minutes = Math.floor(Math.abs(offsetMs) / minuteMs);
  const hours = String(Math.floor(minutes / 60)).padStart(2, '0');
  return `${offsetMs < 0 ? '-' : '+'}${hours}${separator}${String(minutes % 60).padStart(2, '0')}`;
}

const widths: Readonly<Record<string, number>> = {
  C: 2,
  d: 2,
  e: 2,
  H: 2,
  I: 2,
  j: 3,
  k: 2,
  l: 2,
  L: 3,
  m: 2,
  M: 2,
  S: 2,
  U: 2,
  W: 2,
  y: 2,
  Y: 4,
};

function pad(text: string, code: string, flags: string, width: number): string {
  const cased = flags.includes('^')
    ? text.toUpperCase()
    : flags.includes('#')
      ? /[a-z]/.test(text)
        ? text.toUpperCase()
        : text.toLowerCase()
      : text;
  if (flags.includes('-')) return cased;
  const fill = flags.includes('_')
    ? ' '
    : flags.includes('0')
      ? '0'
      : 'aAbBcehklpP'.includes(code)
        ? ' '
        : '0';
  return cased.padStart(width || (widths[code] ?? 0), fill);
}
