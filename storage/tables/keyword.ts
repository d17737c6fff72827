// The newest STOP or START of each address that ever wrote one, so that an older one which comes
// late, or comes again, does not undo it.

import type { Millis } from '../../engine/base/brand.ts';
import { defineTable } from '../table.ts';

export interface KeywordRow {
  readonly word: 'stop' | 'start';
  /** When it was written, where the provider says so; else when it came. */
  readonly atMs: Millis;
  /** The provider's ids of the newest ones, oldest first. */
  readonly seen: readonly string[];
}

/** Key: [identity key, `class:normal form`]. */
export const keywords = defineTable<KeywordRow>()({
  id: 25,
  name: 'keywords',
  version: 1,
  fields: ['word', 'atMs', 'seen'],
});
