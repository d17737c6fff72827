// Events as those that follow them read them.

import type { Millis, PersonOrdinal } from '../../engine/base/brand.ts';

/** Events as columns, in the order of their numbers. A decoded batch is one. */
export interface FactRows {
  readonly count: number;
  /** The distinct names: look one up once an entry, not once a row. */
  readonly names: readonly string[];
  nameIndex(row: number): number;
  person(row: number): PersonOrdinal;
  atMs(row: number): Millis;
}
