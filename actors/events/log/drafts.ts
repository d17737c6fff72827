// Packs events of the service: receipts, journey rows, CDP calls. Slower than the scanner's
// columns, but fast enough. Does not check names.

import { assert } from '../../../engine/base/assert.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { Slices } from '../../../engine/base/string-table.ts';
import { encodeBatch, unnumbered } from './batch.ts';
import type { ReferenceName } from './event-rows.ts';
import { createEventRows, references, rowsMax } from './event-rows.ts';
import { RowWriter } from './row-writer.ts';

/** Texts must be well-formed; an empty one is absent. */
export interface EventDraft extends Partial<Readonly<Record<ReferenceName, string>>> {
  readonly name: string;
  readonly person: PersonOrdinal;
  readonly atMs: Millis;
  readonly id?: string;
  readonly propsJson?: string;
  readonly metaJson?: string;
  readonly channel?: number;
}

const rows = createEventRows();
const accepted = new Uint8Array(rowsMax).fill(1);
const person = new Uint32Array(rowsMax);
const channel = new Uint8Array(rowsMax);
const meta: Slices = { start: new Uint32Array(rowsMax), end: new Uint32Array(rowsMax) };

/** 1 to `rowsMax` events of one instant. Without `firstSeq`, `numberedBatch` numbers them. */
export function encodeDrafts(
  drafts: readonly EventDraft[],
  receivedAtMs: Millis,
  firstSeq = unnumbered,
): Uint8Array {
  assert(drafts.length > 0 && drafts.length <= rowsMax, `a batch has 1 to ${rowsMax} events`);
  const writer = new RowWriter(rows, 128 * drafts.length);
  let hasChannel = false;
  let hasMeta = false;
  drafts.forEach((draft, index) => {
    const row = writer.begin(index, draft.atMs);
    writer.name(row, draft.name);
    person[row] = draft.person;
    channel[row] = draft.channel ?? 0;
    if (channel[row] !== 0) hasChannel = true;
    meta.end[row] = 0;
    if (draft.id) writer.text(rows.id, row, draft.id);
    if (draft.propsJson) writer.text(rows.props, row, draft.propsJson);
    if (draft.metaJson) {
      hasMeta = true;
      writer.text(meta, row, draft.metaJson);
    }
    references.forEach((name, which) => {
      const text = draft[name];
      if (text) writer.reference(row, which, text);
    });
  });
  writer.finish();
  return encodeBatch(rows, {
    accepted,
    person,
    receivedAtMs,
    firstSeq,
    ...(hasChannel ? { channel } : {}),
    ...(hasMeta ? { meta } : {}),
  });
}
