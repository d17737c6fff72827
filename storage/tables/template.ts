// Message templates: copy that an app saves under a handle. One row a template, by id, which sorts
// by creation; which handle leads to which id is in memory alone.

import type { Millis } from '../../engine/base/brand.ts';
import { defineTable } from '../table.ts';

export interface TemplateRow {
  readonly id: string;
  /** The handle: unique within the app. */
  readonly name: string;
  /** Content in normal form (`MessageContent` of the content area). */
  readonly content: object;
  readonly createdMs: Millis;
  readonly updatedMs: Millis;
}

/** Key: [template id, `tpl_…`]. */
export const templates = defineTable<TemplateRow>()({
  id: 26,
  name: 'message templates',
  version: 1,
  fields: ['id', 'name', 'content', 'createdMs', 'updatedMs'],
});
