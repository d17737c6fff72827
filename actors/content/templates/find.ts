// Finds a template by its id or handle. A renamed or deleted handle does not redirect, so that a
// backend which still uses it gets an error.

import type { Context } from '../../../engine/actor/message.ts';
import { parseId } from '../../../engine/base/id.ts';
import { templates } from '../../../storage/tables/template.ts';
import type { TemplateView } from './protocol.ts';
import type { TemplatesReads } from './reads.ts';
import type { TemplateRef } from './template-ref.ts';

type Reads = Pick<Context, 'documents'>;

/** No handle has the form of an id. */
export function findTemplate(
  app: TemplatesReads,
  named: string,
  context: Reads,
): TemplateView | undefined {
  return templateOf(app.templates.get(named) ?? named, context);
}

/** Undefined also for an id given as a handle. */
export function namedTemplate(
  app: TemplatesReads,
  { templateName, templateId }: TemplateRef,
  context: Reads,
): TemplateView | undefined {
  const id = templateName === undefined ? templateId : app.templates.get(templateName);
  return id === undefined ? undefined : templateOf(id, context);
}

/** The one place that types a record's content: only `decide.ts` fills the table. */
function templateOf(id: string, { documents }: Reads): TemplateView | undefined {
  if (parseId('tpl', id) === undefined) return undefined;
  return documents.get(templates, [id]) as TemplateView | undefined;
}
