// Calls to one account of a provider, over the channels that share it: SMS and voice use one
// credential, so the account's limit is that of both, and they find out together when it ends.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import { catalog } from '../../channels/catalog.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import type { ProviderHealth } from './circuit.ts';
import type { OutboxEntry } from './protocol.ts';
import type { SendsReads, SendsView } from './reads.ts';
import { isSlowed } from './slowdown.ts';
import { channelResumeTimer } from './timers.ts';

type View = SendsReads & Pick<SendsView, 'record' | 'sending'>;

/** The channels of an account, this one included. */
export function channelsOfAccount(channel: ChannelId): readonly ChannelId[] {
  const { credential } = catalog[channel];
  if (credential === undefined) return [channel];
  return channelIds.filter((id) => catalog[id].credential === credential);
}

/** Calls in flight: sends of the outbox, and people of campaigns. */
export function callsOnAccount(
  { outbox, sending }: Pick<View, 'outbox' | 'sending'>,
  channel: ChannelId,
) {
  return channelsOfAccount(channel).reduce((calls, id) => {
    const rows = sending.rowsOn[channelIds.indexOf(id)] ?? 0;
    return calls + rows + (outbox.channels.get(id)?.inFlight ?? 0);
  }, 0);
}

/** What the other channels of an account learn of its limit from this one. */
export function othersSlowed(
  { outbox, record }: Pick<View, 'outbox' | 'record'>,
  channel: ChannelId,
  health: ProviderHealth,
  atMs: Millis,
): Entry[] {
  const wasSlowed = isSlowed(outbox.health(channel));
  if (!wasSlowed && !isSlowed(health)) return [];
  const { ordinal: owner } = record;
  return channelsOfAccount(channel).flatMap((other): Entry[] => {
    if (other === channel) return [];
    const known = outbox.health(other);
    const standing = isSlowed(health) ? slowedWith(known, health) : { ...known, slowed: 0 };
    const { pausedUntilMs } = standing;
    const settled: OutboxEntry = {
      kind: 'attempts.settled',
      owner,
      channel: other,
      atMs,
      standing,
      firstEvent: 0,
      items: [],
    };
    if (pausedUntilMs <= known.pausedUntilMs) return isSame(known, standing) ? [] : [settled];
    return [settled, channelResumeTimer(owner, other, pausedUntilMs)];
  });
}

function slowedWith(known: ProviderHealth, health: ProviderHealth): ProviderHealth {
  const { pausedUntilMs, slowed = 0, slowedMs, because } = health;
  return {
    ...known,
    slowed,
    pausedUntilMs: Math.max(known.pausedUntilMs, pausedUntilMs),
    ...(slowedMs === undefined ? {} : { slowedMs }),
    ...(because === undefined ? {} : { because }),
  };
}

function isSame({ slowed: one = 0 }: ProviderHealth, { slowed: other = 0 }: ProviderHealth) {
  return one === other;
}
