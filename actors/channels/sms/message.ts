// A text message. Pure. The title is the first line; web addresses come last, a button's as `Label:
// url`. Badge, sound, priority and custom data are not sent. A picture makes it an MMS.

import type { Seconds } from '../../../engine/base/brand.ts';
import type { CarrierForm } from '../carrier/form.ts';
import { failure } from '../port/answers.ts';
import type { Attempt } from '../port/attempt.ts';
import type { Failure } from '../port/outcome.ts';
import { takesPictures } from './pictures.ts';

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
  const text = smsText(content);
  if (typeof text !== 'string') return text;
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

/** What the person reads; refused if it is too long for any carrier. */
export function smsText(content: Attempt['content']): string | Failure {
  const text = textOf(content);
  if (text.length <= smsTextUnitsMax) return text;
  const words = `${text.length} characters, ${smsTextUnitsMax} are allowed`;
  return failure('permanent', 'text_too_long', words);
}

function textOf({ title, body, deepLink, buttons = [] }: Attempt['content']): string {
  const words = title === undefined || title === '' ? body : `${title}\n${body}`;
  // A text message cannot open links into apps, and a link in the text need not be repeated.
  const links = buttons
    .filter(({ url }) => isWebAddress(url) && !words.includes(url))
    .map(({ label, url }) => `${label}: ${url}`);
  const isShown = words.includes(deepLink ?? '') || buttons.some(({ url }) => url === deepLink);
  if (isWebAddress(deepLink) && !isShown) links.push(deepLink);
  return [words, ...links].join('\n');
}

function isWebAddress(text: string | undefined): text is string {
  return text !== undefined && /^https?:\/\//i.test(text);
}
