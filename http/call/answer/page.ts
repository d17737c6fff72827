// Pages short lists that an actor returns whole: keys and apps of one org. The cursor is the last
// shown id, so a deletion between two pages moves nothing. Invalid cursors are refused.

import { cursorIn, cursorOf, isNamed } from '../../../actors/list-order.ts';
import type { CountedPage, ListOrder } from '../../../actors/people/audience/protocol.ts';
import { FaultError, fieldFault } from '../../../engine/base/fault.ts';
import { type IdPrefix, parseId } from '../../../engine/base/id.ts';

/** The page after `cursor`, by `idOf`; ids sort by creation. Throws for cursors `isId` rejects. */
export function pageOf<Item>(
  items: readonly Item[],
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
  idOf: (item: Item) => string,
  isId: (cursor: string) => boolean,
): CountedPage<Item> {
  if (cursor !== undefined && !isId(cursor)) throw notACursor();
  const sorted = [...items].sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
  const after = cursor === undefined ? sorted : sorted.filter((item) => idOf(item) > cursor);
  const shown = after.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown,
    nextCursor: last !== undefined && after.length > shown.length ? idOf(last) : null,
    total: items.length,
  };
}

export function notACursor(): FaultError {
  return new FaultError(fieldFault('cursor', 'invalid cursor for this list'));
}

/** Pages of things that their keys name, which a caller chooses, in the order given. */
export function pageByKey<Item extends { readonly key: string }>(
  items: readonly Item[],
  { order, limit, cursor }: Omit<NamedQuery, 'q'>,
): CountedPage<Item> {
  const after = cursor === undefined ? undefined : cursorOf(order, cursor);
  const sorted = order === 'newest' ? items.toReversed() : items;
  const place = sorted.findIndex(({ key }) => key === after);
  if (cursor !== undefined && place < 0) throw notACursor();
  const shown = sorted.slice(place + 1, place + 1 + limit);
  const last = shown.at(-1);
  const isMore = last !== undefined && last !== sorted.at(-1);
  return {
    items: shown,
    nextCursor: isMore ? cursorIn(order, last.key) : null,
    total: items.length,
  };
}

interface NamedQuery {
  readonly order: ListOrder;
  readonly q?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Pages of things with names and such ids, in the order asked for. */
export function pagesBy(prefix: IdPrefix) {
  return <Item extends { readonly id: string; readonly name?: string }>(
    items: readonly Item[],
    { order, q, limit, cursor }: NamedQuery,
  ): CountedPage<Item> => {
    const after = cursor === undefined ? undefined : cursorOf(order, cursor);
    const isKnown = after !== undefined && parseId(prefix, after) !== undefined;
    if (cursor !== undefined && !isKnown) throw notACursor();
    const isNewest = order === 'newest';
    const wanted = items.filter(({ name }) => isNamed(name, q));
    wanted.sort((a, b) => (a.id < b.id === isNewest ? 1 : -1));
    const rest = wanted.filter(
      ({ id }) => after === undefined || (isNewest ? id < after : id > after),
    );
    const shown = rest.slice(0, limit);
    const last = shown.at(-1);
    const isMore = last !== undefined && rest.length > shown.length;
    const nextCursor = isMore ? cursorIn(order, last.id) : null;
    return { items: shown, nextCursor, total: wanted.length };
  };
}
