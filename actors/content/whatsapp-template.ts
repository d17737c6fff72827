// Whether `payload.whatsapp` names an approved template of the provider as it must, when a message is accepted. The
// template's own text is the provider's; ours are the parameters, which may hold Liquid like any other text.
// Source: specification, "Message".

import { type Fault, fieldFault } from '../../engine/base/fault.ts';
import { readWhatsAppTemplate } from '../channels/whatsapp-template.ts';

const place = 'payload.whatsapp';

/**
 * What is wrong with `payload.whatsapp`, naming the member (`payload.whatsapp.bodyParams[1]: expected a string`);
 * `undefined` when it is right or not there. `{templateName, languageCode, headerParams?, bodyParams?, buttonParams?}`;
 * other members are left as they are.
 */
export function whatsappTemplateFault(
  payload: Readonly<Record<string, unknown>> | undefined,
): Fault | undefined {
  const template = payload?.['whatsapp'];
  if (template === undefined) return undefined;
  const read = readWhatsAppTemplate(template);
  if (!('problem' in read)) return undefined;
  return fieldFault(read.at === '' ? place : `${place}.${read.at}`, read.problem);
}
