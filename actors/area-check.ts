// What `engage check` compares in an area: what is written down twice must agree.

import type { DocumentReader, KeyPart, TypedTable } from '../engine/actor/message.ts';
import type { Millis, Ordinal } from '../engine/base/brand.ts';
import { DamagedRecord } from '../storage/codec.ts';

/** One app for `engage check`, read from one snapshot. */
export interface CheckedApp {
  readonly id: string;
  readonly owner: Ordinal;
  /** Before this instant retention may have removed only part of what belongs together. */
  readonly cutMs: Millis;
  /** The same of what is kept so long, whatever the app's retention. */
  readonly cutMsOf: (keptMs: Millis) => Millis;
  readonly documents: Pick<DocumentReader, 'get'>;
  /** Reports a problem; the app's id precedes the sentence. */
  problem(sentence: string): void;
}

export interface AppCheck {
  /** Gets every record, table by table in the order of their numbers. */
  readonly rows?: readonly TableCheck[];
  /** Compares what is left after the last record. */
  readonly end?: () => void;
}

export interface TableCheck {
  readonly table: TypedTable<object>;
  readonly row: (row: never, key: readonly KeyPart[]) => void;
}

/** Skips damaged records: the pass over all records reports them. */
export function unlessDamaged(compare: () => void): void {
  try {
    compare();
  } catch (error) {
    if (!(error instanceof DamagedRecord)) throw error;
  }
}

/** Checks that `row` accepts the rows of the table. */
export function checkOf<Row extends object>(
  table: TypedTable<Row>,
  row: (row: Row, key: readonly KeyPart[]) => void,
): TableCheck {
  return { table, row };
}
