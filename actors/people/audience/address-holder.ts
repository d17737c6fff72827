// Who has an address now, and whether it goes to another person. A push token proves its own
// ownership. An address does not: what a call with an API key registered, only such a call moves;
// what a client registered yields to a session that is proven.

import type { DocumentReader } from '../../../engine/actor/message.ts';
import {
  type DeviceRow,
  endpoints,
  type RegisteredBy,
  type SubscriberRow,
  subscribers,
} from '../../../storage/tables/subscriber.ts';
import type { EndpointPolicy } from '../../channels/addresses/endpoint.ts';
import { catalog } from '../../channels/catalog.ts';
import { endpointKey } from './endpoint-owner.ts';
import { normalizeEndpoint } from './identity.ts';
import type { DeviceInput } from './protocol.ts';

interface Held {
  readonly holder: SubscriberRow;
  readonly device: DeviceRow;
}

/** Who has this address now; undefined for a push token, which proves its own ownership. */
export function holderOf(
  { channel, endpoint }: DeviceInput,
  policy: EndpointPolicy,
  { documents }: { readonly documents: Pick<DocumentReader, 'get'> },
): Held | undefined {
  if (catalog[channel].identity === undefined) return undefined;
  const normal = normalizeEndpoint(channel, endpoint, policy);
  if ('problem' in normal) return undefined; // who registers it refuses it
  const owner = documents.get(endpoints, endpointKey(channel, normal.key));
  if (owner === undefined) return undefined;
  const holder = documents.get(subscribers, [owner.person]);
  const device = holder?.devices.find(({ id }) => id === owner.deviceId);
  return holder === undefined || device === undefined ? undefined : { holder, device };
}

/** Whether an address goes to another person: proof wins, and nobody knows who is anonymous. */
export function yields({ holder, device }: Held, by: RegisteredBy): boolean {
  if (device.registeredBy === undefined) return false;
  if (device.registeredBy !== by) return by === 'proven';
  return holder.externalUserId === undefined;
}
