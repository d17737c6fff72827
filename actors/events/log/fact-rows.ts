// Events as columns, for their followers.

import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';

/** In seq order. A decoded batch is one. */
export interface FactRows {
  readonly count: number;
  /** Distinct: look up once per entry. */
  readonly names: readonly string[];
  nameIndex(row: number): number;
  person(row: number): PersonOrdinal;
  atMs(row: number): Millis;
}
