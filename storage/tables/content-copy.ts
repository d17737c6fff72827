// Content of marketing sends as of their campaign's or journey's start, so that later edits change
// nothing. Never changed; removed with the campaign or journey.

import { defineTable } from '../table.ts';

interface ContentCopyRow {
  readonly id: string;
  /** Its source; absent if a journey's step had its own. */
  readonly messageId?: string;
  /** Normal form (`MessageContent` of the content area). */
  readonly content: object;
}

/** Key: [the sender: a campaign's id, or a journey's and its step's]. */
export const contentCopies = defineTable<ContentCopyRow>()({
  id: 21,
  name: 'content copies',
  version: 1,
  fields: ['id', 'messageId', 'content'],
});
