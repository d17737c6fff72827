// People and devices as reads show them, and pages of people for lists.

import {
  accepted,
  type Context,
  type Decision,
  type DocumentReader,
  refused,
} from '../../../engine/actor/message.ts';
import type { Bitset } from '../../../engine/base/bitset.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import { fieldFault } from '../../../engine/base/fault.ts';
import {
  type DeviceRow,
  type SubscriberRow,
  subscribers,
} from '../../../storage/tables/subscriber.ts';
import { suppressions } from '../../../storage/tables/suppression.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import { listCursor, placeOfCursor } from '../../list-cursor.ts';
import { storedIdentity } from './identity.ts';
import type { Page, ShownDevice, SubscriberView } from './protocol.ts';
import type { OptOutReads, PeopleReads } from './reads.ts';

export interface Listable extends OptOutReads {
  readonly people: Pick<PeopleReads, 'find'>;
  readonly traits: {
    readonly activity: { at(person: PersonOrdinal): Millis };
    reachOn(channel: ChannelId): Bitset;
  };
}

interface PeoplePage {
  readonly externalUserId?: string;
  readonly channel?: ChannelId;
  readonly limit: number;
  readonly cursor?: string;
}

/** A page by ordinals, of everyone or of `among`, which it changes. */
export function pageOfPeople(
  app: Listable,
  among: Bitset | undefined,
  { externalUserId, channel, limit, cursor }: PeoplePage,
  { owner, documents }: Context,
): Decision<Page<SubscriberView>> {
  const from = cursor === undefined ? 0 : placeOfCursor('people', owner, cursor);
  if (from === undefined) return refused(fieldFault('cursor', 'invalid cursor for this list'));
  const reach = channel === undefined ? undefined : app.traits.reachOn(channel);
  const some = reach === undefined ? among : (among?.and(reach) ?? reach);
  if (externalUserId !== undefined) {
    const person = app.people.find(externalUserId);
    const row = person === undefined ? undefined : documents.get(subscribers, [person]);
    const isShown = row !== undefined && some?.test(row.person) !== false;
    return accepted({ items: isShown ? [viewOf(app, row, documents)] : [], nextCursor: null });
  }
  const items: SubscriberView[] = [];
  let next = -1;
  if (some === undefined) {
    const rows = documents.range(subscribers, { from: [from], limit: limit + 1 });
    for (const { value } of rows.slice(0, limit)) items.push(viewOf(app, value, documents));
    next = rows[limit]?.value.person ?? -1;
  } else {
    for (next = some.nextFrom(from); next >= 0 && items.length < limit; ) {
      const row = documents.get(subscribers, [next]);
      if (row !== undefined) items.push(viewOf(app, row, documents));
      next = some.nextFrom(next + 1);
    }
  }
  return accepted({ items, nextCursor: next < 0 ? null : listCursor('people', owner, next) });
}

export function viewOf(
  app: Pick<Listable, 'traits'> & OptOutReads,
  row: SubscriberRow,
  documents: DocumentReader,
): SubscriberView {
  const { unclaimed, generation, proven, endedSessions, ...shown } = row;
  return {
    ...shown,
    devices: row.devices.map((device) => shownDevice(app, device, documents)),
    externalUserId: row.externalUserId ?? null,
    preferredChannels: row.preferredChannels ?? null,
    timezone: row.timezone ?? null,
    lastActiveMs: app.traits.activity.at(row.person) || null,
  };
}

/** Reads the record of an opt-out only where there is one. */
export function shownDevice(
  app: OptOutReads,
  device: DeviceRow,
  documents: DocumentReader,
): ShownDevice {
  const { channel, endpoint } = device;
  const identity =
    typeof endpoint === 'string' ? storedIdentity(channel as ChannelId, endpoint) : undefined;
  if (identity === undefined) return { ...device, suppressed: null };
  const isAll = app.suppressions.has(identity);
  if (!isAll && !app.marketingOptOuts.has(identity)) return { ...device, suppressed: null };
  const row = documents.get(suppressions, [identity]);
  const scope = isAll ? 'all' : 'marketing';
  const reason = row?.reason ?? row?.source ?? null;
  return { ...device, suppressed: { scope, reason, atMs: row?.createdMs ?? null } };
}
