// Devices of a record that marketing may reach: enabled, on a wanted channel, not opted out. The
// columns that `Gate` reads know people, not devices.

import type { DeviceRow, SubscriberRow } from '../../../storage/tables/subscriber.ts';
import { isOptedOut } from '../../audiences/segments/trait-changes.ts';
import { takesMarketing } from '../../people/audience/identity.ts';
import type { OptOutReads } from '../../people/audience/reads.ts';

export function openDevices(
  person: SubscriberRow | undefined,
  isOn: (channel: string) => boolean,
  optOuts: OptOutReads,
): readonly DeviceRow[] {
  const hasOptedOut = (identity: string) => !takesMarketing(optOuts, identity);
  return (person?.devices ?? []).filter(
    (device) => device.enabled && isOn(device.channel) && !isOptedOut(device, hasOptedOut),
  );
}
