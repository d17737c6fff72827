// Every channel's adapter, for a dispatch thread.

import { type Clock, systemClock } from '../../engine/time/clock.ts';
import { type ChannelId, channelIds } from './channel-ids.ts';
import type { Outbound } from './outbound/outbound-call.ts';
import type { Adapter, AdapterFactory } from './port/adapter.ts';
import type { ProviderConfig } from './port/provider-config.ts';
import type { RotateCredential } from './port/rotation.ts';
import { providers } from './providers.ts';

export async function createAdapters(
  config: ProviderConfig,
  outbound: Outbound,
  clock: Clock = systemClock,
  rotate?: RotateCredential,
  mailKeys?: readonly Uint8Array[],
): Promise<Map<ChannelId, Adapter>> {
  const factories = await Promise.all(channelIds.map((id) => providers[id].adapter()));
  const context = {
    ...{ config, outbound, clock },
    ...(rotate === undefined ? {} : { rotate }),
    ...(mailKeys === undefined ? {} : { mailKeys }),
  };
  return new Map(
    channelIds.map((id, index) => [id, (factories[index] as AdapterFactory)(context)]),
  );
}
