// What counts as a change of a template for those who edit it: all that they wrote.

import type { Context } from '../../../engine/actor/message.ts';
import type { Editable, EditableOf } from '../../area.ts';
import { contentEtag } from '../saved/content-etag.ts';
import { findTemplate } from './find.ts';
import type { TemplatesMemory } from './memory.ts';

const templateOf = (
  { apps }: TemplatesMemory,
  { template }: { readonly template: string },
  context: Context,
): Editable | undefined => {
  const app = apps.get(context.owner);
  const row = app && findTemplate(app, template, context);
  return row && { key: row.id, etag: contentEtag(row), changedMs: row.updatedMs };
};

export const templateEdits = {
  'template.update': templateOf,
} satisfies Record<string, EditableOf<TemplatesMemory>>;

export const templateEnds = {
  'template.delete': templateOf,
} satisfies Record<string, EditableOf<TemplatesMemory>>;
