// A page of what an org keeps in memory, oldest first. The cursor is the last id of the last page.

import { accepted, type Decision, refused } from '../../../engine/actor/message.ts';
import { fieldFault } from '../../../engine/base/fault.ts';
import { type IdPrefix, parseId } from '../../../engine/base/id.ts';

interface Asked {
  readonly limit: number;
  readonly cursor?: string;
}

export function pageById<One extends { readonly id: string }, View>(
  prefix: IdPrefix,
  all: readonly One[],
  { limit, cursor }: Asked,
  viewOf: (items: readonly One[]) => readonly View[],
): Decision<{ readonly items: readonly View[]; readonly nextCursor: string | null }> {
  if (cursor !== undefined && parseId(prefix, cursor) === undefined)
    return refused(fieldFault('cursor', 'invalid cursor for this list'));
  const rest = all
    .filter(({ id }) => cursor === undefined || id > cursor)
    .sort((one, other) => (one.id < other.id ? -1 : 1));
  const items = rest.slice(0, limit);
  const nextCursor = rest.length > limit ? (items.at(-1)?.id ?? null) : null;
  return accepted({ items: viewOf(items), nextCursor });
}
