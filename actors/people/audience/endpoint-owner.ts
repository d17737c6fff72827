// Finds the owner of an address in the table of endpoints.

import { hash } from 'node:crypto';
import type { Context, DocumentWrite } from '../../../engine/actor/message.ts';
import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { deviceSends } from '../../../storage/tables/device-send.ts';
import { type DeviceRow, type EndpointRow, endpoints } from '../../../storage/tables/subscriber.ts';
import { catalog } from '../../channels/catalog.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import { type EndpointKey, endpointDigestBytes } from './endpoint-index.ts';
import { normalizeEndpoint, parseIdentityKey } from './identity.ts';

/** 128 bits of SHA-256 as the key, because a push token may exceed a key's length. */
export function endpointKey(channel: string, normalKey: string): EndpointKey {
  return [channel, Buffer.from(endpointDigest(normalKey), 'binary')];
}

/** The digest as text, one character a byte: a buffer of the whole costs more than the digest. */
export function endpointDigest(normalKey: string | Uint8Array): string {
  return hash('sha256', normalKey, 'binary').slice(0, endpointDigestBytes);
}

/** The key of an address that only the provider writes so. */
export function knownAsKey(channel: string, name: string): EndpointKey {
  return endpointKey(`as ${channel}`, name);
}

/** Writes or removes the owner of a stored device's endpoint, and of what its provider calls it. */
export function endpointWrites(
  device: DeviceRow,
  owner: EndpointRow | undefined,
): readonly DocumentWrite[] {
  return [endpointWrite(device, owner), ...knownAsWrites(device, owner)];
}

export function knownAsWrites(
  { channel, knownAs }: DeviceRow,
  owner: EndpointRow | undefined,
): readonly DocumentWrite[] {
  if (knownAs === undefined) return [];
  return [{ table: endpoints, key: knownAsKey(channel, knownAs), value: owner }];
}

function endpointWrite(device: DeviceRow, owner: EndpointRow | undefined): DocumentWrite {
  return { table: endpoints, key: storedKey(device), value: owner };
}

/** The key of a stored device's endpoint. */
export function storedKey({ channel, endpoint }: DeviceRow): EndpointKey {
  const normal = normalizeEndpoint(channel as ChannelId, endpoint, { allowHttp: true });
  return endpointKey(channel, 'problem' in normal ? JSON.stringify(endpoint) : normal.key);
}

/** Removes the endpoint of a device, and what callbacks about it needed. */
export function withoutDevice(device: DeviceRow): readonly DocumentWrite[] {
  return [...endpointWrites(device, undefined), withoutSendsOf(device.id)];
}

/** Removes what callbacks about a device needed: an erasure finds only the devices of records. */
export function withoutSendsOf(deviceId: string): DocumentWrite {
  return { table: deviceSends, key: [deviceId], value: undefined };
}

/** People with a device of this identity, on any channel of its class; each once. */
export function peopleAt(key: string, { documents }: Pick<Context, 'documents'>): PersonOrdinal[] {
  const named = parseIdentityKey(key);
  if (named === undefined) return [];
  const people = new Set<PersonOrdinal>();
  for (const channel of channelIds) {
    if (catalog[channel].identity !== named.identity) continue;
    const normal = normalizeEndpoint(channel, named.address);
    if ('problem' in normal) continue;
    const owner = documents.get(endpoints, endpointKey(channel, normal.key));
    if (owner !== undefined) people.add(owner.person);
  }
  return [...people];
}
