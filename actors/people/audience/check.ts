// Checks endpoints against devices, and memory against its records.

import type { KeyPart } from '../../../engine/actor/message.ts';
import { parseId } from '../../../engine/base/id.ts';
import {
  type AliasRow,
  aliases,
  type DeviceRow,
  endpoints as endpointTable,
  type SubscriberRow,
  subscribers,
} from '../../../storage/tables/subscriber.ts';
import { type SuppressionRow, suppressions } from '../../../storage/tables/suppression.ts';
import { type AppCheck, type CheckedApp, checkOf } from '../../area-check.ts';
import type { EndpointKey } from './endpoint-index.ts';
import { knownAsKey, storedKey } from './endpoint-owner.ts';
import type { AudienceApp } from './memory.ts';

export function checkAudience(app: AudienceApp, checked: CheckedApp): AppCheck {
  const { people, endpoints, suppressions: optedOut, marketingOptOuts } = app;
  const counts = { people: 0, endpoints: 0, aliases: 0, suppressions: 0 };
  return {
    rows: [
      checkOf(subscribers, (row, key) => {
        counts.people++;
        counts.endpoints += row.devices.flatMap(keysOf).length;
        checkPerson(app, row, key, checked);
      }),
      checkOf(endpointTable, (_row, [kind]) => {
        if (endpoints.isWhole)
          checked.problem(`: the former table of endpoints has one of ${kind}`);
      }),
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
      if (endpoints.isWhole) compare(endpoints.count, 'endpoints', counts.endpoints);
      compare(merged, 'aliases', counts.aliases);
      compare(optedOut.size + marketingOptOuts.size, 'opt-outs', counts.suppressions);
    },
  };
}

function checkPerson(
  { people, endpoints }: AudienceApp,
  { person, id, externalUserId, devices }: SubscriberRow,
  key: readonly KeyPart[],
  { owner, problem }: CheckedApp,
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
  if (!endpoints.isWhole) return;
  for (const device of devices)
    for (const endpoint of keysOf(device)) {
      const found = endpoints.find(endpoint);
      if (found === undefined) problem(`${at}: the endpoint of ${device.id} is not in the index`);
      else if (found !== person)
        problem(`${at}: the endpoint of ${device.id} is filed as one of person ${found}`);
    }
}

/** Of its endpoint, and of what its provider calls it. */
function keysOf(device: DeviceRow): readonly EndpointKey[] {
  const { channel, knownAs } = device;
  const own = storedKey(device);
  return knownAs === undefined ? [own] : [own, knownAsKey(channel, knownAs)];
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
