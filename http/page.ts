// Pages of lists that an actor hands over whole, because they are short: keys and apps of one org. The cursor is the id
// of the last item shown, so an item that is deleted between two pages moves nothing.

import type { Page } from '../actors/audience/protocol.ts';

/** The page of `items` after `cursor`, in order of `idOf`; ids sort by creation. */
export function pageOf<Item>(
  items: readonly Item[],
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
  idOf: (item: Item) => string,
): Page<Item> {
  const sorted = [...items].sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
  const after = cursor === undefined ? sorted : sorted.filter((item) => idOf(item) > cursor);
  const shown = after.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown,
    nextCursor: last !== undefined && after.length > shown.length ? idOf(last) : null,
  };
}
