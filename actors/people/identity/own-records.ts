// What a client token may change of its person's devices. A push token proves its own ownership, an
// address does not: without an API key it must not move away from a known person.

import { type Context, type Decision, refused } from '../../../engine/actor/message.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { endpoints, type SubscriberRow, subscribers } from '../../../storage/tables/subscriber.ts';
import { catalog } from '../../channels/catalog.ts';
import { notFound } from '../../faults.ts';
import { endpointKey, withoutDevice } from '../audience/endpoint-owner.ts';
import { normaliseEndpoint } from '../audience/identity.ts';
import type { DeviceInput } from '../audience/protocol.ts';
import { changeDevices, unprefixed, withNewDevice } from '../audience/upsert.ts';

/** Adds a device to a person, or refreshes the one that has this endpoint. */
export function register(
  row: SubscriberRow,
  device: DeviceInput,
  allowHttp: boolean,
  context: Context,
): Decision<{ readonly deviceId: string }> {
  const conflict = endpointConflict(row, device, allowHttp, context);
  if (conflict !== undefined) return refused(conflict);
  const added = withNewDevice(row.person, row.devices, device, 'device', context, allowHttp);
  if ('fault' in added) return refused(unprefixed(added.fault));
  return changeDevices(row, added.devices, context, { deviceId: added.device.id }, added);
}

export function unregister(row: SubscriberRow, deviceId: string, context: Context): Decision<null> {
  const device = row.devices.find((one) => one.id === deviceId);
  if (device === undefined) return refused({ ...notFound('deviceId: device'), field: 'deviceId' });
  const devices = row.devices.filter((one) => one !== device);
  return changeDevices(row, devices, context, null, {
    documents: withoutDevice(device),
  });
}

function endpointConflict(
  { person }: SubscriberRow,
  { channel, endpoint }: DeviceInput,
  allowHttp: boolean,
  { documents }: Context,
): Fault | undefined {
  if (catalog[channel].identity === undefined) return undefined;
  const normal = normaliseEndpoint(channel, endpoint, { allowHttp });
  if ('problem' in normal) return undefined; // `withNewDevice` refuses it
  const owner = documents.get(endpoints, endpointKey(channel, normal.key))?.person;
  if (owner === undefined || owner === person) return undefined;
  if (documents.get(subscribers, [owner])?.externalUserId === undefined) return undefined;
  return fieldFault(
    'endpoint',
    'belongs to someone else; only a request with an API key can move it',
    'identity_required',
  );
}
