// The rows of the registry, always written to both tables. A person has a bounded number, since
// nobody reports when a phone removes one: the least important gives way, perhaps an active one,
// whose waiting updates are then suppressed.

import type { Context, DocumentReader, DocumentWrite } from '../../../engine/actor/message.ts';
import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { parseId } from '../../../engine/base/id.ts';
import {
  type LiveActivityRow,
  liveActivities,
  liveActivitiesOfPeople,
} from '../../../storage/tables/live-activity.ts';
import type { SubscriberRow } from '../../../storage/tables/subscriber.ts';
import { limits } from '../../limits.ts';

type Reader = Pick<Context, 'documents'>;

/** `undefined` for an id of no activity of this app. */
export function readActivity(id: string, { documents }: Reader): LiveActivityRow | undefined {
  return parseId('la', id) === undefined ? undefined : documents.get(liveActivities, [id]);
}

/** A person's activities, oldest first. */
export function activitiesOf(person: PersonOrdinal, { documents }: Reader): LiveActivityRow[] {
  return idsOf(person, documents).flatMap((id) => documents.get(liveActivities, [id]) ?? []);
}

/** Writes a new row; removes one of the person's if there is no room. */
export function added(row: LiveActivityRow, theirs: readonly LiveActivityRow[]): DocumentWrite[] {
  const { person, id } = row;
  return [
    ...gone(surplus(theirs, 1)),
    { table: liveActivities, key: [id], value: row },
    { table: liveActivitiesOfPeople, key: [person, id], value: { id } },
  ];
}

/** Moves a merged person's activities, as many as there is room for. */
export function mergedActivities(
  from: Pick<SubscriberRow, 'person'>,
  into: Pick<SubscriberRow, 'person' | 'id'>,
  reader: Reader,
): DocumentWrite[] {
  const moved = activitiesOf(from.person, reader);
  if (moved.length === 0) return [];
  const lost = surplus([...activitiesOf(into.person, reader), ...moved], 0);
  const kept = moved.filter((row) => !lost.includes(row));
  return [
    ...gone(lost),
    ...kept.flatMap((row): DocumentWrite[] => [
      { table: liveActivitiesOfPeople, key: [from.person, row.id], value: undefined },
      { table: liveActivitiesOfPeople, key: [into.person, row.id], value: { id: row.id } },
      {
        table: liveActivities,
        key: [row.id],
        value: { ...row, person: into.person, subscriberId: into.id },
      },
    ]),
  ];
}

export function forgottenActivities(person: PersonOrdinal, { documents }: Reader): DocumentWrite[] {
  return gone(idsOf(person, documents).map((id) => ({ person, id })));
}

function gone(rows: readonly Pick<LiveActivityRow, 'person' | 'id'>[]): DocumentWrite[] {
  return rows.flatMap(({ person, id }) => [
    { table: liveActivities, key: [id], value: undefined },
    { table: liveActivitiesOfPeople, key: [person, id], value: undefined },
  ]);
}

/**
 * Rows that give way to `more` new ones: ended and closed first, then the least recently updated.
 */
function surplus(rows: readonly LiveActivityRow[], more: number): LiveActivityRow[] {
  const over = rows.length + more - limits.liveActivitiesMax;
  if (over <= 0) return [];
  return rows
    .toSorted(
      (one, other) =>
        Number(one.state === 'active') - Number(other.state === 'active') ||
        one.updatedMs - other.updatedMs,
    )
    .slice(0, over);
}

function idsOf(person: PersonOrdinal, documents: DocumentReader): string[] {
  const rows = documents.range(liveActivitiesOfPeople, {
    from: [person],
    to: [person + 1],
    limit: limits.liveActivitiesMax,
  });
  return rows.map(({ value }) => value.id);
}
