// Checks the providers' templates in `payload.whatsapp` and `payload.kakao` when a message is
// accepted. The template's text is the provider's; its parameters are ours and may use Liquid.
// Source: specification, "Message".

import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { kakaoMembers, readKakaoTemplate } from '../../channels/kakao/template.ts';
import { readVoiceOptions, voiceMembers } from '../../channels/voice/options.ts';
import { readWhatsAppTemplate, whatsappMembers } from '../../channels/whatsapp/template.ts';
import { readZaloTemplate, zaloMembers } from '../../channels/zalo/template.ts';
import type { MemberTree } from '../../is-object.ts';

const readers = {
  whatsapp: readWhatsAppTemplate,
  kakao: readKakaoTemplate,
  voice: readVoiceOptions,
  zalo: readZaloTemplate,
} as const;

/** The objects of `payload` that channels read, and their members. `payload` itself is open. */
export const payloadMembers = {
  whatsapp: whatsappMembers,
  kakao: kakaoMembers,
  voice: voiceMembers,
  zalo: zaloMembers,
} as const satisfies Readonly<Record<keyof typeof readers, MemberTree>>;

/**
 * The first mistake with its member (`payload.whatsapp.bodyParams[1]: expected a string`).
 * `whatsapp`: `{templateName, languageCode?, headerParams?, bodyParams?, buttonParams?}`; `kakao`:
 * `{templateId, variables?, senderKey?}`; `voice`: `{language?, voice?}`; `zalo`:
 * `{templateId, params?}`; other members stay as they are.
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
