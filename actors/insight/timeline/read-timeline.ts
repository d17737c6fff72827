// Reads a page of a person's story in the pool: events of log and history, and rows of sends.

import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { type DocumentStore, Documents } from '../../../storage/documents.ts';
import { withHistory } from '../../events/read/list.ts';
import { type BlockSource, readEvents } from '../../events/read/read.ts';
import { tailIndexOf } from '../../events/read/tail-index.ts';
import { readableSend } from '../../sending/outbox/readable-send.ts';
import { ToldSends } from '../../sending/outbox/told-sends.ts';
import { timelineCursor, timelinePage } from './page.ts';
import type { TimelineFound, TimelineRead } from './pool-read.ts';
import { detailsOfRow } from './send-details.ts';

/** `path`: the partition's directory, if there is history. */
export function readTimeline(
  { app, person, aliases, erased, keptFromMs, readMs, open, place, limit }: TimelineRead,
  path: string | undefined,
  store: BlockSource & DocumentStore,
): TimelineFound {
  const documents = new Documents(store).bound(app);
  const sends = new ToldSends(app, documents);
  const theirs = new Set<PersonOrdinal>([person, ...aliases]);
  return withHistory(path, (history) => {
    const sources = {
      log: store,
      history,
      erased: new Set(erased),
      ...(path === undefined ? {} : { tail: tailIndexOf(path, history.seq) }),
    };
    const { items, next } = timelinePage(place, limit, {
      events: (beforeSeq, rows) => {
        const before = beforeSeq === undefined ? {} : { beforeSeq };
        const query = { person, aliases, fromMs: keptFromMs, limit: rows, ...before };
        const { found, nextBefore } = readEvents(app, query, sources);
        return { found: found.map((event) => sends.completed(event)), nextBefore };
      },
      send: (sendId) => {
        const row = readableSend(documents, app, sendId);
        // A cursor comes from the caller, so check that the send is this person's.
        return row === undefined || !theirs.has(row.person) ? undefined : detailsOfRow(row);
      },
      open,
      keptFromMs,
      readMs,
    });
    return { items, nextCursor: next === undefined ? null : timelineCursor(app, next) };
  });
}
