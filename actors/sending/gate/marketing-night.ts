// Until when a channel's provider takes no marketing, whoever it is for. A hold like that of quiet
// hours, so that a campaign waits where its people stand, and not as a million sends that the
// provider refused.

import type { Millis } from '../../../engine/base/brand.ts';
import { catalog } from '../../channels/catalog.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import { quietUntil } from './quiet-hours.ts';

/**
 * When the night ends that it is on a channel; undefined by day, and where the provider knows none.
 */
export function marketingNightUntil(channel: ChannelId, nowMs: Millis): Millis | undefined {
  const night = catalog[channel].marketingNight;
  return night && quietUntil(night, night.timezone, nowMs);
}
