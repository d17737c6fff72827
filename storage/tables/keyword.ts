// The newest STOP or START of each address, so that a late or repeated older one does not undo it.

import type { Millis } from '../../engine/base/brand.ts';
import { defineTable } from '../table.ts';

/** A word, and what orders it among others. */
export interface HeardWord {
  readonly word: 'stop' | 'start';
  /** When it was written, by the provider; else when it arrived. */
  readonly atMs: Millis;
  /** The provider's own number, rising, if it tells whole seconds only. */
  readonly number?: number;
}

/** The word itself is the newest about all messages; absent before the first. */
export interface KeywordRow extends Partial<HeardWord> {
  /** Provider ids, oldest first. */
  readonly seen: readonly string[];
  /** When each of them came; absent in rows of older versions. */
  readonly seenMs?: readonly Millis[];
  /** The newest about marketing alone. */
  readonly marketing?: HeardWord;
  /** The newest text that may be an opt-out, and the provider ids of the last ones. */
  readonly doubted?: { readonly ids: readonly string[]; readonly atMs: Millis };
}

/** Key: [identity key, `class:normal form`]. */
export const keywords = defineTable<KeywordRow>()({
  id: 25,
  name: 'keywords',
  version: 1,
  fields: ['word', 'atMs', 'seen', 'seenMs', 'number', 'marketing', 'doubted'],
});
