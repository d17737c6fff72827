// The order of a list, and narrowing it by name. A cursor says which order it belongs to, so that a
// page of the one never goes on in the other.

import type { Ordinal } from '../engine/base/brand.ts';
import { type Fault, fieldFault } from '../engine/base/fault.ts';
import { limits } from './limits.ts';
import { listCursor, placeOfCursor } from './list-cursor.ts';

type Order = 'newest' | 'oldest';

const newestMark = '~';

export function cursorIn(order: Order, cursor: string): string {
  return order === 'newest' ? `${newestMark}${cursor}` : cursor;
}

/** The cursor as the list made it; `undefined` if it belongs to the other order. */
export function cursorOf(order: Order, cursor: string): string | undefined {
  const isNewest = cursor.startsWith(newestMark);
  if (isNewest !== (order === 'newest')) return undefined;
  return isNewest ? cursor.slice(newestMark.length) : cursor;
}

/** Whether a name contains a text, in any case. */
export function isNamed(name: string | undefined, q: string | undefined): boolean {
  return q === undefined || (name ?? '').toLowerCase().includes(q.toLowerCase());
}

interface NumberedPage<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
  readonly total: number;
}

/** A page of records in memory, by their number in the app. `records`: in the order of creation. */
export function numberedPage<Item>(
  list: 'campaigns' | 'journeys',
  owner: Ordinal,
  records: Iterable<Item>,
  {
    order = 'oldest',
    limit,
    cursor,
  }: { readonly order?: Order; readonly limit: number; readonly cursor?: string },
  of: {
    readonly number: (item: Item) => number;
    readonly isWanted: (item: Item) => boolean;
    /** The size of an item, where a page has a most. */
    readonly chars?: (item: Item) => number;
  },
): NumberedPage<Item> | { readonly fault: Fault } {
  const own = cursor === undefined ? undefined : cursorOf(order, cursor);
  const place = own === undefined ? undefined : placeOfCursor(list, owner, own);
  if (cursor !== undefined && place === undefined)
    return { fault: fieldFault('cursor', 'invalid cursor for this list') };
  const wanted = [...records].filter(of.isWanted);
  const inOrder = order === 'newest' ? wanted.reverse() : wanted;
  const items: Item[] = [];
  let chars = 0;
  for (const item of inOrder) {
    const number = of.number(item);
    if (place !== undefined && (order === 'newest' ? number >= place : number <= place)) continue;
    const last = items.at(-1);
    if (last !== undefined && (items.length === limit || chars > limits.pageCharsMax)) {
      const nextCursor = cursorIn(order, listCursor(list, owner, of.number(last)));
      return { items, nextCursor, total: wanted.length };
    }
    items.push(item);
    chars += of.chars?.(item) ?? 0;
  }
  return { items, nextCursor: null, total: wanted.length };
}
