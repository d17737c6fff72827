// Checks endpoints against devices, and memory against its records.

import type { KeyPart } from '../../../engine/actor/message.ts';
import { parseId } from '../../../engine/base/id.ts';
import {
  type AliasRow,
  aliases,
  type DeviceRow,
  type EndpointRow,
  endpoints,
  type SubscriberRow,
  subscribers,
} from '../../../storage/tables/subscriber.ts';
import { type SuppressionRow, suppressions } from '../../../storage/tables/suppression.ts';
import { type AppCheck, type CheckedApp, checkOf } from '../../area-check.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import { endpointKey, knownAsKey } from './endpoint-owner.ts';
import { normalizeEndpoint } from './identity.ts';
import type { AudienceApp } from './memory.ts';

export function checkAudience(app: AudienceApp, checked: CheckedApp): AppCheck {
  const { people, suppressions: optedOut, marketingOptOuts } = app;
  const counts = { people: 0, aliases: 0, suppressions: 0 };
  return {
    rows: [
      checkOf(subscribers, (row, key) => {
        counts.people++;
        checkPerson(app, row, key, checked);
      }),
      checkOf(endpoints, (row, key) => checkEndpoint(row, key, checked)),
      checkOf(aliases, (row, key) => {
        counts.aliases++;
        checkAlias(app, row, key, checked);
      }),
      checkOf(suppressions, (row, key) => {
        counts.suppressions++;
        checkSuppression(app, row, key, checked);
      }),
    ],
    end: () => {
      const merged = people.merged().length / 2;
      const compare = (known: number, what: string, found: number) => {
        if (known !== found)
          checked.problem(`: memory has ${known} ${what}, but there are ${found} records`);
      };
      compare(people.count, 'people', counts.people);
      compare(merged, 'aliases', counts.aliases);
      compare(optedOut.size + marketingOptOuts.size, 'opt-outs', counts.suppressions);
    },
  };
}

function checkPerson(
  { people }: AudienceApp,
  { person, id, externalUserId, devices }: SubscriberRow,
  key: readonly KeyPart[],
  { owner, documents, problem }: CheckedApp,
): void {
  const at = `, person ${person}`;
  if (key[0] !== person) problem(`${at}: the record is stored under ${String(key[0])}`);
  if (person >= people.next || people.isGone(person) || people.canonical(person) !== person)
    problem(`${at}: the record is of someone who is missing in memory`);
  const parts = parseId('sub', id);
  if (parts === undefined || parts.ordinal !== owner || parts.low32 !== person)
    problem(`${at}: the id ${id} belongs to someone else`);
  const known = externalUserId === undefined ? person : people.find(externalUserId);
  if (known !== person)
    problem(
      `${at}: memory has ${known === undefined ? 'nobody' : `person ${known}`} under its external id`,
    );
  for (const device of devices) {
    const found = documents.get(endpoints, deviceKey(device));
    if (found === undefined) problem(`${at}: the endpoint of ${device.id} is not in the index`);
    else if (found.person !== person || found.deviceId !== device.id)
      problem(
        `${at}: the endpoint of ${device.id} is filed as ${found.deviceId} of person ${found.person}`,
      );
  }
}

function checkEndpoint(
  { person, deviceId }: EndpointRow,
  key: readonly KeyPart[],
  { documents, problem }: CheckedApp,
): void {
  const at = `, endpoint of ${deviceId}`;
  const row = documents.get(subscribers, [person]);
  const device = row?.devices.find((one) => one.id === deviceId);
  if (device === undefined) {
    problem(`${at}: person ${person} has no such device`);
    return;
  }
  const name = device.knownAs;
  const isName = name !== undefined && key[0] === `as ${device.channel}`;
  const [channel, digest] = isName ? knownAsKey(device.channel, name) : deviceKey(device);
  if (channel !== key[0] || Buffer.compare(digest, key[1] as Uint8Array) !== 0)
    problem(`${at}: the device has another endpoint`);
}

function checkAlias(
  { people }: AudienceApp,
  { id, into }: AliasRow,
  key: readonly KeyPart[],
  { owner, problem }: CheckedApp,
): void {
  const person = Number(key[0]);
  const at = `, alias ${person}`;
  const parts = parseId('sub', id);
  if (parts === undefined || parts.ordinal !== owner || parts.low32 !== person)
    problem(`${at}: the id ${id} belongs to someone else`);
  if (people.canonical(person) !== into)
    problem(`${at}: is an alias of person ${into}, but memory disagrees`);
}

function checkSuppression(
  { suppressions: everything, marketingOptOuts }: AudienceApp,
  { identity, address, scope }: SuppressionRow,
  parts: readonly KeyPart[],
  { problem }: CheckedApp,
): void {
  const key = String(parts[0]);
  // The key contains an address, so a problem names only its class.
  const at = `, an opt-out of ${identity}`;
  if (key !== `${identity}:${address}`)
    problem(`${at}: the record is stored under another address`);
  const known = scope === 'marketing' ? marketingOptOuts : everything;
  if (!known.has(key)) problem(`${at}: is missing in memory`);
}

/** The key of a device's endpoint in the index. */
function deviceKey({ channel, endpoint }: DeviceRow): readonly [string, Uint8Array] {
  const normal = normalizeEndpoint(channel as ChannelId, endpoint, { allowHttp: true });
  return endpointKey(channel, 'problem' in normal ? JSON.stringify(endpoint) : normal.key);
}
