// Makes a packed row of an import an object again, for the upsert.

import '../../../../engine/base/plain-msgpack.ts';
import { Unpackr } from 'msgpackr';
import type { DeviceRow, TagValue } from '../../../../storage/tables/subscriber.ts';
import type { ChannelId } from '../../../channels/channel-ids.ts';
import type { PackedRows, SubscriberInput } from '../protocol.ts';
import { startOf } from './layout.ts';

const unpackr = new Unpackr({ useRecords: false, moreTypes: true });

/** A row as the upsert takes it, which is what was packed but for endpoints in normal form. */
export function unpackedRow({ fields, fieldEnds }: PackedRows, row: number): SubscriberInput {
  const from = startOf(fieldEnds, row);
  const values: unknown = unpackr.unpackMultiple(fields.subarray(from, fieldEnds[row]));
  const [externalUserId, devices, tags, preferred, timezone] = values as Fields;
  return {
    ...(externalUserId === null ? {} : { externalUserId }),
    ...(Object.keys(tags).length === 0 ? {} : { tags }),
    ...(preferred === null ? {} : { preferredChannels: preferred }),
    ...(timezone === null ? {} : { timezone }),
    ...(devices.length === 0 ? {} : { devices: devices.map(inputOf) }),
  };
}

type Fields = readonly [
  externalUserId: string | null,
  devices: readonly DeviceRow[],
  tags: Readonly<Record<string, TagValue>>,
  preferredChannels: readonly ChannelId[] | null,
  timezone: string | null,
];

function inputOf({ channel, endpoint, environment }: DeviceRow) {
  return {
    channel: channel as ChannelId,
    endpoint,
    ...(environment === undefined ? {} : { environment }),
  };
}
