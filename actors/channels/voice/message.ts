// What a rendered message is to the carrier as a call: the title is said first, the text after a
// moment's silence. Pure. Pictures, links, buttons, data and every delivery option have no place in
// a call. Easily got wrong: what is said is XML inside a form, so markup in somebody's name must
// reach the ear as text.

import { failure } from '../answers.ts';
import type { Attempt } from '../attempt.ts';
import type { CarrierForm } from '../carrier/form.ts';
import type { Failure } from '../outcome.ts';

/** The longest TwiML that may stand in a request, in UTF-16 units. */
const twimlUnitsMax = 4000;

/** The parameters for one number but sender and callback, or why there can be none. */
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

/** Text for the inside of an element: on one line, and without what no XML document may hold. */
function spoken(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cs}\u2028\u2029\ufffe\uffff]+/gu, ' ')
    .trim()
    .replace(/[&<>"']/g, (sign) => entities[sign] ?? '');
}
