// Which of an app's addresses a provider means by a number: the number itself, if a device has it,
// else one that the provider calls so, else another form of it that a device has.

import type { Context } from '../../../engine/actor/message.ts';
import { type EndpointRow, endpoints, subscribers } from '../../../storage/tables/subscriber.ts';
import { otherForms } from '../../channels/addresses/phone-forms.ts';
import { catalog } from '../../channels/catalog.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import { endpointKey, knownAsKey, peopleAt } from '../../people/audience/endpoint-owner.ts';
import { identityKey, normalizeEndpoint } from '../../people/audience/identity.ts';
import { readableRow } from '../../readable-row.ts';

type Reads = Pick<Context, 'documents'>;

/**
 * The identity key of an address; `undefined` if it is none. Without a device the form that was
 * heard of counts, as START must find what STOP wrote. `isHeard`: a word of it is kept.
 */
export function knownIdentity(
  channel: ChannelId,
  address: string,
  context: Reads,
  isHeard: (key: string) => boolean,
): string | undefined {
  const exact = identityKey(channel, address);
  const isHeld = (key: string) => peopleAt(key, context).length > 0;
  if (exact !== undefined && isHeld(exact)) return exact;
  const named = namedIdentity(channel, address, context);
  if (named !== undefined) return named;
  const keys = formsOf(channel, address).flatMap((form) => identityKey(channel, form) ?? []);
  if (keys.length < 2) return keys[0];
  return keys.find(isHeld) ?? keys.find(isHeard) ?? keys[0];
}

/** The device that has an address now. */
export function deviceWithAddress(
  channel: ChannelId,
  address: string,
  { documents }: Reads,
): EndpointRow | undefined {
  const at = (form: string) => {
    const normal = normalizeEndpoint(channel, form);
    if ('problem' in normal) return undefined;
    return documents.get(endpoints, endpointKey(channel, normal.key));
  };
  const [exact = address, ...others] = formsOf(channel, address);
  const known = at(exact) ?? documents.get(endpoints, knownAsKey(channel, address));
  return known ?? others.map(at).find((row) => row !== undefined);
}

/** Of the device that the provider calls so. */
function namedIdentity(channel: ChannelId, name: string, { documents }: Reads): string | undefined {
  const owner = documents.get(endpoints, knownAsKey(channel, name));
  const row = owner && readableRow(documents, subscribers, [owner.person]);
  const device = row?.devices.find(({ id }) => id === owner?.deviceId);
  return typeof device?.endpoint === 'string' ? identityKey(channel, device.endpoint) : undefined;
}

/** First as it is. */
function formsOf(channel: ChannelId, address: string): readonly string[] {
  return catalog[channel].identity === 'phone' ? [address, ...otherForms(address)] : [address];
}
