// Stored events by row and column, from batches or blocks. Folds decode only their columns.

import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { ReferenceName } from './event-rows.ts';

/** Rows are [0, count). An absent text is `undefined`. */
export interface StoredEvents {
  readonly count: number;
  /** Whether some may be of test sends. Never in blocks that earlier builds packed. */
  readonly mayHoldTests: boolean;
  /** Number in the app, gapless. */
  seq(row: number): number;
  name(row: number): string;
  person(row: number): PersonOrdinal;
  atMs(row: number): Millis;
  receivedAtMs(row: number): Millis;
  /** As sent; if absent, readers derive it from app and seq. */
  id(row: number): string | undefined;
  /** JSON equal in value to the input, not always byte for byte. */
  propsJson(row: number): string | undefined;
  /** The service's additions to its events, as JSON. */
  metaJson(row: number): string | undefined;
  /** The channel's catalog index plus one; 0 without one. */
  channel(row: number): number;
  reference(row: number, name: ReferenceName): string | undefined;
}
