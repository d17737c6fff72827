// Whether `payload.whatsapp` and `payload.kakao` name an approved template of their provider as
// they must, when a message is accepted. The template's own text is the provider's; ours are the
// parameters, which may hold Liquid like any other text. Source: specification, "Message".

import { type Fault, fieldFault } from '../../engine/base/fault.ts';
import { readKakaoTemplate } from '../channels/kakao/template.ts';
import { readWhatsAppTemplate } from '../channels/whatsapp/template.ts';

const readers = { whatsapp: readWhatsAppTemplate, kakao: readKakaoTemplate } as const;

/**
 * What is wrong with one of them, naming the member (`payload.whatsapp.bodyParams[1]: expected a
 * string`); `undefined` when they are right or not there. `whatsapp`: `{templateName, languageCode,
 * headerParams?, bodyParams?, buttonParams?}`; `kakao`: `{templateId, variables?, senderKey?}`;
 * other members are left as they are.
 */
export function providerTemplateFault(
  payload: Readonly<Record<string, unknown>> | undefined,
): Fault | undefined {
  for (const [name, readTemplate] of Object.entries(readers)) {
    const template = payload?.[name];
    if (template === undefined) continue;
    const read = readTemplate(template);
    if (!('problem' in read)) continue;
    const place = `payload.${name}`;
    return fieldFault(read.at === '' ? place : `${place}.${read.at}`, read.problem);
  }
  return undefined;
}
