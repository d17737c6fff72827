// Reads a page of an export in the pool and makes its text there, so that only bytes cross to the
// front. A page is bounded in bytes as well as in people: a record may have 64 KiB, and a slow
// reader holds a page or two in the front's memory.

import type { DocumentReader } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import { type DocumentStore, Documents } from '../../../storage/documents.ts';
import {
  type DeviceRow,
  type SubscriberRow,
  subscribers,
} from '../../../storage/tables/subscriber.ts';
import { storedDevice } from '../../people/audience/people-page.ts';
import type { ShownDevice } from '../../people/audience/protocol.ts';
import { type PublicSubscriber, personView } from '../../people/audience/public-view.ts';
import { csvHeader, subscriberLine } from './csv.ts';
import type { ExportFormat, ExportRead, ExportText } from './pool-read.ts';

/** A page ends with the record that reaches so many characters. */
const pageCharsMax = 1024 * 1024;
/** Rows of one read of the store, which bounds how long its snapshot is held. */
const rowsPerRead = 128;

const utf8 = new TextEncoder();

/** The first page of a CSV begins with the header line. */
export function readExportPage(read: ExportRead, store: DocumentStore): ExportText {
  const { from, to, format, lastActive, hasOptOuts } = read;
  const documents = new Documents(store).bound(read.app);
  const lineOf = lines[format];
  const deviceOf = (device: DeviceRow): ShownDevice =>
    hasOptOuts ? storedDevice(device, documents) : { ...device, suppressed: null };
  let text = from === 0 && format === 'csv' ? csvHeader : '';
  for (const [row, place] of rowsOf(read, documents)) {
    if (text.length >= pageCharsMax) return { text: utf8.encode(text), next: row.person };
    text += lineOf(shown(row, row.devices.map(deviceOf), lastActive[place] || null));
  }
  return { text: utf8.encode(text), next: to };
}

/** The people of a page in order, each with its place in `lastActive`. */
function* rowsOf(
  { from, to, members, erased }: ExportRead,
  documents: Pick<DocumentReader, 'get' | 'range'>,
): Generator<readonly [row: SubscriberRow, place: number]> {
  if (members !== undefined) {
    for (const [place, person] of members.entries()) {
      const row = documents.get(subscribers, [person]);
      if (row !== undefined) yield [row, place];
    }
    return;
  }
  const gone = new Set(erased);
  for (let next = from; next < to; ) {
    const rows = documents.range(subscribers, { from: [next], to: [to], limit: rowsPerRead });
    for (const { value } of rows) if (!gone.has(value.person)) yield [value, value.person - from];
    const last = rows[rows.length - 1];
    next = last === undefined || rows.length < rowsPerRead ? to : last.value.person + 1;
  }
}

const lines: Readonly<Record<ExportFormat, (person: PublicSubscriber) => string>> = {
  csv: subscriberLine,
  jsonl: (person) => `${JSON.stringify(person)}\n`,
};

function shown(
  row: SubscriberRow,
  devices: readonly ShownDevice[],
  lastActiveMs: Millis | null,
): PublicSubscriber {
  // Member by member: spreading the row took a sixth of an export's time.
  return personView({
    id: row.id,
    devices,
    tags: row.tags,
    createdMs: row.createdMs,
    updatedMs: row.updatedMs,
    externalUserId: row.externalUserId ?? null,
    preferredChannels: row.preferredChannels ?? null,
    timezone: row.timezone ?? null,
    lastActiveMs,
  });
}
