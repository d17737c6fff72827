// Reads a page of an export in the pool and makes its text there: records are decoded and written out off the shard's
// thread, and only bytes cross over. A page is bounded in bytes as well as in people, because one record may have 64 KiB
// and a reader that does not read holds a page or two in the front's memory.

import type { Ordinal, PersonOrdinal } from '../../engine/base/brand.ts';
import { type DocumentStore, Documents } from '../../storage/documents.ts';
import { type SubscriberRow, subscribers } from '../../storage/tables/subscriber.ts';
import { csvHeader, subscriberLine } from './csv.ts';
import { type ShownSubscriber, subscriberView } from './shown.ts';

/** What an export may be written as. */
export const exportFormats = ['csv', 'jsonl'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** A page of an export with everything that memory knows of it: what a pool task is given. */
export interface ExportRead {
  readonly app: Ordinal;
  readonly format: ExportFormat;
  readonly from: PersonOrdinal;
  /** The first ordinal that is no longer of this page. */
  readonly to: PersonOrdinal;
  /** Seconds of the last activity from `from` on, 0 for never. */
  readonly lastActive: Uint32Array;
  /** Who must not be shown, whatever is on disk. */
  readonly erased: readonly PersonOrdinal[];
}

/** The text, whose bytes are nobody else's, and the first ordinal that is not in it. */
export interface ExportText {
  readonly text: Uint8Array;
  readonly next: PersonOrdinal;
}

/** A page ends with the record that reaches so many characters. */
export const pageCharsMax = 256 * 1024;
/** Rows of one read of the store: a snapshot is held no longer than for these, and what lies behind a full page is read again. */
const rowsPerRead = 128;

const utf8 = new TextEncoder();

/** The text of a page; the first one of a CSV opens with the header line. */
export function readExportPage(read: ExportRead, store: DocumentStore): ExportText {
  const { app, format, from, to } = read;
  const documents = new Documents(store).bound(app);
  const lineOf = lines[format];
  const erased = new Set(read.erased);
  let text = from === 0 && format === 'csv' ? csvHeader : '';
  let next = from;
  while (next < to && text.length < pageCharsMax) {
    const rows = documents.range(subscribers, { from: [next], to: [to], limit: rowsPerRead });
    for (const { value } of rows) {
      if (text.length >= pageCharsMax) return { text: utf8.encode(text), next };
      next = value.person + 1;
      if (!erased.has(value.person)) text += lineOf(shown(value, read));
    }
    if (rows.length < rowsPerRead) next = to;
  }
  return { text: utf8.encode(text), next };
}

const lines: Readonly<Record<ExportFormat, (person: ShownSubscriber) => string>> = {
  csv: subscriberLine,
  jsonl: (person) => `${JSON.stringify(person)}\n`,
};

function shown(row: SubscriberRow, { from, lastActive }: ExportRead): ShownSubscriber {
  const seconds = lastActive[row.person - from] ?? 0;
  // Member by member: spreading the row took a sixth of an export's time.
  return subscriberView({
    id: row.id,
    devices: row.devices,
    tags: row.tags,
    createdMs: row.createdMs,
    updatedMs: row.updatedMs,
    externalUserId: row.externalUserId ?? null,
    preferredChannels: row.preferredChannels ?? null,
    timezone: row.timezone ?? null,
    lastActiveMs: seconds === 0 ? null : seconds * 1000,
  });
}
