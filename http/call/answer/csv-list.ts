// Answers a paged list as one CSV file. The first page is read before the head, so that a refusal
// has its own status.

import { csvLine } from '../../../actors/audiences/export/csv.ts';
import { limits } from '../../../actors/limits.ts';
import type { Page } from '../../../actors/people/audience/protocol.ts';

/** In the query of a list that can be read as a file. */
export const fileHint =
  '`format=csv` streams everyone as one file; `limit` and `cursor` are then ignored.';

export async function csvOfList<Item, Column extends string>(
  name: string,
  columns: readonly Column[],
  read: (limit: number, cursor?: string) => Promise<Page<Item>>,
  cellsOf: (item: Item) => Readonly<Record<Column, string | number | boolean | null>>,
) {
  const lineOf = (item: Item) => {
    const cells = cellsOf(item);
    return csvLine(columns.map((column) => String(cells[column] ?? '')));
  };
  const first = await read(limits.pageMax);
  return {
    status: 200,
    headers: [
      ['content-type', 'text/csv; charset=utf-8; header=present'],
      ['content-disposition', `attachment; filename="${name}.csv"`],
      ['cache-control', 'no-store'],
    ] as const,
    stream: lines(csvLine(columns), lineOf, first, (cursor) => read(limits.pageMax, cursor)),
  };
}

async function* lines<Item>(
  head: string,
  lineOf: (item: Item) => string,
  first: Page<Item>,
  read: (cursor: string) => Promise<Page<Item>>,
): AsyncGenerator<string> {
  yield head;
  for (let page = first; ; page = await read(page.nextCursor)) {
    const text = page.items.map(lineOf).join('');
    if (text !== '') yield text;
    if (page.nextCursor === null) return;
  }
}
