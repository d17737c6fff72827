// Instants in words: how long ago, how far ahead, on which day, at what time.

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });

const steps = [
  ['second', 1_000],
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
] as const;
const daysShown = 7;

/** "3 min. ago", "in 2 hr."; a date beyond a week. */
export function relativeTime(atMs: number, nowMs: number): string {
  const away = Math.abs(atMs - nowMs);
  if (away < 5_000) return relative.format(0, 'second');
  if (away > daysShown * 86_400_000) return shortDate(atMs, nowMs);
  const [unit, unitMs] = steps.findLast(([, ms]) => away >= ms) ?? steps[0];
  return relative.format(Math.trunc((atMs - nowMs) / unitMs), unit);
}

/** "3 May", with the year if it is another. */
export function shortDate(atMs: number, nowMs: number): string {
  const isThisYear = new Date(atMs).getFullYear() === new Date(nowMs).getFullYear();
  return dateFormat({
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? {} : { year: 'numeric' }),
  }).format(atMs);
}

/** The exact instant in a zone: "24 Nov 2026, 14:03:07 GMT+1". */
export function exactTime(atMs: number, timeZone?: string): string {
  return dateFormat({
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
    ...(timeZone === undefined ? {} : { timeZone }),
  }).format(atMs);
}

/** The time of day, as people say it of today: "14:02"; with the day for another. */
export function clockTime(atMs: number, nowMs: number): string {
  const isToday = new Date(atMs).toDateString() === new Date(nowMs).toDateString();
  return dateFormat({
    ...(isToday ? {} : { day: 'numeric', month: 'short' }),
    hour: '2-digit',
    minute: '2-digit',
  }).format(atMs);
}

/** To make a format takes far longer than to use it, and a list shows a hundred instants. */
const made = new Map<string, Intl.DateTimeFormat>();

/** The same object for the same options. */
export function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(options);
  let format = made.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-GB', options);
    made.set(key, format);
  }
  return format;
}
