// A relay was mended: apps that wait for it try at once.

import type { Tell } from '../../../engine/actor/message.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { RelayRecord } from './records.ts';

/** Channels of relays that are new, or have another configuration than before, or are on again. */
export function mendedChannels(
  before: readonly RelayRecord[],
  after: readonly RelayRecord[],
): ReadonlySet<ChannelId> {
  const known = new Map(before.map((one) => [one.id, one]));
  const mended = after.filter(({ id, fingerprint, enabled }) => {
    const was = known.get(id);
    return enabled && (was?.enabled !== true || was.fingerprint !== fingerprint);
  });
  return new Set(mended.map(({ channel }) => channel));
}

export function mendedTells(
  apps: Iterable<Ordinal>,
  channels: ReadonlySet<ChannelId>,
): readonly Tell[] {
  return [...apps].flatMap((to) =>
    Array.from(channels, (channel) => {
      const message = { kind: 'dispatch.resume', by: -1, channel, now: true, relayMended: true };
      return { to, message: message as Tell['message'] };
    }),
  );
}
