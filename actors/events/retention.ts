// How long the service keeps the ids of events.

import type { Ages } from '../../engine/actor/message.ts';
import { hourMs, type Millis } from '../../engine/base/brand.ts';
import { eventIdHours } from '../../engine/base/expiring-set.ts';

/** The oldest hour whose event ids are remembered, in hours since the epoch. */
export function oldestIdHour(ages: Ages, nowMs: Millis): number {
  return Math.floor(ages.cutMs(nowMs, eventIdHours * hourMs) / hourMs);
}
