// Which people an entry may move in or out of followed segments, asked before it is folded. Only those are looked at: an
// event asks nothing of a segment that does not mention it, nor of one whose conditions about it hold already. What a reader
// would get wrong: one more event never ends a condition's having been done often enough within its window. It may begin it,
// and only when it lies in the window itself; the end is the edge of the window, which is the clock's.

import type { Entry } from '../../engine/actor/message.ts';
import type { Millis, PersonOrdinal } from '../../engine/base/brand.ts';
import type { AudienceEntry } from '../audience/protocol.ts';
import { decodeBatch } from '../events/event-batch.ts';
import { countsAsActivity } from '../events/names.ts';
import type { EventsEntry } from '../events/protocol.ts';
import type { AppState } from '../state.ts';
import type { TransactionalEntry } from '../transactional/protocol.ts';
import { cutOf } from './evaluate.ts';
import { eachCondition, type Filter, windowDaysOf } from './filter.ts';
import type { LastSeen } from './last-seen.ts';
import type { Review, SegmentsEntry } from './protocol.ts';

type EventEntry =
  | EventsEntry
  | TransactionalEntry
  | Extract<AudienceEntry, { kind: 'suppression.added' }>
  | Extract<AudienceEntry, { kind: 'subscriber.created' }>
  | (Entry & { readonly kind: 'subscriber.erased'; readonly person: PersonOrdinal })
  | Extract<AudienceEntry, { kind: 'subscriber.merged' }>
  | Extract<SegmentsEntry, { kind: 'traits.changed' }>;

/** Whom the entries may move in or out of followed segments, some of them twice; empty for most. */
export function reviewsOf(
  app: AppState,
  entries: readonly Entry[],
  nowMs: Millis,
): readonly Review[] {
  const people = new Map<string, PersonOrdinal[]>();
  const listOf = (segmentId: string) => {
    let some = people.get(segmentId);
    if (some === undefined) {
      some = [];
      people.set(segmentId, some);
    }
    return some;
  };
  const note = (segmentId: string, person: PersonOrdinal) => listOf(segmentId).push(person);
  const all = [...app.watches.keys()];
  for (const entry of entries as readonly EventEntry[]) {
    switch (entry.kind) {
      case 'events.tracked': {
        const batch = decodeBatch(entry.batch);
        const followed = batch.names.map((name) =>
          segmentsMentioning(app, name).map((id) => ({
            list: listOf(id),
            watched: watchedBy(app, id, name, nowMs),
          })),
        );
        for (let row = 0; row < batch.count; row++) {
          const person = batch.person(row);
          for (const { list, watched } of followed[batch.nameIndex(row)] as Followed[])
            if (mayBegin(watched, person, batch.atMs(row))) list.push(person);
        }
        for (const { person } of batch.createdPeople()) for (const id of all) note(id, person);
        break;
      }
      case 'attempts.settled':
        for (const { settlement } of entry.items) {
          if (settlement.next !== 'done') continue;
          const { status, person } = settlement.receipt;
          for (const id of segmentsMentioning(app, status)) note(id, person);
        }
        break;
      case 'send.queued':
        if (entry.targets.length > 0) break;
        for (const id of segmentsMentioning(app, 'suppressed')) note(id, entry.person);
        break;
      case 'suppression.added':
        for (const person of entry.unsubscribed?.people ?? [])
          for (const id of segmentsMentioning(app, 'unsubscribed')) note(id, person);
        break;
      // Who is gone matches nothing, and so leaves.
      case 'subscriber.erased':
      case 'subscriber.created':
        for (const id of all) note(id, entry.person);
        break;
      case 'subscriber.merged':
        for (const id of all) for (const person of [entry.person, entry.into]) note(id, person);
        break;
      case 'traits.changed':
        for (const { person } of entry.people) for (const id of all) note(id, person);
        break;
    }
  }
  const reviews: Review[] = [];
  for (const [segmentId, some] of people)
    if (some.length > 0) reviews.push({ segmentId, people: some });
  return reviews;
}

interface Followed {
  readonly list: PersonOrdinal[];
  readonly watched: readonly Watched[];
}

/** What a condition looks at: it holds, or holds no longer, for whom the column has an instant after the cut. */
interface Watched {
  readonly cutMs: Millis;
  /** `undefined` where nobody did it so often. */
  readonly column: LastSeen | undefined;
  /** Nobody knows yet: the column is being filled. */
  readonly isUnknown: boolean;
}

/** Whether an event at this instant may be what begins one of them. */
function mayBegin(watched: readonly Watched[], person: PersonOrdinal, atMs: Millis): boolean {
  for (const { cutMs, column, isUnknown } of watched) {
    if (isUnknown) return true;
    if (atMs > cutMs && (column === undefined || column.at(person) <= cutMs)) return true;
  }
  return false;
}

/** What of a segment an event of this name touches. */
function watchedBy(app: AppState, segmentId: string, event: string, nowMs: Millis): Watched[] {
  const watched: Watched[] = [];
  const filter = app.segments.get(segmentId)?.filter;
  if (filter === undefined) return watched;
  const { traits } = app;
  const isActivity = countsAsActivity(event);
  eachCondition(filter, (condition) => {
    const days = windowDaysOf(condition);
    if (days === undefined) return;
    const cutMs = cutOf(days, nowMs);
    if (!('event' in condition)) {
      if (isActivity) watched.push({ cutMs, column: traits.activity, isUnknown: false });
    } else if (condition.event === event) {
      const atLeast = ('atLeast' in condition ? condition.atLeast : undefined) ?? 1;
      const times = atLeast > 1 ? traits.timesOf(event) : undefined;
      const column = atLeast > 1 ? times?.rank(atLeast) : traits.events.get(event);
      watched.push({ cutMs, column, isUnknown: atLeast > 1 && times === undefined });
    }
  });
  return watched;
}

interface Mentions {
  readonly events: ReadonlySet<string>;
  readonly activity: boolean;
}

/** What a filter mentions, found out once for each. */
const mentionsOf = new WeakMap<Filter, Mentions>();

function segmentsMentioning(app: AppState, event: string): string[] {
  const isActivity = countsAsActivity(event);
  const ids: string[] = [];
  for (const id of app.watches.keys()) {
    const filter = app.segments.get(id)?.filter;
    if (filter === undefined) continue;
    const { events, activity } = mentions(filter);
    if (events.has(event) || (activity && isActivity)) ids.push(id);
  }
  return ids;
}

function mentions(filter: Filter): Mentions {
  let known = mentionsOf.get(filter);
  if (known === undefined) {
    const events = new Set<string>();
    let activity = false;
    eachCondition(filter, (condition) => {
      if ('event' in condition) events.add(condition.event);
      if ('activeWithinDays' in condition || 'inactiveForDays' in condition) activity = true;
    });
    known = { events, activity };
    mentionsOf.set(filter, known);
  }
  return known;
}
