// Sends of one call before their first outcomes: up to 32 rows of `sends` in one record. From its
// first outcome a send has its own row, which then counts; this record never changes.

import type { Millis, PersonOrdinal } from '../../engine/base/brand.ts';
import { defineTable } from '../table.ts';

/** Lists of equal length: a place is a send, its id the first one's plus the place. */
export interface SendChunkRow {
  readonly acceptedMs: Millis;
  readonly people: readonly PersonOrdinal[];
  /** Device ids and channels, alternating. */
  readonly targets: readonly (readonly string[])[];
  /** Packed content (`actors/sending/outbox/send-chunk.ts`); empty for erased people. */
  readonly words: readonly (readonly unknown[])[];
  /** The template that the content of all began as. */
  readonly templateId?: string;
}

/** Key: [16 bytes of the first send's id]. */
export const sendChunks = defineTable<SendChunkRow>()({
  id: 50,
  name: 'send chunks',
  version: 2,
  fields: ['acceptedMs', 'people', 'targets', 'words', 'templateId'],
});
