// Merges an anonymous person into a known one: moves devices, events and missing tags, and channel
// preference and time zone if the known person has none. The anonymous record goes; its id stays as
// an alias. Stored events stay under the alias's ordinal, and readers ask `People`.

import type { Context, DocumentWrite, Entry } from '../../../engine/actor/message.ts';
import {
  aliases,
  type DeviceRow,
  type SubscriberRow,
  subscribers,
  type TagValue,
} from '../../../storage/tables/subscriber.ts';
import type { EveryArea } from '../../area.ts';
import { limits } from '../../limits.ts';
import { endpointWrites, withoutDevice } from '../audience/endpoint-owner.ts';
import type { AudienceEntry } from '../audience/protocol.ts';
import { isChoiceTag } from '../topics/choice-tag.ts';
import { mergedChoice } from '../topics/choices.ts';
import type { IdentityView } from './memory.ts';

/** Bytes left in a merged record for the login's own time zone and language. */
const spareBytes = 1_024;

/** The known person's next record, and what goes with it. */
interface Merged {
  readonly row: SubscriberRow;
  readonly entries: readonly Entry[];
  /** Without the record of the known person. */
  readonly documents: readonly DocumentWrite[];
}

export type MergingAreas = Pick<EveryArea<never>, 'mergePeople'>;

/** Whether one more person may be merged into this one. */
export function hasRoom(app: IdentityView, into: SubscriberRow): boolean {
  return app.people.aliasesOf(into.person).length < limits.aliasesMax;
}

/** `from` must have no external id, and differ from `into`. */
export function merge(
  app: IdentityView,
  from: SubscriberRow,
  into: SubscriberRow,
  everyArea: MergingAreas,
  { owner, nowMs, documents: reader }: Context,
  isProven: boolean,
): Merged {
  const moved = newest(from.devices, into);
  const documents: DocumentWrite[] = [
    { table: subscribers, key: [from.person], value: undefined },
    { table: aliases, key: [from.person], value: { id: from.id, into: into.person } },
    ...everyArea.mergePeople(from, into, { documents: reader }),
  ];
  for (const alias of app.people.aliasesOf(from.person)) {
    const row = reader.get(aliases, [alias]);
    if (row !== undefined)
      documents.push({ table: aliases, key: [alias], value: { ...row, into: into.person } });
  }
  for (const device of from.devices) {
    if (moved.includes(device))
      documents.push(...endpointWrites(device, { person: into.person, deviceId: device.id }));
    else documents.push(...withoutDevice(device));
  }
  const preferred = into.preferredChannels ?? from.preferredChannels;
  const timezone = into.timezone ?? from.timezone;
  const row: SubscriberRow = {
    ...into,
    devices: [...into.devices, ...moved],
    ...(preferred === undefined ? {} : { preferredChannels: preferred }),
    ...(timezone === undefined ? {} : { timezone }),
    createdMs: Math.min(from.createdMs, into.createdMs),
    updatedMs: nowMs,
  };
  const merged: AudienceEntry = {
    kind: 'subscriber.merged',
    owner,
    person: from.person,
    into: into.person,
    atMs: nowMs,
    ...(isProven ? {} : { unproven: true }),
  };
  return { row: { ...row, tags: filled(row, from.tags) }, entries: [merged], documents };
}

/** Devices that fit beside the known person's, newest first: no login fails for lack of room. */
function newest(devices: readonly DeviceRow[], into: SubscriberRow): readonly DeviceRow[] {
  let room = limits.devicesMax - into.devices.length;
  let bytes = limits.subscriberBytesMax - spareBytes - bytesOf(into);
  const kept = new Set<DeviceRow>();
  for (const device of devices.toSorted((one, other) => other.updatedMs - one.updatedMs)) {
    const size = bytesOf(device) + 1;
    if (room === 0 || size > bytes) continue;
    kept.add(device);
    room--;
    bytes -= size;
  }
  return devices.filter((device) => kept.has(device));
}

/**
 * The record's tags with those of `more` that it lacks and has room for, and with the stronger of
 * two choices: there is always room for those.
 */
function filled(
  row: SubscriberRow,
  more: Readonly<Record<string, TagValue>>,
): Readonly<Record<string, TagValue>> {
  const tags = { ...row.tags };
  let room = limits.subscriberBytesMax - spareBytes - bytesOf(row);
  for (const [tag, value] of Object.entries(more)) {
    if (isChoiceTag(tag)) {
      const own = tags[tag];
      tags[tag] = own === undefined ? value : mergedChoice(own, value);
      continue;
    }
    const bytes = bytesOf({ [tag]: value });
    if (Object.hasOwn(tags, tag) || bytes > room) continue;
    tags[tag] = value;
    room -= bytes;
  }
  return tags;
}

function bytesOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}
