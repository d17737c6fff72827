// The `date` filter. Unlike liquidjs's it uses the render's instant and zone, not the machine's
// clock, zone and locale, so that a replay writes the same text. Month and day names are always
// English; other languages use numbers or a localization.

import { type Millis, minuteMs, secondMs } from '../../../engine/base/brand.ts';
import { type Civil, civil, daysInMonth, zoneOf } from '../../../engine/time/civil-time.ts';
import type { RenderBudget } from './render-budget.ts';
import { instantOf } from './written-date.ts';

export interface RenderMoment {
  /** What `now` and `today` mean. */
  readonly nowMs: Millis;
  /** IANA zone; an unknown one counts as UTC. */
  readonly timezone?: string;
}

const defaultFormat = '%A, %B %-e, %Y at %-l:%M %P %z';

/** Formats like strftime; `undefined` for what is no date. `zone`: IANA, or minutes west. */
export function formatDate(
  value: unknown,
  format: unknown,
  zone: unknown,
  moment: RenderMoment,
  budget: RenderBudget,
): string | undefined {
  const offsetAt = zoneOf(zone ?? moment.timezone);
  const ms = instantOf(value, moment.nowMs, offsetAt);
  if (ms === undefined) return undefined;
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

type Directive = (d: Civil, flags: string) => string | undefined;

const directives: Readonly<Record<string, Directive>> = {
  a: (d) => (weekdays[d.weekday] ?? '').slice(0, 3),
  A: (d) => weekdays[d.weekday],
  b: (d) => (months[d.month - 1] ?? '').slice(0, 3),
  h: (d, flags) => directive(d, 'b', flags),
  B: (d) => months[d.month - 1],
  c: (d) => compose(d, 'a', ' ', 'b', ' ', 'e', ' ', 'H', ':', 'M', ':', 'S', ' ', 'Y'),
  C: (d) => String(Math.floor(d.year / 100)),
  d: (d) => String(d.day),
  e: (d, flags) => directive(d, 'd', flags),
  D: (d) => compose(d, 'm', '/', 'd', '/', 'y'),
  x: (d, flags) => directive(d, 'D', flags),
  F: (d) => compose(d, 'Y', '-', 'm', '-', 'd'),
  H: (d) => String(d.hour),
  k: (d, flags) => directive(d, 'H', flags),
  I: (d) => String(d.hour % 12 || 12),
  l: (d, flags) => directive(d, 'I', flags),
  j: (d) => String(d.dayOfYear),
  L: (d) => String(d.millisecond),
  m: (d) => String(d.month),
  M: (d) => String(d.minute),
  n: () => '\n',
  N: (d) => `${String(d.millisecond).padStart(3, '0')}000000`,
  p: (d) => (d.hour < 12 ? 'AM' : 'PM'),
  P: (d) => (d.hour < 12 ? 'am' : 'pm'),
  q: (d) => ordinalSuffix(d.day),
  r: (d) => compose(d, 'I', ':', 'M', ':', 'S', ' ', 'p'),
  R: (d) => compose(d, 'H', ':', 'M'),
  s: (d) => String(Math.floor(d.ms / secondMs)),
  S: (d) => String(d.second),
  t: () => '\t',
  T: (d) => compose(d, 'H', ':', 'M', ':', 'S'),
  X: (d, flags) => directive(d, 'T', flags),
  u: (d) => String(d.weekday || 7),
  G: (d) => String(isoWeek(d).year),
  g: (d) => String(isoWeek(d).year % 100),
  V: (d) => String(isoWeek(d).week),
  U: (d) => String(Math.floor((d.dayOfYear + 6 - d.weekday) / 7)),
  w: (d) => String(d.weekday),
  W: (d) => String(Math.floor((d.dayOfYear + 6 - ((d.weekday + 6) % 7)) / 7)),
  y: (d) => String(d.year % 100),
  Y: (d) => String(d.year),
  z: (d, flags) => offsetText(d.offsetMs, flags.includes(':') ? ':' : ''),
  Z: (d, flags) => directive(d, 'z', flags),
  '%': () => '%',
};

function directive(d: Civil, code: string, flags: string): string | undefined {
  return directives[code]?.(d, flags);
}

function compose(d: Civil, ...codes: readonly string[]): string {
  let text = '';
  for (const code of codes) {
    text += /[a-zA-Z]/.test(code) ? pad(directive(d, code, '') ?? '', code, '', 0) : code;
  }
  return text;
}

/** The week of ISO 8601 and its year: the one that the week's Thursday is in. */
function isoWeek({ year, dayOfYear, weekday }: Civil): {
  readonly year: number;
  readonly week: number;
} {
  const thursday = dayOfYear + 4 - (weekday || 7);
  if (thursday < 1) {
    const before = thursday + daysInYear(year - 1);
    return { year: year - 1, week: Math.ceil(before / 7) };
  }
  const over = thursday - daysInYear(year);
  if (over > 0) return { year: year + 1, week: 1 };
  return { year, week: Math.ceil(thursday / 7) };
}

function daysInYear(year: number): number {
  return daysInMonth(year, 2) + 337;
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
  V: 2,
  W: 2,
  g: 2,
  y: 2,
  G: 4,
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
