// Finds a template by its id or its handle. A handle that was renamed or deleted leads nowhere:
// there is no forwarding, so that a backend which still posts it hears of it.

import type { Context } from '../../../engine/actor/message.ts';
import { parseId } from '../../../engine/base/id.ts';
import { templates } from '../../../storage/tables/template.ts';
import type { TemplateView } from './protocol.ts';
import type { TemplatesReads } from './reads.ts';
import type { TemplateNamed } from './template-named.ts';

type Reads = Pick<Context, 'documents'>;

/** A template by either; no handle has the form of an id. */
export function findTemplate(
  app: TemplatesReads,
  named: string,
  context: Reads,
): TemplateView | undefined {
  return templateOf(app.templates.get(named) ?? named, context);
}

/**
 * The template that a call names; `undefined` for one that is not there, and for an id given as a
 * handle.
 */
export function namedTemplate(
  app: TemplatesReads,
  { templateName, templateId }: TemplateNamed,
  context: Reads,
): TemplateView | undefined {
  const id = templateName === undefined ? templateId : app.templates.get(templateName);
  return id === undefined ? undefined : templateOf(id, context);
}

/** The one place where a record becomes typed content: only `decide.ts` fills the table. */
function templateOf(id: string, { documents }: Reads): TemplateView | undefined {
  if (parseId('tpl', id) === undefined) return undefined;
  return documents.get(templates, [id]) as TemplateView | undefined;
}
