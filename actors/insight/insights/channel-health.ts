// Results of sends to devices per channel, each send counted once by its newest receipt. A send
// that was suppressed before it had a device has no channel and is not counted.

import { zoneOf } from '../../../engine/time/civil-time.ts';
import { channelIds } from '../../channels/channel-ids.ts';
import { SeenPeople } from '../../events/read/seen-people.ts';
import type { StoredWalk } from '../../events/read/stored-walk.ts';
import { lastDays } from './buckets.ts';
import type { ChannelHealth, Facts } from './protocol.ts';
import { receiptStatuses, standingReceipts } from './standing-receipts.ts';

/** Answers `insight.channel_health`. `comparedMax` is for tests. */
export function channelHealth(facts: Facts, walk: StoredWalk, comparedMax?: number): ChannelHealth {
  const buckets = lastDays('day', facts.span, facts.nowMs, zoneOf(facts.timezone));
  const counts = channelIds.map(() => ({ delivered: 0, bounced: 0, suppressed: 0, failed: 0 }));
  standingReceipts(
    walk,
    new SeenPeople(facts),
    buckets,
    (status, _person, _atMs, channel) => {
      const of = counts[channel - 1];
      if (of !== undefined) of[status]++;
    },
    comparedMax,
  );
  const channels = channelIds.flatMap((channel, index) => {
    const of = counts[index] as (typeof counts)[number];
    return receiptStatuses.every((status) => of[status] === 0) ? [] : [{ channel, ...of }];
  });
  return { channels };
}
