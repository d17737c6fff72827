// Keeps the columns in step with the records: whatever decision writes a person or a suppression, what a filter could see
// of it goes into one entry beside it. In one place and from the written documents themselves, so that no decision can
// forget it.

import type { Context, DocumentWrite } from '../../engine/actor/message.ts';
import type { PersonOrdinal } from '../../engine/base/brand.ts';
import {
  type DeviceRow,
  type SubscriberRow,
  subscribers,
  type TagValue,
} from '../../storage/tables/subscriber.ts';
import { suppressions } from '../../storage/tables/suppression.ts';
import { peopleAt } from '../audience/decide.ts';
import { storedIdentity } from '../audience/identity.ts';
import { type ChannelId, channelIds } from '../channels/catalog.ts';
import type { AppState } from '../state.ts';
import type { SegmentsEntry, TraitChange } from './protocol.ts';

/** The entry that goes with a decision's documents; `undefined` when no filter could tell the difference. */
export function traitsChanged(
  app: AppState,
  writes: readonly DocumentWrite[],
  context: Pick<Context, 'owner' | 'documents'>,
): SegmentsEntry | undefined {
  const rows = new Map<PersonOrdinal, SubscriberRow>();
  const suppressed = new Map<string, boolean>();
  for (const { table, key, value } of writes) {
    if (table.id === subscribers.id && value !== undefined)
      rows.set(key[0] as PersonOrdinal, value as SubscriberRow);
    else if (table.id === suppressions.id) suppressed.set(key[0] as string, value !== undefined);
  }
  if (rows.size === 0 && suppressed.size === 0) return undefined;
  const wasSuppressed = (identity: string) => app.suppressions.has(identity);
  const isSuppressed = (identity: string) => suppressed.get(identity) ?? wasSuppressed(identity);
  const changes: TraitChange[] = [];
  for (const [person, row] of rows) {
    // Somebody whom this decision makes has no record yet.
    const before =
      person < app.people.next ? context.documents.get(subscribers, [person]) : undefined;
    const tags = changedTags(before?.tags ?? {}, row.tags);
    const reach = reachOf(row.devices, isSuppressed);
    const reachBefore = before === undefined ? 0 : reachOf(before.devices, wasSuppressed);
    const change: TraitChange = {
      person,
      ...(tags === undefined ? {} : { tags }),
      ...(reach === reachBefore ? {} : { reach }),
    };
    if (tags !== undefined || reach !== reachBefore) changes.push(change);
  }
  for (const identity of suppressed.keys()) {
    for (const person of peopleAt(identity, context)) {
      if (rows.has(person)) continue;
      const row = context.documents.get(subscribers, [person]);
      if (row !== undefined) changes.push({ person, reach: reachOf(row.devices, isSuppressed) });
    }
  }
  if (changes.length === 0) return undefined;
  return { kind: 'traits.changed', owner: context.owner, people: changes };
}

/** The channels that reach somebody with these devices, a bit each in the catalogue's order. */
export function reachOf(
  devices: readonly DeviceRow[],
  isSuppressed: (identity: string) => boolean,
): number {
  let reach = 0;
  for (const device of devices) {
    if (!device.enabled || isOptedOut(device, isSuppressed)) continue;
    reach |= 1 << channelIds.indexOf(device.channel as ChannelId);
  }
  return reach;
}

/** Whether the address of a device is suppressed. */
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
