// What a client token may change of its person's devices. A push token proves its own ownership.
// An address does not: what a call with a key registered, only such a call moves or ends; what a
// client registered yields to a session that is proven.

import {
  accepted,
  type Context,
  type Decision,
  type Entry,
  refused,
} from '../../../engine/actor/message.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import type { EndpointPolicy } from '../../channels/addresses/endpoint.ts';
import { catalog } from '../../channels/catalog.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import { unknownId } from '../../faults.ts';
import { holderOf, yields } from '../audience/address-holder.ts';
import { withoutDevice } from '../audience/endpoint-owner.ts';
import { normalizeEndpoint } from '../audience/identity.ts';
import type { DeviceInput } from '../audience/protocol.ts';
import { isUnconfirmed, unconfirmedReason } from '../audience/unconfirmed.ts';
import { changeDevices, unprefixed, withNewDevice } from '../audience/upsert.ts';
import type { Bearer } from './keyring.ts';
import { endSession, sessionsEnded } from './sessions.ts';

interface RegisterRules {
  readonly policy: EndpointPolicy;
  /** Whether channels that bill per message need no proof. */
  readonly allowPaid: boolean;
}

/** Adds a device to a person, or refreshes the one that has this endpoint. */
export function register(
  { row, isProven }: Bearer,
  device: DeviceInput,
  { policy, allowPaid }: RegisterRules,
  context: Context,
): Decision<{ readonly deviceId: string }> {
  if (catalog[device.channel].billsPerMessage === true && !allowPaid && !isProven)
    return refused(needsProof(device.channel));
  const by = isProven ? 'proven' : 'client';
  const held = holderOf(device, policy, context);
  const mine = held?.holder.person === row.person;
  if (held !== undefined && !mine && !yields(held, by)) return refused(isOthers);
  if (held !== undefined && mine && held.device.registeredBy === undefined) {
    if (device.enabled !== undefined && device.enabled !== held.device.enabled)
      return refused(isTenants('enabled', 'change'));
    return accepted({ deviceId: held.device.id });
  }
  const isAddress = catalog[device.channel].identity !== undefined;
  const input: DeviceInput = isAddress
    ? {
        ...device,
        registeredBy: mine && held?.device.registeredBy === 'proven' ? 'proven' : by,
        // A client cannot confirm for the owner of the address.
        ...(held !== undefined && isUnconfirmed(held.device) ? unconfirmed : {}),
      }
    : device;
  const added = withNewDevice(row.person, row.devices, input, 'device', context, policy);
  if ('fault' in added) return refused(unprefixed(added.fault));
  const also = { ...added, vouched: isProven };
  return changeDevices(row, added.devices, context, { deviceId: added.device.id }, also);
}

/** Ends the session of a token, and removes a device. */
export function logOut(
  { row, session, isProven }: Bearer,
  deviceId: string | undefined,
  context: Context,
): Decision<null> {
  const ended = endSession(row, session);
  const entries = [sessionsEnded(context.owner, ended)];
  if (deviceId === undefined) return changeDevices(ended, row.devices, context, null, { entries });
  return unregister({ row: ended, isProven }, deviceId, context, entries);
}

export function unregister(
  { row, isProven }: Pick<Bearer, 'row' | 'isProven'>,
  deviceId: string,
  context: Context,
  entries: readonly Entry[] = [],
): Decision<null> {
  const device = row.devices.find((one) => one.id === deviceId);
  if (device === undefined) return refused(unknownId('deviceId', 'device', deviceId));
  // A push token is the client's own; an address is the tenant's word against the client's.
  const isAddress = catalog[device.channel as ChannelId].identity !== undefined;
  if (isAddress && device.registeredBy === undefined)
    return refused(isTenants('deviceId', 'delete'));
  const devices = row.devices.filter((one) => one !== device);
  return changeDevices(row, devices, context, null, {
    documents: withoutDevice(device),
    entries,
    vouched: isProven,
  });
}

/** The same by the address. One that is not this person's is not told from one that was removed. */
export function unregisterAddress(
  bearer: Pick<Bearer, 'row' | 'isProven'>,
  address: Pick<DeviceInput, 'channel' | 'endpoint'>,
  policy: EndpointPolicy,
  context: Context,
): Decision<null> {
  const normal = normalizeEndpoint(address.channel, address.endpoint, policy);
  if ('problem' in normal) return refused(fieldFault('endpoint', normal.problem));
  const held = holderOf(address, policy, context);
  if (held?.holder.person !== bearer.row.person) return accepted(null);
  if (held.device.registeredBy === undefined && normal.identity !== undefined)
    return refused(isTenants('endpoint', 'delete'));
  return unregister(bearer, held.device.id, context);
}

const unconfirmed = { enabled: false, disabledReason: unconfirmedReason } as const;

const isOthers = fieldFault(
  'endpoint',
  'belongs to someone else; only a request with an API key can move it',
  'identity_required',
);

function needsProof(channel: ChannelId): Fault {
  return fieldFault(
    'channel',
    `${channel} messages cost money, so this app needs a login with an identityHash first`,
    'identity_required',
  );
}

function isTenants(field: string, verb: 'change' | 'delete'): Fault {
  return fieldFault(
    field,
    `a request with an API key registered this address; only such a request can ${verb} it`,
    'identity_required',
  );
}
