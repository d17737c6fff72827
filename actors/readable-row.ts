// Reads records that may be damaged or of a newer release: such a row costs its own send or person,
// never the turn. A failing disk still ends the turn.

import type { DocumentReader, KeyPart, TypedTable } from '../engine/actor/message.ts';
import { DamagedRecord, orDamaged } from '../storage/codec.ts';

export function readRow<Row extends object>(
  documents: DocumentReader,
  table: TypedTable<Row>,
  key: readonly KeyPart[],
): Row | DamagedRecord | undefined {
  return orDamaged(() => documents.get(table, key));
}

/** Treats a damaged row as absent. */
export function readableRow<Row extends object>(
  documents: DocumentReader,
  table: TypedTable<Row>,
  key: readonly KeyPart[],
): Row | undefined {
  const row = readRow(documents, table, key);
  return row instanceof DamagedRecord ? undefined : row;
}
