// Zalo's request. Pure. A message with `payload.zalo` is a transaction message, which also reaches
// people who were silent for a week. Without it a transactional message is a consultation (`cs`):
// text and a picture. Marketing is a promotion. Zalo opens only web pages, so links into apps get
// no button.

import { failure, tooLong } from '../port/answers.ts';
import type { Attempt } from '../port/attempt.ts';
import type { Failure } from '../port/outcome.ts';
import { openLabel } from '../port/wording.ts';
import { readZaloTemplate } from './template.ts';

/** In UTF-16 code units of NFC text: otherwise a Vietnamese letter may have three. */
const zaloLimits = {
  textMax: 2_000,
  promotionHeaderMax: 100,
  promotionTextMax: 1_000,
  buttonsMax: 5,
  buttonTitleMax: 100,
} as const;

type ZaloKind = 'cs' | 'promotion' | 'transaction';

/** The kind of message and the request body, or why there is none. */
export function zaloMessage(
  attempt: Attempt,
): { readonly kind: ZaloKind; readonly body: string } | Failure {
  const value = attempt.content.payload?.['zalo'];
  const lane = attempt.lane === 'bulk' ? 'promotion' : 'cs';
  const kind = value === undefined ? lane : 'transaction';
  const message = {
    cs: () => consultation(attempt),
    promotion: () => templated(attempt, 'promotion', []),
    transaction: () => transaction(attempt, value),
  }[kind]();
  if ('outcome' in message) return message;
  return { kind, body: JSON.stringify({ recipient: { user_id: attempt.endpoint }, message }) };
}

interface Message {
  readonly text?: string;
  readonly attachment?: { readonly type: 'template'; readonly payload: object };
}

/** Buttons of consultations are not documented, so their links stand below the text. */
function consultation({ content }: Attempt): Message | Failure {
  const { title, body, image, buttons = [], deepLink } = content;
  const links = buttons.flatMap(({ label, url }) =>
    url !== undefined && opens(url) ? [`${label}: ${url}`] : [],
  );
  const isMissing =
    deepLink !== undefined && opens(deepLink) && !buttons.some(({ url }) => url === deepLink);
  if (isMissing) links.push(deepLink);
  const text = [title, body, ...links].filter((part) => part !== undefined).join('\n');
  const fitted = fit('the text', text, zaloLimits.textMax);
  if (typeof fitted !== 'string') return fitted;
  if (image === undefined) return { text: fitted };
  const media = { template_type: 'media', elements: [{ media_type: 'image', url: image }] };
  return { text: fitted, attachment: { type: 'template', payload: media } };
}

function transaction(attempt: Attempt, value: unknown): Message | Failure {
  const template = readZaloTemplate(value);
  if ('problem' in template) {
    const { at, problem } = template;
    const member = at === '' ? 'payload.zalo' : `payload.zalo.${at}`;
    return failure('permanent', 'template_invalid', `${member}: ${problem}`);
  }
  const rows = template.params.map(([key, text]) => ({ key, value: text.normalize('NFC') }));
  const table = rows.length === 0 ? [] : [{ type: 'table', content: rows }];
  return templated(attempt, template.templateId, table);
}

/** A message of Zalo's elements: banner, header, text, then what the kind adds, and buttons. */
function templated(
  attempt: Attempt,
  templateType: string,
  more: readonly object[],
): Message | Failure {
  const { buttons, linkBelow } = buttonsOf(attempt);
  const { title, body, image, language } = attempt.content;
  const header = title && fit('the title', title, zaloLimits.promotionHeaderMax);
  if (typeof header === 'object') return header;
  const words = linkBelow === undefined ? body : `${body}\n${linkBelow}`;
  const text = fit('the text', words, zaloLimits.promotionTextMax);
  if (typeof text !== 'string') return text;
  const elements = [
    ...(image === undefined ? [] : [{ type: 'banner', image_url: image }]),
    ...(header ? [{ type: 'header', content: header, align: 'left' }] : []),
    { type: 'text', content: text, align: 'left' },
    ...more,
  ];
  const payload = {
    template_type: templateType,
    // Zalo's own words around the message; it has two languages.
    language: language?.startsWith('en') ? 'EN' : 'VI',
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
