// Devices of a record that a message may reach: enabled, on a wanted channel, not opted out. The
// columns that `Gate` reads know people, not devices.

import type { DeviceRow, SubscriberRow } from '../../../storage/tables/subscriber.ts';
import { isOptedOut } from '../../audiences/segments/trait-changes.ts';

export function openDevices(
  person: SubscriberRow | undefined,
  isOn: (channel: string) => boolean,
  suppressions: ReadonlySet<string>,
): readonly DeviceRow[] {
  const isSuppressed = (identity: string) => suppressions.has(identity);
  return (person?.devices ?? []).filter(
    (device) => device.enabled && isOn(device.channel) && !isOptedOut(device, isSuppressed),
  );
}
