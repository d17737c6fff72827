// The newest STOP or START of each address, so that a late or repeated older one does not undo it.

import type { Millis } from '../../engine/base/brand.ts';
import { defineTable } from '../table.ts';

export interface KeywordRow {
  readonly word: 'stop' | 'start';
  /** When it was written, by the provider; else when it arrived. */
  readonly atMs: Millis;
  /** Provider ids, oldest first. */
  readonly seen: readonly string[];
  /** When each of them came; absent in rows of older versions. */
  readonly seenMs?: readonly Millis[];
  /** The provider's own number, rising, if it tells whole seconds only. */
  readonly number?: number;
}

/** Key: [identity key, `class:normal form`]. */
export const keywords = defineTable<KeywordRow>()({
  id: 25,
  name: 'keywords',
  version: 1,
  fields: ['word', 'atMs', 'seen', 'seenMs', 'number'],
});
