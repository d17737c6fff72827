// A page of what an org keeps in memory, by time of creation. Ids alone do not tell: the ids of
// client workspaces begin with their place. The cursor is the last item of the last page.

import { accepted, type Decision, refused } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import { fieldFault } from '../../../engine/base/fault.ts';
import { type IdPrefix, parseId } from '../../../engine/base/id.ts';
import { cursorIn, cursorOf, isNamed } from '../../list-order.ts';

/** What a list is asked for. `oldest` by default. */
export interface PageAsked {
  readonly order?: 'newest' | 'oldest';
  /** Only items whose name contains it, in any case. */
  readonly q?: string;
  readonly limit: number;
  readonly cursor?: string;
}

/** `total`: items on all pages. */
export interface PageById<View> {
  readonly items: readonly View[];
  readonly nextCursor: string | null;
  readonly total: number;
}

interface Place {
  readonly createdMs: Millis;
  readonly id: string;
}

export function pageById<One extends Place, View>(
  prefix: IdPrefix,
  all: readonly One[],
  { order = 'oldest', q, limit, cursor }: PageAsked,
  of: {
    readonly name: (item: One) => string;
    readonly views: (items: readonly One[]) => readonly View[];
  },
): Decision<PageById<View>> {
  const after = cursor === undefined ? undefined : placeIn(prefix, cursorOf(order, cursor) ?? '');
  if (cursor !== undefined && after === undefined)
    return refused(fieldFault('cursor', 'invalid cursor for this list'));
  const inOrder = (one: Place, other: Place) =>
    order === 'newest' ? compared(other, one) : compared(one, other);
  const wanted = all.filter((one) => isNamed(of.name(one), q)).sort(inOrder);
  const rest = after === undefined ? wanted : wanted.filter((one) => inOrder(after, one) < 0);
  const items = rest.slice(0, limit);
  const last = rest.length > limit ? items.at(-1) : undefined;
  const nextCursor = last === undefined ? null : cursorIn(order, `${last.createdMs}.${last.id}`);
  return accepted({ items: of.views(items), nextCursor, total: wanted.length });
}

function compared(one: Place, other: Place): number {
  return one.createdMs - other.createdMs || (one.id < other.id ? -1 : Number(one.id > other.id));
}

function placeIn(prefix: IdPrefix, cursor: string): Place | undefined {
  const [, ms, id] = /^(\d{1,15})\.(.+)$/.exec(cursor) ?? [];
  if (id === undefined || parseId(prefix, id) === undefined) return undefined;
  return { createdMs: Number(ms), id };
}
