// Devices of many sends as columns, so that an entry of a thousand sends has a handful of values;
// lists of objects would take longer to write than all the rest.

import type { Ordinal } from '../../../engine/base/brand.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import { deviceIdBytes, readDeviceId, writeDeviceId } from './device-ids.ts';

/** Devices of one app's sends; a send has at most 255. */
export interface DeviceColumns {
  /** By send. */
  readonly counts: Uint8Array;
  /** By device: an index into `channelIds`. */
  readonly channels: Uint8Array;
  /** By device: twelve bytes of its id (`device-ids.ts`). */
  readonly devices: Uint8Array;
}

export interface SendDevice {
  readonly deviceId: string;
  readonly channel: ChannelId;
}

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

export function deviceAt(
  app: Ordinal,
  { channels, devices }: DeviceColumns,
  at: number,
): SendDevice {
  const channel = channelIds[channels[at] as number] as ChannelId;
  return { deviceId: readDeviceId(app, devices, at), channel };
}
