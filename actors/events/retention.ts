// How long an app keeps its events.

import { dayMs, type Millis } from '../../engine/base/brand.ts';
import { limits } from '../limits.ts';

interface Retention {
  readonly eventsRetentionDays: number | null;
}

export function retentionOf(settings: Retention): Millis {
  return retentionDaysOf(settings) * dayMs;
}

export function retentionDaysOf({ eventsRetentionDays }: Retention): number {
  return eventsRetentionDays ?? limits.eventsRetentionDays;
}
