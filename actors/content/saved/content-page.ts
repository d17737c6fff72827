// Pages of saved content by id, in the order of creation or against it. A page is bounded by its
// characters and by the rows it reads: one row may be half a megabyte, and names stand in rows.

import type { DocumentReader, TypedTable } from '../../../engine/actor/message.ts';
import { limits } from '../../limits.ts';
import { cursorIn, isNamed } from '../../list-order.ts';

/** Rows per read of the table, so that a page of long rows does not hold up a turn. */
const rowsARead = 8;
/** Rows looked at for one page by name. */
const rowsAPage = 1_000;

interface ContentRow {
  readonly id: string;
  readonly name?: string;
  readonly content: object;
  readonly design?: object;
}

interface Asked {
  readonly order?: 'newest' | 'oldest';
  readonly limit: number;
  readonly q?: string;
}

/** Rows beyond the id `after`, up to the limit or a full response; `count`: of the whole table. */
export function contentPage<Row extends ContentRow>(
  table: TypedTable<Row>,
  { order = 'oldest', limit, q }: Asked,
  after: string | undefined,
  count: number,
  documents: DocumentReader,
): {
  readonly items: readonly Row[];
  readonly nextCursor: string | null;
  readonly total: number | null;
} {
  const total = q === undefined ? count : null;
  const items: Row[] = [];
  let characters = 0;
  let read = 0;
  let last = after;
  const upTo = (id: string) => ({ items, nextCursor: cursorIn(order, id), total });
  for (;;) {
    const rows = documents.range(table, { ...rangeBeyond(order, last), limit: rowsARead });
    for (const { value } of rows) {
      const isFull = items.length === limit || characters > limits.pageCharsMax;
      const isWanted = isNamed(value.name, q);
      const isSpent = read === rowsAPage || (q !== undefined && characters > limits.pageCharsMax);
      if (last !== undefined && read > 0 && ((isFull && isWanted) || isSpent)) return upTo(last);
      read++;
      last = value.id;
      if (isWanted) items.push(value);
      const { content, design } = value;
      characters += JSON.stringify([content, design]).length;
    }
    if (rows.length < rowsARead) return { items, nextCursor: null, total };
  }
}

/** The least key after an id is itself with the least character behind it. */
function rangeBeyond(order: Asked['order'], id: string | undefined) {
  if (order === 'newest') return { reverse: true, ...(id === undefined ? {} : { to: [id] }) };
  return { from: [id === undefined ? '' : `${id}\u0000`] };
}
