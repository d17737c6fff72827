// Pages of saved content by id, in the order of creation. A page is bounded by its characters, and
// rows are read a few at a time: one may be half a megabyte.

import type { DocumentReader, TypedTable } from '../../engine/actor/message.ts';
import { limits } from '../limits.ts';

/** Rows per read of the table, so that a page of long rows does not hold up a turn. */
const rowsARead = 8;

interface ContentRow {
  readonly id: string;
  readonly content: object;
}

/** Rows after the id `cursor`, up to `limit` or a full response. */
export function contentPage<Row extends ContentRow>(
  table: TypedTable<Row>,
  cursor: string | undefined,
  limit: number,
  documents: DocumentReader,
): { readonly items: readonly Row[]; readonly nextCursor: string | null } {
  const items: Row[] = [];
  let characters = 0;
  // The least key after the cursor: itself with the least character behind it.
  let from = cursor === undefined ? '' : `${cursor}\u0000`;
  for (;;) {
    const rows = documents.range(table, { from: [from], limit: rowsARead });
    for (const { value } of rows) {
      const last = items.at(-1);
      if (last !== undefined && (items.length === limit || characters > limits.pageCharsMax))
        return { items, nextCursor: last.id };
      items.push(value);
      characters += JSON.stringify(value.content).length;
      from = `${value.id}\u0000`;
    }
    if (rows.length < rowsARead) return { items, nextCursor: null };
  }
}
