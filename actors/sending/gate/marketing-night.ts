// Hours in which a channel's provider accepts no marketing, for anybody. A hold like quiet hours:
// the campaign waits instead of making a million refused sends.

import type { Millis } from '../../../engine/base/brand.ts';
import { catalog } from '../../channels/catalog.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import { quietUntil } from './quiet-hours.ts';

/** When the present night ends; `undefined` by day, and if the provider has none. */
export function marketingNightUntil(channel: ChannelId, nowMs: Millis): Millis | undefined {
  const night = catalog[channel].marketingNight;
  return night && quietUntil(night, night.timezone, nowMs);
}
