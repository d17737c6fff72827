// How long an app keeps its events.

import { dayMs, type Millis } from '../../engine/base/brand.ts';
import { limits } from '../limits.ts';

export function retentionOf(settings: { readonly eventsRetentionDays: number | null }): Millis {
  return (settings.eventsRetentionDays ?? limits.eventsRetentionDays) * dayMs;
}
