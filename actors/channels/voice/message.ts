// A call: the title, a pause, then the text; nothing else is used. Pure. The spoken text is XML
// inside a form, so markup in a person's name must be escaped.

import { failure } from '../answers.ts';
import type { Attempt } from '../attempt.ts';
import type { CarrierForm } from '../carrier/form.ts';
import type { Failure } from '../outcome.ts';

const twimlUnitsMax = 4000;

/** The form without sender and callback, or why there is none. */
export function voiceMessage(
  attempt: Attempt,
  to: string,
): { readonly form: CarrierForm } | Failure {
  const { title, body } = attempt.content;
  const said = [title ?? '', body].map(spoken).filter((text) => text !== '');
  const verbs = said.map((text) => `<Say>${text}</Say>`).join('<Pause length="1"/>');
  const twiml = `<?xml version="1.0" encoding="UTF-8"?><Response>${verbs}</Response>`;
  if (twiml.length > twimlUnitsMax) {
    return failure(
      'permanent',
      'text_too_long',
      `${twiml.length} characters as TwiML, ${twimlUnitsMax} are allowed`,
    );
  }
  return {
    form: [
      ['To', to],
      ['Twiml', twiml],
    ],
  };
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** XML text: one line, only characters that XML allows. */
function spoken(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cs}\u2028\u2029\ufffe\uffff]+/gu, ' ')
    .trim()
    .replace(/[&<>"']/g, (sign) => entities[sign] ?? '');
}
