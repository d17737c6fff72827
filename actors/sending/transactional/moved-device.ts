// A provider reported a device's new address or server: the next send uses it. An address belongs
// to one device of the app: if another device has the new one, this device is disabled.

import type { DocumentWrite } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import {
  type DeviceRow,
  endpoints,
  type SubscriberRow,
} from '../../../storage/tables/subscriber.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { Moved } from '../../channels/outcome.ts';
import { endpointKey } from '../../people/audience/endpoint-owner.ts';
import { normaliseEndpoint } from '../../people/audience/identity.ts';

const movedAway = 'moved';

/** Key in the index of addresses. */
export type EndpointKey = ReturnType<typeof endpointKey>;

interface MovedDevice {
  readonly row: SubscriberRow;
  /** Of the index of addresses. */
  readonly documents: readonly DocumentWrite[];
  /** The device's new address, if it changed. */
  readonly taken?: EndpointKey;
}

/**
 * The person's record and the index after the move; `undefined` if the device is gone or has
 * another address since the attempt. `isTaken`: whether a device has the address.
 */
export function movedDevice(
  row: SubscriberRow,
  deviceId: string,
  { from, endpoint, environment }: Moved,
  isTaken: (key: EndpointKey) => boolean,
  nowMs: Millis,
): MovedDevice | undefined {
  const device = row.devices.find(({ id }) => id === deviceId);
  if (device === undefined || device.endpoint !== from) return undefined;
  const withDevice = (changed: Partial<DeviceRow>): SubscriberRow => ({
    ...row,
    devices: row.devices.map((one) =>
      one === device ? { ...device, ...changed, updatedMs: nowMs } : one,
    ),
    updatedMs: nowMs,
  });
  const server = environment === undefined ? {} : { environment };
  if (endpoint === undefined) {
    if (environment === undefined || environment === device.environment) return undefined;
    return { row: withDevice(server), documents: [] };
  }
  const channel = device.channel as ChannelId;
  const before = normaliseEndpoint(channel, device.endpoint);
  const after = normaliseEndpoint(channel, endpoint);
  if ('problem' in before || 'problem' in after || before.key === after.key) return undefined;
  const key = endpointKey(channel, after.key);
  if (isTaken(key))
    return { row: withDevice({ enabled: false, disabledReason: movedAway }), documents: [] };
  return {
    row: withDevice({ endpoint: after.endpoint, ...server }),
    documents: [
      { table: endpoints, key: endpointKey(channel, before.key), value: undefined },
      { table: endpoints, key, value: { person: row.person, deviceId } },
    ],
    taken: key,
  };
}
