// A rendered message as a text message. Pure. The title is the first line, a web address the last;
// buttons, badge, sound, priority and custom data are not sent. A picture makes it an MMS, which
// works only in the United States and Canada; elsewhere the carrier would refuse the whole message
// for it.

import type { Seconds } from '../../../engine/base/brand.ts';
import { failure } from '../answers.ts';
import type { Attempt } from '../attempt.ts';
import type { CarrierForm } from '../carrier/form.ts';
import type { Failure } from '../outcome.ts';

/** The carrier's longest text, in UTF-16 units, in any number of segments. */
const smsTextUnitsMax = 1600;
/** How long the carrier tries at most, and by default. */
const validitySecondsMax: Seconds = 36_000;

/**
 * The form without sender and callback, or why there is none. `ttl` is the rest of the message's
 * life; 0, "now or never", becomes the carrier's shortest life.
 */
export function smsMessage(
  attempt: Attempt,
  to: string,
  ttl: Seconds | undefined,
): { readonly form: CarrierForm } | Failure {
  const { content } = attempt;
  const text = textOf(content);
  if (text.length > smsTextUnitsMax) {
    return failure(
      'permanent',
      'text_too_long',
      `${text.length} characters, ${smsTextUnitsMax} are allowed`,
    );
  }
  const form: [string, string][] = [
    ['To', to],
    ['Body', text],
  ];
  if (isWebAddress(content.image) && takesPictures(to)) form.push(['MediaUrl', content.image]);
  if (ttl !== undefined) {
    form.push(['ValidityPeriod', String(Math.min(Math.max(ttl, 1), validitySecondsMax))]);
  }
  return { form };
}

function textOf({ title, body, deepLink }: Attempt['content']): string {
  let text = title === undefined || title === '' ? body : `${title}\n${body}`;
  // A link into an app cannot be tapped in a text message, and a link that the text contains need
  // not be repeated.
  if (isWebAddress(deepLink) && !text.includes(deepLink)) text += `\n${deepLink}`;
  return text;
}

function isWebAddress(text: string | undefined): text is string {
  return text !== undefined && /^https?:\/\//i.test(text);
}

/**
 * Area codes below +1 that are neither the United States nor Canada. Source: NANPA, geographic area
 * codes.
 */
const otherCountries = new Set(
  [
    '242 246 264 268 284 340 345 441 473 649 658 664 670 671 684 721 758',
    '767 784 787 809 829 849 868 869 876 939',
  ].flatMap((line) => line.split(' ')),
);

function takesPictures(number: string): boolean {
  return number.startsWith('+1') && !otherCountries.has(number.slice(2, 5));
}
