// Reads records that may be damaged or of a newer release: such a row costs its own send or person,
// never the turn. A failing disk still ends the turn.

import type { DocumentReader, KeyPart, TypedTable } from '../../../engine/actor/message.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import { DamagedRecord, orDamaged } from '../../../storage/codec.ts';
import type { SendRow } from '../../../storage/tables/send.ts';
import { sendRow } from './send-chunk.ts';

export function readRow<Row extends object>(
  documents: DocumentReader,
  table: TypedTable<Row>,
  key: readonly KeyPart[],
): Row | DamagedRecord | undefined {
  return orDamaged(() => documents.get(table, key));
}

export function readableSend(
  documents: DocumentReader,
  owner: Ordinal,
  id: string,
): SendRow | undefined {
  const row = orDamaged(() => sendRow(documents, owner, id));
  return row instanceof DamagedRecord ? undefined : row;
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
