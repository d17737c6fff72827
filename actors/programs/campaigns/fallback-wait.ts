// When the wait before the fallback ends for people released late: it counts from their own send,
// or both channels would reach them in the same second. Ends are rounded up, to minutes and to a
// hundredth of a long wait, because a lane keeps a bitset for each instant until which it holds
// people.

import { type Millis, minuteMs, type PersonOrdinal } from '../../../engine/base/brand.ts';
import type { Occurrence } from './occurrence.ts';
import type { CampaignRecord } from './records.ts';

const instantsMax = 100;

/** 0 for everyone who had their turn before the wait began. */
export function fallbackWaitEndsMs(
  { fallbackAfterMinutes = 0 }: Pick<CampaignRecord, 'fallbackAfterMinutes'>,
  { lateSends }: Pick<Occurrence, 'lateSends'>,
  person: PersonOrdinal,
): Millis {
  const sentMs = lateSends.at(person);
  if (sentMs === 0) return 0;
  const step = Math.max(1, Math.floor(fallbackAfterMinutes / instantsMax)) * minuteMs;
  return Math.ceil((sentMs + fallbackAfterMinutes * minuteMs) / step) * step;
}
