// The rows of `endpoints` as decisions see them: read from the index in memory and the person's
// record, written as an entry. The table on the disk has what earlier builds wrote, until it is
// gathered (`gather-endpoints.ts`).

import type { DocumentReader } from '../../../engine/actor/message.ts';
import { newHashKey } from '../../../engine/base/hash.ts';
import { DamagedRecord } from '../../../storage/codec.ts';
import {
  type DeviceRow,
  type EndpointRow,
  endpoints,
  subscribers,
} from '../../../storage/tables/subscriber.ts';
import type { RememberedTable } from '../../area.ts';
import { readRow } from '../../readable-row.ts';
import { type EndpointKey, hashEndpoint, kindCode } from './endpoint-index.ts';
import { knownAsKey, storedKey } from './endpoint-owner.ts';
import type { AudienceApp } from './memory.ts';
import type { EndpointsEntry } from './protocol.ts';

type Indexed = Pick<AudienceApp, 'endpoints'>;

export const endpointRows = {
  table: endpoints,
  row: ({ endpoints: index }: Indexed, key, stored) => {
    const [kind, digest] = key as EndpointKey;
    const person = index.find([kind, digest]);
    if (person !== undefined) return deviceOf(person, [kind, digest], stored);
    if (index.isWhole) return undefined;
    const row = stored.get(endpoints, key);
    return row && deviceOf(row.person, [kind, digest], stored);
  },
  entry: ({ endpoints: index }: Indexed, writes, { owner, rng }): EndpointsEntry => {
    const key = index.key ?? newHashKey(rng);
    const hashes = new Uint32Array(writes.length * 2);
    const people = new Uint32Array(writes.length);
    const hash = { high: 0, low: 0 };
    for (const [i, { key: parts, value }] of writes.entries()) {
      const [kind, digest] = parts as EndpointKey;
      hashEndpoint(key, kindCode(kind), digest, 0, hash);
      hashes[2 * i] = hash.high;
      hashes[2 * i + 1] = hash.low;
      people[i] = value === undefined ? 0 : (value as EndpointRow).person + 1;
    }
    const changed: EndpointsEntry = { kind: 'endpoints.changed', owner, hashes, people };
    return index.key === undefined ? { ...changed, key } : changed;
  },
} satisfies RememberedTable<Indexed, EndpointRow>;

/** The row of an address, if the person's record has it. */
export function deviceOf(
  person: number,
  key: EndpointKey,
  stored: Pick<DocumentReader, 'get'>,
): EndpointRow | undefined {
  const row = readRow(stored as DocumentReader, subscribers, [person]);
  // Whoever needs the device reads the record itself, and sees that it is damaged.
  if (row instanceof DamagedRecord) return { person, deviceId: '' };
  const device = row?.devices.find((one) => hasKey(one, key));
  return device && { person, deviceId: device.id };
}

function hasKey(device: DeviceRow, [kind, digest]: EndpointKey): boolean {
  if (device.channel === kind) return isSame(storedKey(device)[1], digest);
  if (device.knownAs === undefined || kind !== `as ${device.channel}`) return false;
  return isSame(knownAsKey(device.channel, device.knownAs)[1], digest);
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}
