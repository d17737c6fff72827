// A person and a device as every read of the API and both exports show them, in one place so that
// they cannot differ. JSON omits `undefined` members.

import type { Millis } from '../../../engine/base/brand.ts';
import type { DeviceRow } from '../../../storage/tables/subscriber.ts';
import type { SubscriberView } from './protocol.ts';

export function deviceView(device: DeviceRow) {
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

export function subscriberView(person: Omit<SubscriberView, 'person'>) {
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
