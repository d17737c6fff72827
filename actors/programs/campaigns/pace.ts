// How fast a campaign may go, and when what it waits for comes: its throttle, second by second, and
// the end of its experiment. What a reader would get wrong: no minute may have more than the
// throttle says, wherever it begins, so each second looks back over all seconds that a minute with
// it may touch; and two occurrences under way at once are one campaign.

import { type Millis, minuteMs, secondMs } from '../../../engine/base/brand.ts';
import type { Occurrence } from './occurrence.ts';
import type { CampaignRecord } from './records.ts';

type Throttled = Pick<CampaignRecord, 'throttle'>;
type Metered = Pick<Occurrence, 'rate'>;

/**
 * How many may still be handed out in the second of `nowMs`: no more than its share, so that there
 * are no bursts.
 */
export function unitsThisSecond(
  { throttle }: Throttled,
  occurrences: readonly Metered[],
  nowMs: Millis,
): number {
  if (throttle === undefined) return Number.POSITIVE_INFINITY;
  return unitsIn(Math.floor(nowMs / secondMs), throttle.perMinute, occurrences);
}

/** The next second in which a throttled campaign may go on; `undefined` where it may go on now. */
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

/** When the sample of an experiment has had its time. */
export function experimentEndsMs(
  { experiment }: Pick<CampaignRecord, 'experiment'>,
  { startedMs }: Pick<Occurrence, 'startedMs'>,
): Millis {
  return startedMs + (experiment?.decideAfterMinutes ?? 0) * minuteMs;
}

function unitsIn(second: number, perMinute: number, occurrences: readonly Metered[]): number {
  let [inSecond, inMinute] = [0, 0];
  for (const { rate } of occurrences) {
    inSecond += rate.inSecond(second);
    inMinute += rate.inMinuteOf(second);
  }
  return Math.min(Math.ceil(perMinute / 60) - inSecond, perMinute - inMinute);
}
