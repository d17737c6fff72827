// What counts as a change of a person for those who edit them: devices, tags, preference and time
// zone, and not what they last did.

import type { DeviceRow } from '../../../storage/tables/subscriber.ts';
import type { SuppressionRow } from '../../../storage/tables/suppression.ts';
import { etagOf } from '../../etag.ts';
import type { SubscriberView } from './protocol.ts';

type Person = Pick<SubscriberView, 'id' | 'tags'> & {
  readonly devices: readonly DeviceRow[];
  readonly externalUserId?: string | null;
  readonly preferredChannels?: readonly string[] | null;
  readonly timezone?: string | null;
};

export function personEtag(person: Person): string {
  const { id, tags, devices } = person;
  const { externalUserId, preferredChannels, timezone } = person;
  return etagOf({
    id,
    tags,
    devices: devices.map(deviceMembers),
    externalUserId: externalUserId ?? undefined,
    preferredChannels: preferredChannels ?? undefined,
    timezone: timezone ?? undefined,
  });
}

export function deviceEtag(device: DeviceRow): string {
  return etagOf(deviceMembers(device));
}

function deviceMembers(device: DeviceRow) {
  const { id, channel, endpoint, enabled, disabledReason, environment } = device;
  return { id, channel, endpoint, enabled, disabledReason, environment };
}

export function suppressionEtag(suppression: SuppressionRow): string {
  return etagOf(suppression);
}
