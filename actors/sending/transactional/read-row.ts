// Reads a record that may be damaged, or written by a newer program: one such row must cost its own
// send or person, never the turn it is met in, which carries everybody else's. Only what the codec
// refuses is caught: a failing disk still ends the turn, since it says nothing about the record.

import type { DocumentReader, KeyPart, TypedTable } from '../../../engine/actor/message.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import { DamagedRecord } from '../../../storage/codec.ts';
import type { SendRow } from '../../../storage/tables/send.ts';
import { sendRow } from './send-chunk.ts';

/** What is read, or what is wrong with the record that it is read from. */
export function orDamaged<Read>(read: () => Read): Read | DamagedRecord {
  try {
    return read();
  } catch (error) {
    if (error instanceof DamagedRecord) return error;
    throw error;
  }
}

/** The row under this key, `undefined` for none, or what is wrong with its record. */
export function readRow<Row extends object>(
  documents: DocumentReader,
  table: TypedTable<Row>,
  key: readonly KeyPart[],
): Row | DamagedRecord | undefined {
  return orDamaged(() => documents.get(table, key));
}

/** The row of a send that can be read (`sendRow`). */
export function readableSend(
  documents: DocumentReader,
  owner: Ordinal,
  id: string,
): SendRow | undefined {
  const row = orDamaged(() => sendRow(documents, owner, id));
  return row instanceof DamagedRecord ? undefined : row;
}

/**
 * The same for who can do without: a row that cannot be read is passed by like one that retention
 * took.
 */
export function readableRow<Row extends object>(
  documents: DocumentReader,
  table: TypedTable<Row>,
  key: readonly KeyPart[],
): Row | undefined {
  const row = readRow(documents, table, key);
  return row instanceof DamagedRecord ? undefined : row;
}
