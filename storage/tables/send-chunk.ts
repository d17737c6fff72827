// Sends that one call queued together, before their first outcomes: up to 32 rows of the `sends`
// table in one record. From its first outcome on a send has a row there, which then counts; this
// record stays as it was queued.

import type { Millis, PersonOrdinal } from '../../engine/base/brand.ts';
import { defineTable } from '../table.ts';

/** Lists of one length: a place in each is a send, whose id is the first one's plus that place. */
export interface SendChunkRow {
  readonly acceptedMs: Millis;
  readonly people: readonly PersonOrdinal[];
  /** Ids and channels of its devices, by turns. */
  readonly targets: readonly (readonly string[])[];
  /**
   * What it says, packed (`actors/sending/transactional/send-chunk.ts`); empty where its person was
   * erased.
   */
  readonly words: readonly (readonly unknown[])[];
}

/** Key: [the 16 bytes of the first send's id]. */
export const sendChunks = defineTable<SendChunkRow>()({
  id: 50,
  name: 'send chunks',
  version: 1,
  fields: ['acceptedMs', 'people', 'targets', 'words'],
});
