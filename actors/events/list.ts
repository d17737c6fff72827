// Answers a read of events: asks the app's actor whom it is about and whom it must not show, then reads in the pool, off
// the shard's thread. The actor never waits for the reading. Only the short log of a young data directory is read here.

import type { Answer, DocumentReader } from '../../engine/actor/message.ts';
import type { Partition } from '../../engine/actor/partition.ts';
import type { MessageOf, ReplyOf } from '../../engine/actor/protocol.ts';
import type { Ordinal, PersonOrdinal } from '../../engine/base/brand.ts';
import type { Fault } from '../../engine/base/fault.ts';
import { newestManifest } from '../../storage/checkpoint.ts';
import { type DocumentStore, Documents } from '../../storage/documents.ts';
import { HistoryGone, readHistory } from '../../storage/history.ts';
import { aliases, type SubscriberRow, subscribers } from '../../storage/tables/subscriber.ts';
import { openCompact } from './compact-block.ts';
import type { EventQuery, EventsProtocol } from './protocol.ts';
import {
  type BlockSource,
  type EventPage,
  type HistorySource,
  LogGone,
  noHistory,
  readEvents,
} from './read.ts';

/** A read of events with everything about its app settled: what a pool task is given. */
export interface EventsRead {
  readonly app: Ordinal;
  readonly query: EventQuery;
  readonly erased: readonly PersonOrdinal[];
}

export type EventsReply = ReplyOf<EventsProtocol, 'events.list'>;

/** How a partition's host reads: in the pool, or from its own log when that is short and all there is. */
export interface EventsHost {
  readonly partition: Partition;
  read(read: EventsRead): Promise<EventsReply>;
  /** Says why a read failed; the caller of the API is not told. */
  onFailed(error: unknown): void;
}

const tries = 5;
const unreadable: Fault = { code: 'internal', message: 'events could not be read' };

/** Answers `events.list` for one app of a partition. */
export function listEvents(
  { partition, read, onFailed }: EventsHost,
  app: Ordinal,
  message: MessageOf<EventsProtocol, 'events.list'>,
  answer: (answer: Answer) => void,
): void {
  const { subscriberId, ...query } = message.query;
  // Whom the call named goes along: all of an app's id has to be right, not only the ordinal that leads here.
  const { query: _query, ...caller } = message;
  partition.deliver({
    to: app,
    lane: 'express',
    deadlineMs: Number.POSITIVE_INFINITY,
    bytes: undefined,
    message: {
      ...caller,
      kind: 'events.locate',
      ...(subscriberId === undefined ? {} : { subscriberId }),
    } as MessageOf<EventsProtocol, 'events.locate'>,
    answer: (located) => {
      if (!located.ok) {
        answer(located);
        return;
      }
      const { person, aliases, erased } = located.value as ReplyOf<EventsProtocol, 'events.locate'>;
      const whose = person === null ? {} : { person, aliases };
      read({ app, query: { ...query, ...whose }, erased }).then(
        (value) => answer({ ok: true, value }),
        (error: unknown) => {
          onFailed(error);
          answer({ ok: false, fault: unreadable });
        },
      );
    },
  });
}

/** Reads a page from the log and the history of a partition's directory, whatever is being made there meanwhile. */
export function readPage(
  { app, query, erased }: EventsRead,
  path: string,
  store: BlockSource & DocumentStore,
): EventsReply {
  return withHistory(path, (history) => {
    const sources = { log: store, history, erased: new Set(erased) };
    return replyOf(readEvents(app, query, sources), app, store);
  });
}

/** Reads with the history of a partition's directory as it is listed now, anew when checkpoints took it away meanwhile. */
export function withHistory<Result>(
  path: string,
  read: (history: HistorySource) => Result,
): Result {
  for (let left = tries; ; left--) {
    try {
      return read(historyIn(path));
    } catch (error) {
      // Two checkpoints were made since the manifest was read, and what it named is gone. Rare, so from the beginning.
      if (left > 1 && (error instanceof LogGone || error instanceof HistoryGone)) continue;
      throw error;
    }
  }
}

/** Reads a page from the log alone: while no checkpoint has been made. */
export function readLogPage(
  { app, query, erased }: EventsRead,
  store: BlockSource & DocumentStore,
): EventsReply {
  const sources = { log: store, history: noHistory, erased: new Set(erased) };
  return replyOf(readEvents(app, query, sources), app, store);
}

function historyIn(path: string): HistorySource {
  const manifest = newestManifest(path);
  if (manifest === undefined) return noHistory;
  return {
    seq: manifest.seq,
    files: manifest.history,
    open: (file) => openCompact(readHistory(path, file)),
  };
}

/** Puts the people's names to what was found. */
function replyOf(
  { found, nextBefore }: EventPage,
  app: Ordinal,
  store: DocumentStore,
): EventsReply {
  const reader = new Documents(store).bound(app);
  const names = new Map<PersonOrdinal, SubscriberRow | undefined>();
  const items = found.map(({ person, ...event }) => {
    if (!names.has(person)) names.set(person, recordOf(person, reader));
    const row = names.get(person);
    return { ...event, subscriberId: row?.id ?? null, externalUserId: row?.externalUserId ?? null };
  });
  return { items, nextCursor: nextBefore === undefined ? null : nextBefore.toString(36) };
}

/** The record of a person; of whom they are now, where they were merged into somebody. */
function recordOf(person: PersonOrdinal, reader: DocumentReader): SubscriberRow | undefined {
  const row = reader.get(subscribers, [person]);
  if (row !== undefined) return row;
  const into = reader.get(aliases, [person])?.into;
  return into === undefined ? undefined : reader.get(subscribers, [into]);
}
