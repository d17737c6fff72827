// The name of a bucket of time: an hour, a day or longer, as an axis and a reading show it. Buckets
// begin by the clock of the app's zone.

import { dateFormat } from './relative.ts';

type BucketInterval = 'minute' | 'hour' | 'day' | 'week' | 'month';

const short: Readonly<Record<BucketInterval, Intl.DateTimeFormatOptions>> = {
  minute: { hour: '2-digit', minute: '2-digit' },
  hour: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  day: { day: 'numeric', month: 'short' },
  week: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: 'numeric' },
};

const long: Readonly<Record<BucketInterval, Intl.DateTimeFormatOptions>> = {
  minute: { dateStyle: 'medium', timeStyle: 'short' },
  hour: { dateStyle: 'medium', timeStyle: 'short' },
  day: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  week: { day: 'numeric', month: 'short', year: 'numeric' },
  month: { month: 'long', year: 'numeric' },
};

export function axisTime(atMs: number, interval: BucketInterval, timeZone: string): string {
  return dateFormat({ ...short[interval], timeZone }).format(atMs);
}

export function bucketTime(atMs: number, interval: BucketInterval, timeZone: string): string {
  return dateFormat({ ...long[interval], timeZone }).format(atMs);
}
