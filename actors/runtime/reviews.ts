// Which people an entry may move in or out of followed segments, asked before it is folded. Only
// those are looked at: an event asks nothing of a segment that does not mention it, nor of one
// whose conditions about it hold already. What a reader would get wrong: one more event never ends
// a condition's having been done often enough within its window. It may begin it, and only when it
// lies in the window itself; the end is the edge of the window, which is the clock's.

import type { Entry } from '../../engine/actor/message.ts';
import type { Millis, PersonOrdinal } from '../../engine/base/brand.ts';
import { unpackOrdinals } from '../../engine/base/ordinal-list.ts';
import { cutOf } from '../audiences/segments/evaluate.ts';
import type { LastSeen } from '../audiences/segments/last-seen.ts';
import type { Review, SegmentsEntry } from '../audiences/segments/protocol.ts';
import { type Window, windowsOf } from '../audiences/segments/windows.ts';
import { decodeBatch } from '../events/event-batch.ts';
import { eventsOfMove } from '../events/journey-moves.ts';
import type { EventsEntry } from '../events/protocol.ts';
import type { AudienceEntry } from '../people/audience/protocol.ts';
import type { CampaignsEntry } from '../programs/campaigns/entries.ts';
import type { JourneysEntry } from '../programs/journeys/entries.ts';
import type { TransactionalEntry } from '../sending/transactional/protocol.ts';
import type { AppState } from '../state.ts';

type EventEntry =
  | CampaignsEntry
  | EventsEntry
  | JourneysEntry
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
  const all = [...app.watches.keys()];
  const noteAll = (person: PersonOrdinal) => {
    for (const id of all) listOf(id).push(person);
  };
  // Looked up once for all people of an entry: there may be thousands of them, and a thousand
  // segments.
  const followedOf = new Map<string, Followed[]>();
  const followedBy = (event: string): Followed[] => {
    const known = followedOf.get(event);
    if (known !== undefined) return known;
    const followed: Followed[] = [];
    followedOf.set(event, followed);
    for (const id of all) {
      const filter = app.segments.get(id)?.filter;
      if (filter === undefined) continue;
      const moved = windowsOf(filter).filter((window) => window.isMovedBy(event));
      if (moved.length > 0)
        followed.push({ list: listOf(id), reaches: moved.map((one) => reachOf(one, app, nowMs)) });
    }
    return followed;
  };
  const note = (event: string, person: PersonOrdinal, atMs: Millis) => {
    for (const one of followedBy(event)) if (mayBegin(one, person, atMs)) one.list.push(person);
  };
  for (const entry of entries as readonly EventEntry[]) {
    switch (entry.kind) {
      case 'events.tracked': {
        const batch = decodeBatch(entry.batch);
        const followed = batch.names.map(followedBy);
        for (let row = 0; row < batch.count; row++) {
          const person = batch.person(row);
          for (const one of followed[batch.nameIndex(row)] as Followed[])
            if (mayBegin(one, person, batch.atMs(row))) one.list.push(person);
        }
        for (const { person } of batch.createdPeople()) noteAll(person);
        break;
      }
      case 'attempts.settled':
        for (const { settlement } of entry.items) {
          if (settlement.next !== 'done') continue;
          const { status, person } = settlement.receipt;
          note(status, person, entry.atMs);
        }
        break;
      case 'campaign.decided': {
        const isSuppressed = entry.turns.map(({ turn }) => turn === 'suppress');
        if (!isSuppressed.includes(true)) break;
        unpackOrdinals(entry.people).forEach((person, i) => {
          if (isSuppressed[entry.codes?.[i] ?? 0]) note('suppressed', person, entry.atMs);
        });
        break;
      }
      case 'wave.settled':
        unpackOrdinals(entry.people).forEach((person, i) => {
          const status = entry.kinds[entry.codes?.[i] ?? 0]?.status;
          // Somebody else by now, perhaps: rows keep the number that they were handed out under.
          if (status !== undefined) note(status, app.people.canonical(person), entry.atMs);
        });
        break;
      case 'journey.moved': {
        const names = entry.moves.map((move) =>
          eventsOfMove(move).flatMap(({ name }) => (name === 'deferred' ? [] : [name])),
        );
        if (names.every(({ length }) => length === 0)) break;
        unpackOrdinals(entry.people).forEach((person, i) => {
          for (const name of names[entry.codes?.[i] ?? 0] ?? []) note(name, person, entry.atMs);
        });
        break;
      }
      case 'send.queued':
        if (entry.targets.length > 0) break;
        note('suppressed', entry.person, entry.atMs);
        break;
      case 'suppression.added':
        for (const person of entry.unsubscribed?.people ?? [])
          note('unsubscribed', person, entry.unsubscribed?.atMs ?? nowMs);
        break;
      // Who is gone matches nothing, and so leaves.
      case 'subscriber.erased':
      case 'subscriber.created':
        noteAll(entry.person);
        break;
      case 'subscriber.merged':
        for (const person of [entry.person, entry.into]) noteAll(person);
        break;
      case 'traits.changed':
        for (const { person } of entry.people) noteAll(person);
        break;
    }
  }
  const reviews: Review[] = [];
  for (const [segmentId, some] of people)
    if (some.length > 0) reviews.push({ segmentId, people: some });
  return reviews;
}

/** The people of a followed segment that an event may move, and how it would. */
interface Followed {
  readonly list: PersonOrdinal[];
  readonly reaches: readonly Reach[];
}

/** A window as it lies now. */
interface Reach {
  readonly cutMs: Millis;
  readonly column: LastSeen | undefined;
  readonly isKnown: boolean;
}

function reachOf(window: Window, { traits }: AppState, nowMs: Millis): Reach {
  return {
    cutMs: cutOf(window.days, nowMs),
    column: window.columnIn(traits),
    isKnown: window.isKnownIn(traits),
  };
}

/** Whether an event at this instant may be what begins a condition. */
function mayBegin({ reaches }: Followed, person: PersonOrdinal, atMs: Millis): boolean {
  for (const { cutMs, column, isKnown } of reaches) {
    if (!isKnown) return true;
    if (atMs > cutMs && (column === undefined || column.at(person) <= cutMs)) return true;
  }
  return false;
}
