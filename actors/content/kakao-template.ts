// Whether `payload.kakao` names an approved template of the provider as it must, when a message is accepted. The template's
// own text is the provider's; ours are the variables, which may hold Liquid like any other text.

import { type Fault, fieldFault } from '../../engine/base/fault.ts';
import { readKakaoTemplate } from '../channels/kakao-template.ts';

const place = 'payload.kakao';

/**
 * What is wrong with `payload.kakao`, naming the member (`payload.kakao.variables.name: expected a string`); `undefined`
 * when it is right or not there. `{templateId, variables?, senderKey?}`; other members are left as they are.
 */
export function kakaoTemplateFault(
  payload: Readonly<Record<string, unknown>> | undefined,
): Fault | undefined {
  const template = payload?.['kakao'];
  if (template === undefined) return undefined;
  const read = readKakaoTemplate(template);
  if (!('problem' in read)) return undefined;
  return fieldFault(read.at === '' ? place : `${place}.${read.at}`, read.problem);
}
