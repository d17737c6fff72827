// Keeps the columns in step with the records: derives one entry from the documents that any
// decision writes, so that no decision can forget it.

import type { Context, DocumentWrite } from '../../../engine/actor/message.ts';
import type { Bytes, PersonOrdinal } from '../../../engine/base/brand.ts';
import {
  type DeviceRow,
  type SubscriberRow,
  subscribers,
  type TagValue,
} from '../../../storage/tables/subscriber.ts';
import { suppressions } from '../../../storage/tables/suppression.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import { countedBytes } from '../../people/audience/counted-bytes.ts';
import { peopleAt } from '../../people/audience/endpoint-owner.ts';
import { storedIdentity, takesMarketing } from '../../people/audience/identity.ts';
import type { SegmentsView } from './memory.ts';
import type { SegmentsEntry, TraitChange } from './protocol.ts';

/** Who makes the change: a call without a key, and without proof of who the client is. */
interface TraitsBy {
  readonly keyless?: boolean;
  readonly unproven?: boolean;
}

/** The entry for a decision's documents; `undefined` if no filter could see a difference. */
export function traitsChanged(
  app: SegmentsView,
  writes: readonly DocumentWrite[],
  context: Pick<Context, 'owner' | 'documents'>,
  { keyless = false, unproven = false }: TraitsBy = {},
): SegmentsEntry | undefined {
  const rows = new Map<PersonOrdinal, SubscriberRow>();
  let grewBytes = 0;
  const suppressed = new Map<string, boolean>();
  for (const { table, key, value } of writes) {
    if (table.id === subscribers.id) {
      const person = key[0] as PersonOrdinal;
      if (value !== undefined) rows.set(person, value as SubscriberRow);
      else grewBytes -= recordBytes(context.documents.get(subscribers, [person]));
    } else if (table.id === suppressions.id) suppressed.set(key[0] as string, value !== undefined);
  }
  if (rows.size === 0 && suppressed.size === 0 && grewBytes === 0) return undefined;
  const wasSuppressed = (identity: string) => !takesMarketing(app, identity);
  const isSuppressed = (identity: string) => suppressed.get(identity) ?? wasSuppressed(identity);
  const changes: TraitChange[] = [];
  for (const [person, row] of rows) {
    // A person created by this decision has no record yet.
    const before =
      person < app.people.next ? context.documents.get(subscribers, [person]) : undefined;
    grewBytes += recordBytes(row) - recordBytes(before);
    const tags = changedTags(before?.tags ?? {}, row.tags);
    const contact = changedContact(contactOf(before, wasSuppressed), contactOf(row, isSuppressed));
    if (tags === undefined && contact === undefined) continue;
    changes.push({ person, ...(tags === undefined ? {} : { tags }), ...contact });
  }
  for (const identity of suppressed.keys()) {
    for (const person of peopleAt(identity, context)) {
      if (rows.has(person)) continue;
      const row = context.documents.get(subscribers, [person]);
      if (row === undefined) continue;
      const { reach, optedOut } = contactOf(row, isSuppressed);
      changes.push({ person, reach, optedOut });
    }
  }
  if (changes.length === 0 && grewBytes === 0) return undefined;
  return {
    kind: 'traits.changed',
    owner: context.owner,
    people: changes,
    ...(grewBytes === 0 ? {} : { grewBytes }),
    ...(keyless ? { keyless } : {}),
    ...(unproven ? { unproven } : {}),
  };
}

function recordBytes(row: SubscriberRow | undefined): Bytes {
  return row === undefined ? 0 : countedBytes(row);
}

/** Channels are bits in the catalog's order. */
interface Contact {
  readonly reach: number;
  readonly zone: string | null;
  readonly preferred: number;
  readonly several: number;
  readonly optedOut: number;
}

function contactOf(
  row: Pick<SubscriberRow, 'devices' | 'timezone' | 'preferredChannels'> | undefined,
  isSuppressed: (identity: string) => boolean,
): Contact {
  let [reach, enabled, several, optedOut] = [0, 0, 0, 0];
  for (const device of row?.devices ?? []) {
    if (!device.enabled) continue;
    const bit = bitOf(device.channel);
    several |= enabled & bit;
    enabled |= bit;
    if (isOptedOut(device, isSuppressed)) optedOut |= bit;
    else reach |= bit;
  }
  let preferred = 0;
  for (const channel of row?.preferredChannels ?? []) preferred |= bitOf(channel);
  return { reach, zone: row?.timezone ?? null, preferred, several, optedOut };
}

function changedContact(before: Contact, after: Contact): Partial<Contact> | undefined {
  let changed: Partial<Contact> | undefined;
  for (const key of Object.keys(after) as (keyof Contact)[])
    if (before[key] !== after[key]) changed = { ...changed, [key]: after[key] };
  return changed;
}

function bitOf(channel: string): number {
  return 1 << channelIds.indexOf(channel as ChannelId);
}

export function isOptedOut(
  { channel, endpoint }: Pick<DeviceRow, 'channel' | 'endpoint'>,
  isSuppressed: (identity: string) => boolean,
): boolean {
  if (typeof endpoint !== 'string') return false;
  const identity = storedIdentity(channel as ChannelId, endpoint);
  return identity !== undefined && isSuppressed(identity);
}

function changedTags(
  before: Readonly<Record<string, TagValue>>,
  after: Readonly<Record<string, TagValue>>,
): Record<string, TagValue | null> | undefined {
  if (before === after) return undefined;
  let changed: Record<string, TagValue | null> | undefined;
  for (const [tag, value] of Object.entries(after)) {
    if (Object.hasOwn(before, tag) && isSame(before[tag] as TagValue, value)) continue;
    changed ??= {};
    changed[tag] = value;
  }
  for (const tag of Object.keys(before)) {
    if (Object.hasOwn(after, tag)) continue;
    changed ??= {};
    changed[tag] = null;
  }
  return changed;
}

function isSame(one: TagValue, other: TagValue): boolean {
  if (typeof one !== 'object' || typeof other !== 'object') return one === other;
  return one.length === other.length && one.every((element, i) => element === other[i]);
}
