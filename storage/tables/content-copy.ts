// The content of marketing sends as it was when their campaign or journey started: what is edited
// or deleted later changes nothing that is under way. Written once, never changed; gone with the
// campaign or journey.

import { defineTable } from '../table.ts';

interface ContentCopyRow {
  readonly id: string;
  /** The message it was copied from; absent where a journey's step had its own. */
  readonly messageId?: string;
  /** Content in normal form (`MessageContent` of the content area). */
  readonly content: object;
}

/** Key: [what sends it: a campaign's id, a journey's and its step's]. */
export const contentCopies = defineTable<ContentCopyRow>()({
  id: 21,
  name: 'content copies',
  version: 1,
  fields: ['id', 'messageId', 'content'],
});
