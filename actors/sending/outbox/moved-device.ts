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
import type { Moved } from '../../channels/port/outcome.ts';
import type { EndpointKey } from '../../people/audience/endpoint-index.ts';
import { endpointKey, knownAsWrites } from '../../people/audience/endpoint-owner.ts';
import { normalizeEndpoint } from '../../people/audience/identity.ts';

interface MovedDevice {
  readonly row: SubscriberRow;
  /** Of the index of addresses. */
  readonly documents: readonly DocumentWrite[];
  /** The device's new address, if it changed. */
  readonly address?: EndpointKey;
}

/**
 * `undefined`: the device is gone or has another address since. `isInUse`: by any device. `reason`:
 * of a device that is disabled.
 */
export function movedDevice(
  row: SubscriberRow,
  deviceId: string,
  { from, endpoint, environment, knownAs }: Moved,
  isInUse: (key: EndpointKey) => boolean,
  nowMs: Millis,
  reason = 'moved',
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
  if (knownAs !== undefined) return named(row, device, knownAs);
  const server = environment === undefined ? {} : { environment };
  if (endpoint === undefined) {
    if (environment === undefined || environment === device.environment) return undefined;
    return { row: withDevice(server), documents: [] };
  }
  const channel = device.channel as ChannelId;
  const before = normalizeEndpoint(channel, device.endpoint);
  const after = normalizeEndpoint(channel, endpoint);
  if ('problem' in before || 'problem' in after || before.key === after.key) return undefined;
  const key = endpointKey(channel, after.key);
  if (isInUse(key))
    return { row: withDevice({ enabled: false, disabledReason: reason }), documents: [] };
  const { knownAs: _older, ...renamed } = device;
  return {
    row: {
      ...row,
      devices: row.devices.map((one) =>
        one === device
          ? { ...renamed, endpoint: after.endpoint, ...server, updatedMs: nowMs }
          : one,
      ),
      updatedMs: nowMs,
    },
    documents: [
      ...knownAsWrites(device, undefined),
      { table: endpoints, key: endpointKey(channel, before.key), value: undefined },
      { table: endpoints, key, value: { person: row.person, deviceId } },
    ],
    address: key,
  };
}

/** The provider calls the address otherwise than its person wrote it. */
function named(row: SubscriberRow, device: DeviceRow, knownAs: string): MovedDevice | undefined {
  if (device.knownAs === knownAs) return undefined;
  const value = { ...device, knownAs };
  const owner = { person: row.person, deviceId: device.id };
  return {
    row: { ...row, devices: row.devices.map((one) => (one === device ? value : one)) },
    documents: [...knownAsWrites(device, undefined), ...knownAsWrites(value, owner)],
  };
}
