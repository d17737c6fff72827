// Pages of people for lists.

import { accepted, type Context, type Decision, refused } from '../../../engine/actor/message.ts';
import type { Bitset } from '../../../engine/base/bitset.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import { fieldFault } from '../../../engine/base/fault.ts';
import { type SubscriberRow, subscribers } from '../../../storage/tables/subscriber.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import { listCursor, placeOfCursor } from '../../list-cursor.ts';
import type { Page, SubscriberView } from './protocol.ts';
import type { PeopleReads } from './reads.ts';

export interface Listable {
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
    return accepted({ items: isShown ? [viewOf(app, row)] : [], nextCursor: null });
  }
  const items: SubscriberView[] = [];
  let next = -1;
  if (some === undefined) {
    const rows = documents.range(subscribers, { from: [from], limit: limit + 1 });
    for (const { value } of rows.slice(0, limit)) items.push(viewOf(app, value));
    next = rows[limit]?.value.person ?? -1;
  } else {
    for (next = some.nextFrom(from); next >= 0 && items.length < limit; ) {
      const row = documents.get(subscribers, [next]);
      if (row !== undefined) items.push(viewOf(app, row));
      next = some.nextFrom(next + 1);
    }
  }
  return accepted({ items, nextCursor: next < 0 ? null : listCursor('people', owner, next) });
}

export function viewOf(app: Pick<Listable, 'traits'>, row: SubscriberRow): SubscriberView {
  const { unclaimed, generation, proven, endedSessions, ...shown } = row;
  return {
    ...shown,
    externalUserId: row.externalUserId ?? null,
    preferredChannels: row.preferredChannels ?? null,
    timezone: row.timezone ?? null,
    lastActiveMs: app.traits.activity.at(row.person) || null,
  };
}
