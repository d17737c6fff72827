// By which relays a stream of an app's channel may leave, in their order. Pure. An app's own come
// instead of its org's, those instead of its agency's: whoever has an account of their own wants
// their own name to be judged.

import type { ChannelId } from '../../channels/channel-ids.ts';
import type { Stream } from '../../channels/port/open-relay.ts';
import type { RelaysReads } from './reads.ts';
import type { RelayRecord } from './records.ts';

const none: readonly RelayRecord[] = [];

/** Without the server's own way, which comes last; empty for most apps. */
export function waysOf(
  { relays, sharedRelays }: RelaysReads,
  channel: ChannelId,
  stream: Stream,
): readonly RelayRecord[] {
  if (relays.size === 0 && sharedRelays.length === 0) return none;
  const takes = (one: RelayRecord) =>
    one.enabled && one.channel === channel && one.streams.includes(stream);
  const own = [...relays.values()].filter(takes);
  if (own.length > 0) return own.sort(byOrder);
  const shared = sharedRelays.filter(takes);
  const [first] = shared;
  return shared.filter(({ owner }) => owner === first?.owner).sort(byOrder);
}

/** Whether any stream of a channel has a relay. */
export function hasWay(app: RelaysReads, channel: ChannelId): boolean {
  if (app.relays.size === 0 && app.sharedRelays.length === 0) return false;
  const takes = (one: RelayRecord) => one.enabled && one.channel === channel;
  return [...app.relays.values()].some(takes) || app.sharedRelays.some(takes);
}

function byOrder(one: RelayRecord, other: RelayRecord): number {
  return one.order - other.order || one.createdMs - other.createdMs || (one.id < other.id ? -1 : 1);
}
