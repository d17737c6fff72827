// `payload.whatsapp`: which approved template of the provider a message stands for, and what goes into its places. The
// template's own text is the provider's; ours are the parameters, which may hold Liquid like any other text.
// Source: specification, "Message".

import { type Fault, fieldFault } from '../../engine/base/fault.ts';

const place = 'payload.whatsapp';
const nameMax = 512;
/** What one part of a template can take; the provider allows fewer in most. */
const paramsMax = 100;

/**
 * What is wrong with `payload.whatsapp`, naming the member (`payload.whatsapp.bodyParams[1]: expected a string`);
 * `undefined` when it is right or not there. `{templateName, languageCode, headerParams?, bodyParams?}`; other members
 * are left as they are.
 */
export function whatsappTemplateFault(
  payload: Readonly<Record<string, unknown>> | undefined,
): Fault | undefined {
  const template = payload?.['whatsapp'];
  if (template === undefined) return undefined;
  if (typeof template !== 'object' || template === null || Array.isArray(template))
    return fieldFault(place, 'expected an object with templateName and languageCode');
  const members = new Map<string, unknown>(Object.entries(template));
  const name = members.get('templateName');
  if (typeof name !== 'string' || name.trim() === '' || name.length > nameMax)
    return fieldFault(
      `${place}.templateName`,
      `expected the name of an approved template, 1 to ${nameMax} characters`,
    );
  const language = members.get('languageCode');
  if (typeof language !== 'string' || !/^[A-Za-z]{2,3}([_-][A-Za-z0-9]{2,8})*$/.test(language))
    return fieldFault(`${place}.languageCode`, 'expected a language code, such as en_US');
  for (const part of ['headerParams', 'bodyParams'] as const) {
    const params = members.get(part);
    if (params === undefined) continue;
    if (!Array.isArray(params) || params.length > paramsMax)
      return fieldFault(`${place}.${part}`, `expected a list of at most ${paramsMax} strings`);
    const wrong = params.findIndex((param) => typeof param !== 'string');
    if (wrong >= 0) return fieldFault(`${place}.${part}[${wrong}]`, 'expected a string');
  }
  return undefined;
}
