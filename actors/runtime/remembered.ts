// Tables whose rows memory has: decisions see them among the documents, and what they write becomes
// an entry.

import type {
  Context,
  DocumentReader,
  DocumentRow,
  DocumentWrite,
  KeyPart,
  RangeOptions,
  TableRef,
  TypedTable,
} from '../../engine/actor/message.ts';
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
export class AppDocuments implements DocumentReader {
  readonly #app: AppState;
  readonly #stored: DocumentReader;

  constructor(app: AppState, stored: DocumentReader) {
    this.#app = app;
    this.#stored = stored;
  }

  get<Row extends object>(table: TypedTable<Row>, key: readonly KeyPart[]): Row | undefined {
    const known = byTable[table.id];
    if (known === undefined) return this.#stored.get(table, key);
    // The area that has the table made its rows.
    return known.row(this.#app, key, this.#stored) as Row | undefined;
  }

  lend(table: TableRef, key: readonly KeyPart[], use: (record: Uint8Array) => void): boolean {
    return this.#stored.lend(table, key, use);
  }

  range<Row extends object>(table: TypedTable<Row>, options: RangeOptions): DocumentRow<Row>[] {
    return this.#stored.range(table, options);
  }
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
