// Messages that an app keeps to use again: content as it was accepted, nothing rendered. One row a
// message, by id, which sorts by creation.

import type { Millis } from '../../engine/base/brand.ts';
import { defineTable } from '../table.ts';

export interface MessageRow {
  readonly id: string;
  /** For people who choose a message; recipients never see it. */
  readonly name?: string;
  /** Content in normal form (`MessageContent` of the content area). */
  readonly content: object;
  readonly createdMs: Millis;
  readonly updatedMs: Millis;
}

/** Key: [message id, `msg_…`]. */
export const messages = defineTable<MessageRow>()({
  id: 20,
  name: 'messages',
  version: 1,
  fields: ['id', 'name', 'content', 'createdMs', 'updatedMs'],
});
