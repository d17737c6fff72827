// How long an app keeps its events, and the service their ids.

import type { Ages } from '../../engine/actor/message.ts';
import { dayMs, hourMs, type Millis } from '../../engine/base/brand.ts';
import { eventIdHours } from '../../engine/base/expiring-set.ts';
import { limits } from '../limits.ts';

interface Retention {
  readonly eventsRetentionDays: number | null;
}

export function retentionOf({ eventsRetentionDays }: Retention): Millis {
  return (eventsRetentionDays ?? limits.eventsRetentionDays) * dayMs;
}

/** The oldest hour whose event ids are remembered, in hours since the epoch. */
export function oldestIdHour(ages: Ages, nowMs: Millis): number {
  return Math.floor(ages.cutMs(nowMs, eventIdHours * hourMs) / hourMs);
}
