// A text message. Pure. The title is the first line, a web address the last; buttons, badge, sound,
// priority and custom data are not sent. A picture makes it an MMS, which only the United States
// and Canada support; elsewhere the carrier would refuse the whole message.

import type { Seconds } from '../../../engine/base/brand.ts';
import { failure } from '../answers.ts';
import type { Attempt } from '../attempt.ts';
import type { CarrierForm } from '../carrier/form.ts';
import type { Failure } from '../outcome.ts';

/** The carrier's longest text in UTF-16 units, over all segments. */
const smsTextUnitsMax = 1600;
/** The carrier's longest lifetime, and its default. */
const validitySecondsMax: Seconds = 36_000;

/** Without sender and callback. A `ttl` of 0 (now or never) becomes the shortest lifetime. */
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
  // A text message cannot open links into apps, and a link in the text need not be repeated.
  if (isWebAddress(deepLink) && !text.includes(deepLink)) text += `\n${deepLink}`;
  return text;
}

function isWebAddress(text: string | undefined): text is string {
  return text !== undefined && /^https?:\/\//i.test(text);
}

/** +1 area codes outside the United States and Canada. Source: NANPA, geographic area codes. */
const otherCountries = new Set(
  [
    '242 246 264 268 284 340 345 441 473 649 658 664 670 671 684 721 758',
    '767 784 787 809 829 849 868 869 876 939',
  ].flatMap((line) => line.split(' ')),
);

function takesPictures(number: string): boolean {
  return number.startsWith('+1') && !otherCountries.has(number.slice(2, 5));
}
