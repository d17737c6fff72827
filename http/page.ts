// Pages short lists that an actor returns whole: keys and apps of one org. The cursor is the last
// shown id, so a deletion between two pages moves nothing. Invalid cursors are refused.

import type { Page } from '../actors/people/audience/protocol.ts';
import { FaultError, fieldFault } from '../engine/base/fault.ts';

/** The page after `cursor`, by `idOf`; ids sort by creation. Throws for cursors `isId` rejects. */
export function pageOf<Item>(
  items: readonly Item[],
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
  idOf: (item: Item) => string,
  isId: (cursor: string) => boolean,
): Page<Item> {
  if (cursor !== undefined && !isId(cursor)) throw notACursor();
  const sorted = [...items].sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
  const after = cursor === undefined ? sorted : sorted.filter((item) => idOf(item) > cursor);
  const shown = after.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown,
    nextCursor: last !== undefined && after.length > shown.length ? idOf(last) : null,
  };
}

export function notACursor(): FaultError {
  return new FaultError(fieldFault('cursor', 'invalid cursor for this list'));
}
