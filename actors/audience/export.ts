// Answers one page of an export of an app's people. The app's actor gives what only memory knows of the next ordinals
// (last activity, who was erased), and the pool reads their records and makes the text. Nothing is kept from page to
// page: the caller brings the ordinal to go on from, so an export that is given up costs nothing more. What a reader
// would get wrong: every page sees the newest commit, so an export is no picture of one instant. It has everybody who
// was there when it began and was not erased since, as they were when their page was read.

import { type Answer, accepted, type Message, refused } from '../../engine/actor/message.ts';
import type { Partition } from '../../engine/actor/partition.ts';
import type { Decisions, MessageOf, ReplyOf } from '../../engine/actor/protocol.ts';
import type { Ordinal, PersonOrdinal } from '../../engine/base/brand.ts';
import type { Fault } from '../../engine/base/fault.ts';
import { withApp } from '../accounts/decide.ts';
import type { Caller } from '../accounts/protocol.ts';
import { notFound } from '../faults.ts';
import type { PartitionState } from '../state.ts';
import type { ExportFormat, ExportRead, ExportText } from './export-page.ts';

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

/** How a partition's host reads for an export. */
export interface ExportHost {
  readonly partition: Partition;
  /** Reads in the pool. */
  read(read: ExportRead): Promise<ExportText>;
  /** Says why a read failed; the caller of the API is not told. */
  onFailed(error: unknown): void;
}

const unreadable: Fault = { code: 'internal', message: 'subscribers could not be read' };

/** Answers `subscribers.export` for one app of a partition. */
export function exportPage(
  { partition, read, onFailed }: ExportHost,
  app: Ordinal,
  { format, ...page }: MessageOf<ExportProtocol, 'subscribers.export'>,
  answer: (answer: Answer) => void,
): void {
  const message: Message = { ...page, kind: 'subscribers.window' };
  partition.deliver({
    to: app,
    lane: 'express',
    deadlineMs: Number.POSITIVE_INFINITY,
    bytes: undefined,
    message,
    answer: (known) => {
      if (!known.ok) {
        answer(known);
        return;
      }
      const { end, ...window } = known.value as ReplyOf<ExportProtocol, 'subscribers.window'>;
      read({ app, format, ...window }).then(
        ({ text, next }) =>
          answer({ ok: true, value: { text, next: next < end ? next : null, end } }),
        (error: unknown) => {
          onFailed(error);
          answer({ ok: false, fault: unreadable });
        },
      );
    },
  });
}
