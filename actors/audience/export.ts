// Answers one page of an export of an app's people. The app's actor gives what only memory knows of the next ordinals
// (last activity, who was erased), and the pool reads their records and makes the text. Nothing is kept from page to
// page: the caller brings the ordinal to go on from, so an export that is given up costs nothing more. What a reader
// would get wrong: every page sees the newest commit, so an export is no picture of one instant. It has everybody who
// was there when it began and was not erased since, as they were when their page was read.

import { accepted, type Message, refused } from '../../engine/actor/message.ts';
import type { Decisions, MessageOf, ReplyOf } from '../../engine/actor/protocol.ts';
import type { PersonOrdinal } from '../../engine/base/brand.ts';
import { withApp } from '../accounts/decide.ts';
import type { Caller } from '../accounts/protocol.ts';
import { notFound } from '../faults.ts';
import { askActor, type PoolQuestion, readFor } from '../pool-question.ts';
import type { PartitionState } from '../state.ts';
import type { ExportFormat, ExportRead } from './export-page.ts';

/** What every page of one export asks for, and where it stands. */
interface ExportPage {
  /** Only members of this segment. */
  readonly segmentId?: string;
  /** The first ordinal of the page; 0 to begin. */
  readonly from: PersonOrdinal;
  /** Where the export ends, as its first page said: who comes later is not waited for. */
  readonly end?: PersonOrdinal;
}

export interface ExportProtocol {
  /** What memory knows of the ordinals of a page, which are `from` up to `to`. */
  'subscribers.window': {
    body: Caller & ExportPage;
    reply: Omit<ExportRead, 'app' | 'format'> & { readonly end: PersonOrdinal };
  };
  /** A page of text; `next` is where the one after begins, `null` after the last. */
  'subscribers.export': {
    body: Caller & ExportPage & { readonly format: ExportFormat };
    reply: { text: Uint8Array; next: PersonOrdinal | null; end: PersonOrdinal };
  };
}

/** The most ordinals that a page may cover, and with that what an actor copies for one: 40 KB, some microseconds. */
export const exportWindowMax = 10_000;

/** What actors answer; `subscribers.export` is answered by the host, after `subscribers.window`. */
export const exportDecisions: Omit<
  Decisions<ExportProtocol, PartitionState>,
  'subscribers.export'
> = {
  'subscribers.window': (state, { segmentId, from, end }, context) =>
    withApp<ReplyOf<ExportProtocol, 'subscribers.window'>>(state, context, ({ people }) => {
      if (segmentId !== undefined) {
        return refused({ ...notFound('segmentId: segment'), field: 'segmentId' });
      }
      const last = Math.min(end ?? people.next, people.next);
      const to = Math.min(last, from + exportWindowMax);
      return accepted({
        from,
        to,
        end: last,
        lastActive: people.lastActiveSeconds(from, to),
        erased: people.erasedWithin(from, to),
      });
    }),
};

/** Answers `subscribers.export` for one app of a partition. */
export const exportPage: PoolQuestion<MessageOf<ExportProtocol, 'subscribers.export'>> = (
  host,
  app,
  { format, ...page },
  answer,
) => {
  const asked: Message = { ...page, kind: 'subscribers.window' };
  askActor<ReplyOf<ExportProtocol, 'subscribers.window'>>(
    host,
    app,
    asked,
    answer,
    ({ end, ...window }) =>
      readFor(host, app, 'export', { app, format, ...window }, answer, ({ text, next }) =>
        answer({ ok: true, value: { text, next: next < end ? next : null, end } }),
      ),
  );
};
