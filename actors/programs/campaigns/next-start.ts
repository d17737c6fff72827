// When a recurring campaign starts next. Its periods are counted from its first occurrence.

import type { Millis } from '../../../engine/base/brand.ts';
import type { CampaignRecord } from './records.ts';
import { firstOccurrence, nextOccurrence } from './recurrence.ts';

/** The next start of a recurring campaign; `undefined` after its last and for other schedules. */
export function nextOf({ schedule, activatedMs, firstMs }: CampaignRecord, afterMs: Millis) {
  if (schedule.type !== 'recurring') return undefined;
  const counted = firstMs === undefined ? schedule : { ...schedule, startMs: firstMs };
  return nextOccurrence(counted, afterMs, activatedMs ?? afterMs);
}

/** A recurring campaign that counts its periods from its first occurrence from now on. */
export function countedFrom(campaign: CampaignRecord, wallMs: Millis): CampaignRecord {
  const { firstMs: _before, ...rest } = campaign;
  if (rest.schedule.type !== 'recurring') return rest;
  const firstMs = firstOccurrence(rest.schedule, wallMs);
  return firstMs === undefined ? rest : { ...rest, firstMs };
}
