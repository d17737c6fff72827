// The rows of the registry, always in both tables at once. A person has a bounded number of
// activities: a phone shows a few, for twelve hours at most, and nobody tells us when it takes one
// away; so the one that matters least gives way to a new one. What a reader would get wrong: it may
// be an active one, and then what still waits for it is suppressed.

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

/** An activity of this app; `undefined` for any other id. */
export function readActivity(id: string, { documents }: Reader): LiveActivityRow | undefined {
  return parseId('la', id) === undefined ? undefined : documents.get(liveActivities, [id]);
}

/** A person's activities, oldest first. */
export function activitiesOf(person: PersonOrdinal, { documents }: Reader): LiveActivityRow[] {
  return idsOf(person, documents).flatMap((id) => documents.get(liveActivities, [id]) ?? []);
}

/** Writes a row that is new to its person; whom it needs room from goes. */
export function added(row: LiveActivityRow, theirs: readonly LiveActivityRow[]): DocumentWrite[] {
  const { person, id } = row;
  return [
    ...gone(surplus(theirs, 1)),
    { table: liveActivities, key: [id], value: row },
    { table: liveActivitiesOfPeople, key: [person, id], value: { id } },
  ];
}

/**
 * What becomes of the activities of a person who turned out to be another: theirs, as many as there
 * is room for.
 */
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

/** Takes all activities of a person away. */
export function forgottenActivities(person: PersonOrdinal, { documents }: Reader): DocumentWrite[] {
  return gone(idsOf(person, documents).map((id) => ({ person, id })));
}

/** Takes rows away. */
function gone(rows: readonly Pick<LiveActivityRow, 'person' | 'id'>[]): DocumentWrite[] {
  return rows.flatMap(({ person, id }) => [
    { table: liveActivities, key: [id], value: undefined },
    { table: liveActivitiesOfPeople, key: [person, id], value: undefined },
  ]);
}

/**
 * Which of a person's rows give way so that there is room for `more`: those that are over first,
 * then the longest untouched.
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
