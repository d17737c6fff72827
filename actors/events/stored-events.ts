// How stored events are read, whichever way they are packed: one batch of the log, or a compacted
// block of history. Reading is by row and by column, so that a fold that needs three columns never
// decodes the fourth.

import type { Millis, PersonOrdinal } from '../../engine/base/brand.ts';
import type { ReferenceName } from './event-rows.ts';

/** Rows are numbers in [0, count). A text that an event doesn't have is `undefined`. */
export interface StoredEvents {
  readonly count: number;
  /** The number within the app, gapless over all its events. */
  seq(row: number): number;
  name(row: number): string;
  person(row: number): PersonOrdinal;
  atMs(row: number): Millis;
  receivedAtMs(row: number): Millis;
  /**
   * As the sender gave it. An event without one has its id derived from app and seq by whoever
   * shows it.
   */
  id(row: number): string | undefined;
  /** An object as JSON. Equal to what came in as a value; not always byte for byte. */
  propsJson(row: number): string | undefined;
  /** What the service adds to its own events, as JSON. */
  metaJson(row: number): string | undefined;
  /** The number of a channel in the catalog's order, plus one; 0 for an event of no channel. */
  channel(row: number): number;
  reference(row: number, name: ReferenceName): string | undefined;
}
