// How fast an occurrence may go, and when what it waits for comes: its throttle, second by second, and the end of its
// experiment. A throttle of so many a minute lets as many through in each aligned second as brings the minute to its number, so
// no minute has more, and a burst is never longer than a second's share.

import { type Millis, minuteMs, secondMs } from '../../engine/base/brand.ts';
import type { Occurrence } from './occurrence.ts';
import type { CampaignRecord } from './records.ts';

type Throttled = Pick<CampaignRecord, 'throttle'>;

/** How many may still be handed out in the second of `nowMs`. */
export function unitsThisSecond(
  { throttle }: Throttled,
  { throttled: [second, taken] }: Pick<Occurrence, 'throttled'>,
  nowMs: Millis,
): number {
  if (throttle === undefined) return Number.POSITIVE_INFINITY;
  const now = Math.floor(nowMs / secondMs);
  return shareOf(now, throttle.perMinute) - (now === second ? taken : 0);
}

/** The next second in which a throttled occurrence may go on; `undefined` where it may go on now. */
export function throttledUntilMs(
  campaign: Throttled,
  occurrence: Pick<Occurrence, 'throttled'>,
  nowMs: Millis,
): Millis | undefined {
  const { throttle } = campaign;
  if (throttle === undefined || unitsThisSecond(campaign, occurrence, nowMs) > 0) return undefined;
  let second = Math.floor(nowMs / secondMs) + 1;
  while (shareOf(second, throttle.perMinute) === 0) second++; // at most a minute
  return second * secondMs;
}

/** When the sample of an experiment has had its time. */
export function experimentEndsMs(
  { experiment }: Pick<CampaignRecord, 'experiment'>,
  { startedMs }: Pick<Occurrence, 'startedMs'>,
): Millis {
  return startedMs + (experiment?.decideAfterMinutes ?? 0) * minuteMs;
}

/** What one second has of a minute's number: the shares of any 60 seconds in a row add up to it. */
function shareOf(second: number, perMinute: number): number {
  const place = second % 60;
  return Math.floor((perMinute * (place + 1)) / 60) - Math.floor((perMinute * place) / 60);
}
