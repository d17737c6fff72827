// Message templates by id, which sorts by creation. Only memory maps handles to ids.

import type { Millis } from '../../engine/base/brand.ts';
import { defineTable } from '../table.ts';

export interface TemplateRow {
  readonly id: string;
  /** Unique within the app. */
  readonly name: string;
  /** Normal form (`MessageContent` of the content area). */
  readonly content: object;
  /** What an editor keeps beside it. */
  readonly design?: object;
  readonly createdMs: Millis;
  readonly updatedMs: Millis;
}

/** Key: [template id, `tpl_…`]. */
export const templates = defineTable<TemplateRow>()({
  id: 26,
  name: 'message templates',
  version: 2,
  fields: ['id', 'name', 'content', 'createdMs', 'updatedMs', 'design'],
});
