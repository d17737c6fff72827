// A histogram as plain numbers: any thread counts in one, the main thread sums and shows them.

import type { Millis } from '../base/brand.ts';

export interface Durations {
  /** Upper bounds of the buckets, ascending. */
  readonly boundsMs: readonly Millis[];
  /** Values per bucket; the last counts those above all bounds. */
  readonly counts: number[];
  sumMs: Millis;
}

export function noDurations(boundsMs: readonly Millis[]): Durations {
  return { boundsMs, counts: new Array<number>(boundsMs.length + 1).fill(0), sumMs: 0 };
}

/** Counts one value: tens of nanoseconds, for a turn, a commit or a call, never for an event. */
export function noteDuration(into: Durations, valueMs: Millis): void {
  const { boundsMs, counts } = into;
  let bucket = 0;
  while (bucket < boundsMs.length && valueMs > (boundsMs[bucket] as number)) bucket++;
  counts[bucket] = (counts[bucket] as number) + 1;
  into.sumMs += valueMs;
}

/** Adds the values of another thread, which has the same bounds. */
export function addDurations(sum: Durations, more: Durations): void {
  for (const [bucket, count] of more.counts.entries())
    sum.counts[bucket] = (sum.counts[bucket] ?? 0) + count;
  sum.sumMs += more.sumMs;
}
