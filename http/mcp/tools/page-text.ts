// The paragraph of a tool that lists.

import { counted } from '../quoted.ts';

/** A page of any list. */
export interface ListPage {
  readonly items: readonly unknown[];
  readonly nextCursor: string | null;
}

export function pageText({ items, nextCursor }: ListPage, one: string): string {
  const more =
    nextCursor === null ? 'It is the last page.' : 'nextCursor is the cursor of the next page.';
  return `The page has ${counted(items.length, one)}. ${more}`;
}
