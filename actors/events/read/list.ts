// A page of events. A checkpoint may come meanwhile, so a manifest is good for one try.

import type { DocumentReader } from '../../../engine/actor/message.ts';
import type { Ordinal, PersonOrdinal } from '../../../engine/base/brand.ts';
import { type DocumentStore, Documents } from '../../../storage/documents.ts';
import { HistoryGone } from '../../../storage/history.ts';
import { aliases, type SubscriberRow, subscribers } from '../../../storage/tables/subscriber.ts';
import { listCursor } from '../../list-cursor.ts';
import { type EventHistory, newestHistory, noHistory } from '../history/event-history.ts';
import type { EventsRead, EventsReply } from './pool-read.ts';
import { type BlockSource, type EventPage, type FoundEvent, LogGone, readEvents } from './read.ts';
import { tailIndexOf } from './tail-index.ts';

const tries = 5;

/** Adds what the record of a send says of an event; sends belong to a later house. */
type CompletedBy = (documents: DocumentReader) => (event: FoundEvent) => FoundEvent;

export function readPage(
  { app, query, erased }: EventsRead,
  path: string | undefined,
  store: BlockSource & DocumentStore,
  completedBy: CompletedBy = () => (event) => event,
): EventsReply {
  return withHistory(path, (history) => {
    const sources = {
      log: store,
      history,
      erased: new Set(erased),
      ...(path === undefined ? {} : { tail: tailIndexOf(path, history.seq) }),
    };
    return replyOf(readEvents(app, query, sources), app, store, completedBy);
  });
}

/** Retries if checkpoints removed the history. Empty without a path. */
export function withHistory<Result>(
  path: string | undefined,
  read: (history: EventHistory) => Result,
): Result {
  if (path === undefined) return read(noHistory);
  for (let left = tries; ; left--) {
    try {
      return read(newestHistory(path));
    } catch (error) {
      // Two checkpoints since removed the manifest's files.
      if (left > 1 && (error instanceof LogGone || error instanceof HistoryGone)) continue;
      throw error;
    }
  }
}

function replyOf(
  { found, nextBefore }: EventPage,
  app: Ordinal,
  store: DocumentStore,
  completedBy: CompletedBy,
): EventsReply {
  const reader = new Documents(store).bound(app);
  const completed = completedBy(reader);
  const names = new Map<PersonOrdinal, SubscriberRow | undefined>();
  const items = found.map(completed).map(({ person, ...event }) => {
    if (!names.has(person)) names.set(person, recordOf(person, reader));
    const row = names.get(person);
    return { ...event, subscriberId: row?.id ?? null, externalUserId: row?.externalUserId ?? null };
  });
  return {
    items,
    nextCursor: nextBefore === undefined ? null : listCursor('events', app, nextBefore),
  };
}

function recordOf(person: PersonOrdinal, reader: DocumentReader): SubscriberRow | undefined {
  const row = reader.get(subscribers, [person]);
  if (row !== undefined) return row;
  const into = reader.get(aliases, [person])?.into;
  return into === undefined ? undefined : reader.get(subscribers, [into]);
}
