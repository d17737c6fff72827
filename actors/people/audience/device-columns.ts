// The devices of many sends as columns: how many each send has, and one after the other the channel
// and what of the id is its own. An entry with a thousand sends is a handful of values so, where as
// many lists of objects take longer to write than all else about them.

import type { Ordinal } from '../../../engine/base/brand.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import { deviceIdBytes, readDeviceId, writeDeviceId } from './device-ids.ts';

/** Devices of sends, all of one app; a send has at most 255. */
export interface DeviceColumns {
  /** Of each send. */
  readonly counts: Uint8Array;
  /** Of each device: a place in `channelIds`. */
  readonly channels: Uint8Array;
  /** Of each device: twelve bytes of its id (`device-ids.ts`). */
  readonly devices: Uint8Array;
}

/** One device of a send. */
export interface SendDevice {
  readonly deviceId: string;
  readonly channel: ChannelId;
}

/** The columns of these sends' devices. */
export function deviceColumns(sends: readonly (readonly SendDevice[])[]): DeviceColumns {
  let total = 0;
  for (const { length } of sends) total += length;
  const counts = new Uint8Array(sends.length);
  const channels = new Uint8Array(total);
  const devices = new Uint8Array(total * deviceIdBytes);
  let at = 0;
  for (let send = 0; send < sends.length; send++) {
    const theirs = sends[send] as readonly SendDevice[];
    counts[send] = theirs.length;
    for (const { deviceId, channel } of theirs) {
      channels[at] = channelIds.indexOf(channel);
      writeDeviceId(deviceId, devices, at * deviceIdBytes);
      at++;
    }
  }
  return { counts, channels, devices };
}

/** The device at a place of the columns, over all sends. */
export function deviceAt(
  app: Ordinal,
  { channels, devices }: DeviceColumns,
  at: number,
): SendDevice {
  const channel = channelIds[channels[at] as number] as ChannelId;
  return { deviceId: readDeviceId(app, devices, at), channel };
}
