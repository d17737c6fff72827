// A campaign's throttle per second, and the end of its experiment. No minute, wherever it starts,
// may exceed the throttle, so each second counts all seconds that share a minute with it. Parallel
// occurrences share one throttle.

import { type Millis, minuteMs, secondMs } from '../../../engine/base/brand.ts';
import type { Occurrence } from './occurrence.ts';
import type { CampaignRecord } from './records.ts';

type Throttled = Pick<CampaignRecord, 'throttle'>;
type Metered = Pick<Occurrence, 'rate'>;

/** How many may still leave in the second of `nowMs`: at most a second's share, to avoid bursts. */
export function unitsThisSecond(
  { throttle }: Throttled,
  occurrences: readonly Metered[],
  nowMs: Millis,
): number {
  if (throttle === undefined) return Number.POSITIVE_INFINITY;
  return unitsIn(Math.floor(nowMs / secondMs), throttle.perMinute, occurrences);
}

/** The next second with room; `undefined` if there is room now. */
export function throttledUntilMs(
  campaign: Throttled,
  occurrences: readonly Metered[],
  nowMs: Millis,
): Millis | undefined {
  const { throttle } = campaign;
  if (throttle === undefined || unitsThisSecond(campaign, occurrences, nowMs) > 0) return undefined;
  let second = Math.floor(nowMs / secondMs) + 1;
  while (unitsIn(second, throttle.perMinute, occurrences) <= 0) second++; // at most a minute
  return second * secondMs;
}

/** When the sample's time ends and a winner is chosen. */
export function experimentEndsMs(
  { experiment }: Pick<CampaignRecord, 'experiment'>,
  { startedMs, aheadMs }: Pick<Occurrence, 'startedMs' | 'aheadMs'>,
): Millis {
  return startedMs - aheadMs + (experiment?.decideAfterMinutes ?? 0) * minuteMs;
}

function unitsIn(second: number, perMinute: number, occurrences: readonly Metered[]): number {
  let [inSecond, inMinute] = [0, 0];
  for (const { rate } of occurrences) {
    inSecond += rate.inSecond(second);
    inMinute += rate.inMinuteOf(second);
  }
  return Math.min(Math.ceil(perMinute / 60) - inSecond, perMinute - inMinute);
}
