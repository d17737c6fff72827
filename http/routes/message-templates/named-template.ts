// The template that a call starts from, by handle or id. It also needs the scope `read`, because
// the response shows the template's content. Source: specification, "Authentication".

import { z } from 'zod';
import type { TemplateRef } from '../../../actors/content/templates/template-ref.ts';
import { fault } from '../../../actors/faults.ts';
import { limits } from '../../../actors/limits.ts';
import { FaultError, fieldFault } from '../../../engine/base/fault.ts';
import type { Call } from '../../call/call.ts';

const most = limits.templateNameCharsMax;

export const handleSchema = z
  .string()
  .regex(
    new RegExp(`^[A-Za-z0-9_.-]{1,${most}}$`),
    `expected 1 to ${most} letters, digits, _ . or -`,
  );

export const templateFields = {
  templateName: handleSchema
    .nullish()
    .describe(
      "Starts from this template; fields you send with it override the template's. Also needs the scope `read`.",
    ),
  templateId: z.string().nullish().describe('The same, by template id.'),
};

type Named = z.output<z.ZodObject<typeof templateFields>>;

/**
 * The call's template as `template`, if any. Throws a fault for both fields at once, and
 * `forbidden` for a key without `read`; `beside` is the route's own scope.
 */
export function namedTemplate(
  { body, grant }: Pick<Call<unknown, Named>, 'body' | 'grant'>,
  beside: 'write' | 'send',
): { readonly template?: TemplateRef } {
  const { templateName, templateId } = body;
  if (templateName == null && templateId == null) return {};
  if (templateName != null && templateId != null)
    throw new FaultError(fieldFault('templateId', 'give templateName or templateId, not both'));
  needsRead({ grant }, beside);
  if (templateName != null) return { template: { templateName } };
  return templateId == null ? {} : { template: { templateId } };
}

/** A response shows the content of the template that a call names. `beside`: the route's scope. */
export function needsRead(
  { grant }: Pick<Call, 'grant'>,
  beside: 'write' | 'send' = 'write',
): void {
  if (grant?.scopes.includes('read') === true) return;
  throw new FaultError(
    fault('forbidden', `naming a template needs the scope read in addition to ${beside}`),
  );
}
