// Stored events by row and column, from a batch of the log or a block of history. A fold of three
// columns never decodes the fourth.

import type { Millis, PersonOrdinal } from '../../engine/base/brand.ts';
import type { ReferenceName } from './event-rows.ts';

/** Rows are numbers in [0, count). An absent text is `undefined`. */
export interface StoredEvents {
  readonly count: number;
  /** The number within the app, gapless over all its events. */
  seq(row: number): number;
  name(row: number): string;
  person(row: number): PersonOrdinal;
  atMs(row: number): Millis;
  receivedAtMs(row: number): Millis;
  /** As sent. Readers derive the id of an event without one from app and seq. */
  id(row: number): string | undefined;
  /** A JSON object. Equal in value to what came in, not always byte for byte. */
  propsJson(row: number): string | undefined;
  /** What the service adds to its own events, as JSON. */
  metaJson(row: number): string | undefined;
  /** The channel's index in the catalog plus one; 0 without a channel. */
  channel(row: number): number;
  reference(row: number, name: ReferenceName): string | undefined;
}
