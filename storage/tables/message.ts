// Messages that an app stores for reuse, as accepted, unrendered. By id, which sorts by creation.

import type { Millis } from '../../engine/base/brand.ts';
import { defineTable } from '../table.ts';

export interface MessageRow {
  readonly id: string;
  /** For choosing a message; recipients never see it. */
  readonly name?: string;
  /** Normal form (`MessageContent` of the content area). */
  readonly content: object;
  /** What an editor keeps beside it. */
  readonly design?: object;
  /** Channel ids; what is made of the message in the dashboard starts with them. */
  readonly writtenFor?: readonly string[];
  readonly createdMs: Millis;
  readonly updatedMs: Millis;
}

/** Key: [message id, `msg_…`]. */
export const messages = defineTable<MessageRow>()({
  id: 20,
  name: 'messages',
  version: 2,
  fields: ['id', 'name', 'content', 'createdMs', 'updatedMs', 'design', 'writtenFor'],
});
