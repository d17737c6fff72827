// A person and a device as every read of the API and both exports show them, in one place so that
// they cannot differ. JSON omits `undefined` members.

import type { Millis } from '../../../engine/base/brand.ts';
import type { ShownDevice, SubscriberView } from './protocol.ts';

/** With whether a message could go there now, as far as the person decides it. */
export function deviceView(device: ShownDevice) {
  const { id, channel, endpoint, enabled, disabledReason, environment, suppressed } = device;
  return {
    id,
    channel,
    endpoint,
    enabled,
    disabledReason,
    environment,
    createdAt: instant(device.createdMs),
    updatedAt: instant(device.updatedMs),
    suppressed: suppressed && {
      scope: suppressed.scope,
      reason: suppressed.reason,
      source: suppressed.source,
      at: suppressed.atMs === null ? null : instant(suppressed.atMs),
    },
    reachable: enabled && suppressed?.scope !== 'all',
  };
}

export function personView(person: Omit<SubscriberView, 'person' | 'displayName'>) {
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

export type PublicSubscriber = ReturnType<typeof personView>;

/** RFC 3339, UTC, milliseconds. */
function instant(ms: Millis): string {
  return new Date(ms).toISOString();
}
