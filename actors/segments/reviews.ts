// Which people an entry may have moved in or out of followed segments. Only those are looked at: an event asks nothing of a
// segment that does not mention it.

import type { Entry } from '../../engine/actor/message.ts';
import type { PersonOrdinal } from '../../engine/base/brand.ts';
import type { AudienceEntry } from '../audience/protocol.ts';
import { decodeBatch } from '../events/event-batch.ts';
import { countsAsActivity } from '../events/names.ts';
import type { EventsEntry } from '../events/protocol.ts';
import type { AppState } from '../state.ts';
import type { TransactionalEntry } from '../transactional/protocol.ts';
import { eachCondition, type Filter } from './filter.ts';
import type { Review, SegmentsEntry } from './protocol.ts';

type EventEntry =
  | EventsEntry
  | TransactionalEntry
  | Extract<AudienceEntry, { kind: 'suppression.added' }>
  | Extract<AudienceEntry, { kind: 'subscriber.created' }>
  | (Entry & { readonly kind: 'subscriber.erased'; readonly person: PersonOrdinal })
  | Extract<AudienceEntry, { kind: 'subscriber.merged' }>
  | Extract<SegmentsEntry, { kind: 'traits.changed' }>;

/** Whom the entries may have moved in or out of followed segments, some of them twice; empty for most. */
export function reviewsOf(app: AppState, entries: readonly Entry[]): readonly Review[] {
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
        const mentioning = batch.names.map((name) => segmentsMentioning(app, name).map(listOf));
        for (let row = 0; row < batch.count; row++)
          for (const list of mentioning[batch.nameIndex(row)] as PersonOrdinal[][])
            list.push(batch.person(row));
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
  return [...people].map(([segmentId, some]) => ({ segmentId, people: some }));
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
