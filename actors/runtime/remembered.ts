// Tables whose rows memory has: decisions see them among the documents, and what they write becomes
// an entry.

import type { Context, DocumentReader, DocumentWrite } from '../../engine/actor/message.ts';
import type { Accepted, RememberedTable } from '../area.ts';
import { type AnyArea, areas } from './areas.ts';
import type { AppState } from './state.ts';

type AnyRemembered = RememberedTable<AppState, object>;

const remembered: readonly AnyRemembered[] = areas.flatMap(
  ({ remembers }: AnyArea) => remembers ?? [],
);
const byTable: readonly (AnyRemembered | undefined)[] = Array.from({ length: 256 }, (_, id) =>
  remembered.find(({ table }) => table.id === id),
);

/** The documents of an app with the rows that its memory has. */
export function withMemory(app: AppState, stored: DocumentReader): DocumentReader {
  return {
    get: <Row extends object>(...[table, key]: Parameters<typeof stored.get<Row>>) => {
      const known = byTable[table.id];
      // The area that has the table made its rows.
      return known === undefined
        ? stored.get(table, key)
        : (known.row(app, key, stored) as Row | undefined);
    },
    lend: stored.lend,
    range: stored.range,
  };
}

/** Entries instead of the documents of such tables. */
export function withRemembered(app: AppState, decision: Accepted, context: Context): Accepted {
  const { documents } = decision;
  if (documents === undefined || !documents.some(isRemembered)) return decision;
  const entries = remembered.flatMap((one) => {
    const writes = documents.filter(({ table }) => table.id === one.table.id);
    return writes.length === 0 ? [] : [one.entry(app, writes, context)];
  });
  return {
    ...decision,
    documents: documents.filter((write) => !isRemembered(write)),
    entries: [...(decision.entries ?? []), ...entries],
  };
}

function isRemembered({ table }: DocumentWrite): boolean {
  return byTable[table.id] !== undefined;
}
