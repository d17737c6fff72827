// How a channel's provider treats an app's messages now, for those who ask. Pure.

import type { Millis } from '../../../engine/base/brand.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import {
  type ChannelState,
  type ChannelStateView,
  type Circuit,
  isCircuitOpen,
  isUnreached,
  type ProviderHealth,
} from './circuit.ts';
import { isSlowed } from './slowdown.ts';

interface Healths {
  health(channel: ChannelId): ProviderHealth;
}

/** The state of every channel, also of those that never sent. */
export function statesOfChannels(outbox: Healths, nowMs: Millis): readonly ChannelStateView[] {
  return channelIds.map((channel) => {
    const health = outbox.health(channel);
    const state = stateOf(health, nowMs);
    const because = becauseOfState(health, state);
    const isWhole = state !== 'degraded' && state !== 'slowed';
    const { pausedUntilMs: untilMs = 0 } = isWhole ? health : {};
    return {
      channel,
      state,
      sinceMs: state === 'paused' && isSlowed(health) ? (health.slowedMs ?? null) : null,
      untilMs: untilMs > nowMs ? untilMs : null,
      because,
      domains: slowedParts(health).map(([domain, circuit]) => ({
        domain,
        sinceMs: circuit.slowedMs ?? null,
        untilMs: circuit.pausedUntilMs > nowMs ? circuit.pausedUntilMs : null,
        because: circuit.because,
      })),
    };
  });
}

function stateOf(health: ProviderHealth, nowMs: Millis): ChannelState {
  if (health.configFailures > 0) return 'refused';
  if (isUnreached(health)) return 'unreachable';
  if (isSlowed(health) || health.pausedUntilMs > nowMs) return 'paused';
  if (failingPart(health) !== undefined) return 'degraded';
  return slowedParts(health).length > 0 ? 'slowed' : 'ok';
}

function becauseOfState(health: ProviderHealth, state: ChannelState): Circuit['because'] {
  switch (state) {
    case 'refused':
    case 'unreachable':
      return health.because;
    case 'paused':
      return isSlowed(health) ? health.because : undefined;
    case 'degraded':
      return failingPart(health)?.because;
    case 'slowed':
      return slowedParts(health)[0]?.[1].because;
    case 'ok':
      return undefined;
  }
}

/** The circuit of a part that does not take messages at all. */
function failingPart({ accounts = {} }: ProviderHealth): Circuit | undefined {
  return Object.values(accounts).find((circuit) => isCircuitOpen({ ...circuit, slowed: 0 }));
}

/** Parts that are slowed down alone. */
function slowedParts({ accounts = {} }: ProviderHealth): readonly [string, Circuit][] {
  return Object.entries(accounts).filter(([, circuit]) => isSlowed(circuit));
}

/** For operators: how many of an app's channels are slowed down, whole or in parts. */
export function slowedChannels({
  channels,
}: {
  readonly channels: ReadonlyMap<ChannelId, ProviderHealth>;
}): number {
  let count = 0;
  for (const health of channels.values())
    if (isSlowed(health) || slowedParts(health).length > 0) count++;
  return count;
}
