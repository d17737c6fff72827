// What a change makes stale: the answers that show a noun which it changes. The routes declare both
// (generated.ts), so no screen lists what it has to ask for again.

import type { Query, QueryClient } from '@tanstack/react-query';
import type { OperationName } from './client.ts';
import { changesOf, operations, readersOf } from './generated.ts';

type Named = Readonly<Record<string, string>>;

/**
 * Asks again for what is shown of it, and marks the rest, which is asked for when it is shown. Done
 * when the answers are there. `path` is the call's own: what a deletion was about is marked alone,
 * because asking for it would be a 404.
 */
export async function refreshAfter(
  client: QueryClient,
  name: OperationName,
  path: Named = {},
): Promise<void> {
  const stale = staleAfter(name);
  const gone = deletedBy(name, path);
  const isStale = ({ queryKey }: Query) => stale.has(queryKey[0]);
  const isGone = ({ queryKey }: Query) => gone !== undefined && names(queryKey[1], gone);
  await Promise.all([
    client.invalidateQueries({ predicate: (one) => isStale(one) && !isGone(one) }),
    client.invalidateQueries({
      predicate: (one) => isStale(one) && isGone(one),
      refetchType: 'none',
    }),
  ]);
}

/** With them the session ends: whatever was asked again would be refused. */
const endings: readonly OperationName[] = ['endSession', 'leaveOrg'];

/** The operations whose answers a change makes stale. */
function staleAfter(name: OperationName): ReadonlySet<unknown> {
  if (endings.includes(name)) return new Set();
  const readers = (changesOf[name] ?? []).flatMap((noun): readonly string[] => readersOf[noun]);
  // Nearly every change is in the log of the org.
  return new Set(readers.length === 0 ? [] : [...readers, 'listAuditLog']);
}

/** The id, name or address of the thing that a call deleted. */
function deletedBy(name: OperationName, path: Named): string | undefined {
  const [method, pattern] = operations[name];
  const last = /\{(\w+)\}$/.exec(pattern)?.[1];
  return method === 'DELETE' && last !== undefined ? path[last] : undefined;
}

/** Whether the arguments of a read name this thing, alone or in a list. */
function names(args: unknown, thing: string): boolean {
  const { path = {}, query = {} } = (args ?? {}) as {
    readonly path?: Named;
    readonly query?: Named;
  };
  return [...Object.values(path), ...Object.values(query)].some((value) =>
    String(value).split(',').includes(thing),
  );
}
