// A person and a device as every read of the API and both exports show them, in one place so that
// they cannot differ. Exports, which read records alone, lack what a device says of opt-outs. JSON
// omits `undefined` members.

import type { Millis } from '../../../engine/base/brand.ts';
import type { DeviceRow } from '../../../storage/tables/subscriber.ts';
import type { ShownDevice, SubscriberView } from './protocol.ts';

function deviceView(device: DeviceRow) {
  const { id, channel, endpoint, enabled, disabledReason, environment } = device;
  return {
    id,
    channel,
    endpoint,
    enabled,
    disabledReason,
    environment,
    createdAt: instant(device.createdMs),
    updatedAt: instant(device.updatedMs),
  };
}

/** With whether a message could go there now, as far as the person decides it. */
export function shownDeviceView(device: ShownDevice) {
  const { enabled, suppressed } = device;
  return {
    ...deviceView(device),
    suppressed: suppressed && {
      scope: suppressed.scope,
      reason: suppressed.reason,
      at: suppressed.atMs === null ? null : instant(suppressed.atMs),
    },
    reachable: enabled && suppressed?.scope !== 'all',
  };
}

export function shownSubscriberView(person: SubscriberView) {
  return { ...subscriberView(person), devices: person.devices.map(shownDeviceView) };
}

type StoredSubscriber = Omit<SubscriberView, 'person' | 'devices'> & {
  readonly devices: readonly DeviceRow[];
};

export function subscriberView(person: StoredSubscriber) {
  const { id, externalUserId, devices, tags, preferredChannels, timezone, lastActiveMs } = person;
  return {
    id,
    externalUserId,
    devices: devices.map(deviceView),
    tags,
    preferredChannels,
    timezone,
    createdAt: instant(person.createdMs),
    updatedAt: instant(person.updatedMs),
    lastActiveAt: lastActiveMs === null ? null : instant(lastActiveMs),
  };
}

export type PublicSubscriber = ReturnType<typeof subscriberView>;

/** RFC 3339, UTC, milliseconds. */
function instant(ms: Millis): string {
  return new Date(ms).toISOString();
}
