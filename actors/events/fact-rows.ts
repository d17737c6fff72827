// Events as columns, for their followers.

import type { Millis, PersonOrdinal } from '../../engine/base/brand.ts';

/** In the order of their seqs. A decoded batch is one. */
export interface FactRows {
  readonly count: number;
  /** The distinct names: look one up once per entry, not once per row. */
  readonly names: readonly string[];
  nameIndex(row: number): number;
  person(row: number): PersonOrdinal;
  atMs(row: number): Millis;
}
