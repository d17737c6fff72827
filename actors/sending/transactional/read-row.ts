// Reads records that may be damaged or written by a newer release: such a row must cost only its
// own send or person, never the turn. Catches only what the codec refuses; a failing disk still
// ends the turn.

import type { DocumentReader, KeyPart, TypedTable } from '../../../engine/actor/message.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import { DamagedRecord } from '../../../storage/codec.ts';
import type { SendRow } from '../../../storage/tables/send.ts';
import { sendRow } from './send-chunk.ts';

export function orDamaged<Read>(read: () => Read): Read | DamagedRecord {
  try {
    return read();
  } catch (error) {
    if (error instanceof DamagedRecord) return error;
    throw error;
  }
}

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
