// The template that a step's message starts from. Its content is copied when the step is saved.

import type { Context } from '../../../engine/actor/message.ts';
import { withTemplate } from '../../content/templates/copy.ts';
import type { TemplatesReads } from '../../content/templates/reads.ts';
import type { OverTemplate } from './step-message.ts';

/** Of this app; an unknown template is a `not_found` on the naming member. */
export function overTemplateOf(
  app: TemplatesReads,
  context: Pick<Context, 'documents'>,
): OverTemplate {
  return (named, own) => withTemplate(app, named, own, 'marketing', context);
}
