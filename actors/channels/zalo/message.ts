// Zalo's request. Pure. A transactional message is a consultation (`cs`): plain text with a picture
// and buttons. Marketing is a promotion: a template with banner, header and shorter text. Zalo
// opens only web pages, so links into apps get no button.

import { tooLong } from '../answers.ts';
import type { Attempt } from '../attempt.ts';
import type { Failure } from '../outcome.ts';
import { openLabel } from '../wording.ts';

/** In UTF-16 code units of NFC text: otherwise a Vietnamese letter may have three. */
const zaloLimits = {
  textMax: 2_000,
  promotionHeaderMax: 100,
  promotionTextMax: 1_000,
  buttonsMax: 5,
  buttonTitleMax: 100,
} as const;

type ZaloKind = 'cs' | 'promotion';

/** The kind of message and the request body, or why there is none. */
export function zaloMessage(
  attempt: Attempt,
): { readonly kind: ZaloKind; readonly body: string } | Failure {
  const kind = attempt.lane === 'bulk' ? 'promotion' : 'cs';
  const message = kind === 'cs' ? consultation(attempt) : promotion(attempt);
  if ('outcome' in message) return message;
  return { kind, body: JSON.stringify({ recipient: { user_id: attempt.endpoint }, message }) };
}

interface Message {
  readonly text?: string;
  readonly attachment?: { readonly type: 'template'; readonly payload: object };
}

function consultation(attempt: Attempt): Message | Failure {
  const { buttons, linkBelow } = buttonsOf(attempt);
  const { title, body, image } = attempt.content;
  const text = [title, body, linkBelow].filter((part) => part !== undefined).join('\n');
  const fitted = fit('the text', text, zaloLimits.textMax);
  if (typeof fitted !== 'string') return fitted;
  const media =
    image === undefined
      ? {}
      : { template_type: 'media', elements: [{ media_type: 'image', url: image }] };
  if (image === undefined && buttons.length === 0) return { text: fitted };
  const payload = { ...media, ...(buttons.length > 0 && { buttons }) };
  return { text: fitted, attachment: { type: 'template', payload } };
}

function promotion(attempt: Attempt): Message | Failure {
  const { buttons, linkBelow } = buttonsOf(attempt);
  const { title, body, image } = attempt.content;
  const header = title && fit('the title', title, zaloLimits.promotionHeaderMax);
  if (typeof header === 'object') return header;
  const words = linkBelow === undefined ? body : `${body}\n${linkBelow}`;
  const text = fit('the text', words, zaloLimits.promotionTextMax);
  if (typeof text !== 'string') return text;
  const elements = [
    ...(image === undefined ? [] : [{ type: 'banner', image_url: image }]),
    ...(header ? [{ type: 'header', content: header, align: 'left' }] : []),
    { type: 'text', content: text, align: 'left' },
  ];
  const payload = {
    template_type: 'promotion',
    language: 'VI',
    elements,
    ...(buttons.length > 0 && { buttons }),
  };
  return { attachment: { type: 'template', payload } };
}

interface Button {
  readonly title: string;
  readonly type: 'oa.open.url' | 'oa.query.show';
  readonly payload: string | { readonly url: string };
}

/** At most five, a deep link last; with five buttons it goes below the text. */
function buttonsOf(attempt: Attempt): {
  readonly buttons: readonly Button[];
  readonly linkBelow?: string;
} {
  const { buttons = [], deepLink } = attempt.content;
  const made = buttons
    .filter(({ url }) => url === undefined || opens(url))
    .slice(0, zaloLimits.buttonsMax)
    .map(
      ({ id, label, url }): Button =>
        url === undefined
          ? { title: label, type: 'oa.query.show', payload: `#${id ?? label}` }
          : openButton(label, url),
    );
  const isMissing =
    deepLink !== undefined && opens(deepLink) && !buttons.some(({ url }) => url === deepLink);
  if (!isMissing) return { buttons: made };
  if (made.length === zaloLimits.buttonsMax) return { buttons: made, linkBelow: deepLink };
  return { buttons: [...made, openButton(openLabel(attempt), deepLink)] };
}

function openButton(title: string, url: string): Button {
  return { title, type: 'oa.open.url', payload: { url } };
}

function opens(url: string): boolean {
  return /^https?:\/\//i.test(url);
}

function fit(what: string, raw: string, charactersMax: number): string | Failure {
  const text = raw.normalize('NFC');
  return tooLong(what, text, charactersMax) ?? text;
}
