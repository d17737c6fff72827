// What `engage check` compares in an area: what is written down twice must agree.

import type { DocumentReader, KeyPart, TypedTable } from '../engine/actor/message.ts';
import type { Millis, Ordinal } from '../engine/base/brand.ts';
import { DamagedRecord } from '../storage/codec.ts';

/** One app as `engage check` reads it, from one snapshot: nothing can be between two writes. */
export interface CheckedApp {
  readonly id: string;
  readonly owner: Ordinal;
  /** Before this instant retention may have taken some of what belongs together. */
  readonly cutMs: Millis;
  readonly documents: Pick<DocumentReader, 'get'>;
  /** A sentence that follows the id of the app. */
  problem(sentence: string): void;
}

/** What is compared in one app, after all areas got ready for it. */
export interface AppCheck {
  /** Records as they pass by: table by table in the order of their numbers. */
  readonly rows?: readonly TableCheck[];
  /** What is left to compare once all have passed by. */
  readonly end?: () => void;
}

export interface TableCheck {
  readonly table: TypedTable<object>;
  readonly row: (row: never, key: readonly KeyPart[]) => void;
}

/** Compares, unless one of the records cannot be read: that is reported where all are read. */
export function unlessDamaged(compare: () => void): void {
  try {
    compare();
  } catch (error) {
    if (!(error instanceof DamagedRecord)) throw error;
  }
}

/** Ties the rows of a table to their type. */
export function checkOf<Row extends object>(
  table: TypedTable<Row>,
  row: (row: Row, key: readonly KeyPart[]) => void,
): TableCheck {
  return { table, row };
}
