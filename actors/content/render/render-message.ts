// Renders a message for one person and checks every rendered value. Email is HTML and all else
// text, from one body; dispatch picks by channel. On the transactional lane any problem refuses the
// call and names the member; on the marketing lane unknown names print nothing. Source:
// specification, "Transactional lane" and "Errors"; contract, section 5.

import type { Millis } from '../../../engine/base/brand.ts';
import { type Fault, FaultError } from '../../../engine/base/fault.ts';
import { hasControlCharacter } from '../../channels/addresses/address.ts';
import type { Button, RenderedContent } from '../../channels/port/attempt.ts';
import { htmlToText } from '../../channels/port/html-text.ts';
import { type ContentLane, refuse } from '../accept/accept-content.ts';
import { checkRenderedButton } from '../accept/buttons.ts';
import type { RenderContext } from '../liquid/context.ts';
import { isHtml, textToHtml } from '../liquid/html-text.ts';
import type { Escape } from '../liquid/liquid-filters.ts';
import { compile, printsInTags, type RenderOptions, render } from '../liquid/render.ts';
import { RenderBudget } from '../liquid/render-budget.ts';
import { contentLimits } from '../shape/content-limits.ts';
import {
  deliveryOptionKeys,
  readDeliveryOptions,
  withoutDeliveryOptions,
} from '../shape/delivery-options.ts';
import { refusedLinkIn } from '../shape/html-links.ts';
import { isTemplate } from '../shape/is-template.ts';
import { checkLink, type LinkUse } from '../shape/link.ts';
import type { MessageContent } from '../shape/message-schema.ts';
import { type ChosenLanguage, faultAsWritten } from './localize.ts';

export interface RenderedMessage {
  /** For every channel but email; its body is plain text. */
  readonly plain: RenderedContent;
  /** Given if an email device is among the targets; its body is HTML, the rest as in `plain`. */
  readonly email?: RenderedContent;
}

interface MessageRendering {
  readonly lane: ContentLane;
  /** Whether an email device is among the targets. */
  readonly email: boolean;
  readonly nowMs: Millis;
  /** For the `date` filter: the person's IANA zone. */
  readonly timezone?: string;
  /** Steps and work for the whole message; a batch may share one among its recipients. */
  readonly budget?: RenderBudget;
}

/**
 * Renders content from `acceptContent` and `localize`.
 *
 * A body with an HTML tag is HTML: email gets it with every value escaped, other channels its text.
 * A body without one is text: email gets it escaped, with its line breaks. Only what the author
 * wrote decides, never a value: a person's tag `<b>` stays visible text everywhere.
 *
 * Faults name the member as written (`localizations.vi.body: undefined variable: order_id`,
 * `payload.priority: expected "normal" or "high"`, `runaway template: …`). On the marketing lane a
 * title, image, link or button that renders to nothing is omitted; a body is a fault there, too.
 */
export function renderContent(
  content: MessageContent & { readonly variant?: ChosenLanguage | null },
  context: RenderContext,
  rendering: MessageRendering,
): { readonly rendered: RenderedMessage } | { readonly fault: Fault } {
  const { lane, nowMs, timezone, budget = new RenderBudget() } = rendering;
  const strict = lane === 'transactional';
  const mode = strict ? 'strict' : 'lenient';
  const options: RenderOptions =
    timezone === undefined ? { mode, nowMs, budget } : { mode, nowMs, budget, timezone };
  try {
    return { rendered: renderAll({ context, options, strict }, content, rendering) };
  } catch (error) {
    if (error instanceof FaultError) return { fault: faultAsWritten(error.fault, content.variant) };
    throw error;
  }
}

type Draft = { -readonly [Member in keyof RenderedContent]: RenderedContent[Member] };

interface Pass {
  readonly context: RenderContext;
  readonly options: RenderOptions;
  readonly strict: boolean;
}

function renderAll(
  pass: Pass,
  content: MessageContent & { readonly variant?: ChosenLanguage | null },
  { lane, email }: MessageRendering,
): RenderedMessage {
  const title = renderTitle(pass, content.title);
  const body = renderBody(pass, content.body, email);
  const image = renderLink(pass, content.image, 'image', 'image');
  const deepLink = renderLink(pass, content.deepLink, 'deepLink', 'link');
  const buttons = renderButtons(pass, content.buttons);
  const data = content.data === undefined ? undefined : renderData(pass, content.data);
  const payload =
    content.payload === undefined ? undefined : renderMembers(pass, content.payload, 'payload');
  const transactional = lane === 'transactional';
  const top = renderTop(pass, content);
  const read =
    top === undefined && payload === undefined && data === undefined
      ? { options: {} }
      : readDeliveryOptions({ top, payload, data: transactional ? data : undefined }, 'rendered');
  if ('fault' in read) throw new FaultError(read.fault);
  const ownData = data !== undefined && transactional ? withoutDeliveryOptions(data) : data;
  const ownPayload = payload === undefined ? undefined : withoutDeliveryOptions(payload);
  // Assigned one by one: nine conditional spreads took longer than all the rendering.
  const plain: Draft = { body: body.text, options: read.options };
  if (title !== undefined) plain.title = title;
  if (content.variant !== undefined) plain.language = content.variant?.key ?? null;
  if (image !== undefined) plain.image = image;
  if (deepLink !== undefined) plain.deepLink = deepLink;
  if (buttons !== undefined) plain.buttons = buttons;
  if (ownData !== undefined && !isEmpty(ownData)) plain.data = ownData;
  if (ownPayload !== undefined && !isEmpty(ownPayload)) plain.payload = ownPayload;
  if (transactional && content.utm === true) plain.utm = true;
  if (body.html === undefined) return { plain };
  const mail: Draft = { ...plain, body: body.html };
  if (content.unsubscribe !== undefined) mail.unsubscribe = content.unsubscribe;
  return { plain, email: mail };
}

function renderTitle(pass: Pass, source: string | undefined): string | undefined {
  if (source === undefined) return undefined;
  const title = oneLine(renderText(pass, source, 'title'));
  if (title === '') {
    if (pass.strict) refuse('title', 'renders to nothing');
    return undefined;
  }
  if (hasControlCharacter(title)) refuse('title', 'must not contain control characters');
  if (title.length > contentLimits.titleMax)
    refuse('title', `at most ${contentLimits.titleMax} characters`);
  return title;
}

function renderBody(
  pass: Pass,
  source: string | undefined,
  email: boolean,
): { readonly text: string; readonly html?: string } {
  if (source === undefined) return email ? { text: '', html: '' } : { text: '' };
  if (!isHtml(source)) {
    const text = renderText(pass, source, 'body');
    if (text.trim() === '') refuse('body', 'renders to nothing');
    return email ? { text, html: textToHtml(text) } : { text };
  }
  // HTML becomes text after rendering, which unescapes the values.
  const html = renderText(pass, source, 'body', 'html');
  const scheme = printsInTags(source) ? refusedLinkIn(html, source) : undefined;
  if (scheme !== undefined) refuse('body', `${scheme}: links are not allowed`);
  const text = htmlToText(html);
  if (text === '' && !/<img\b/i.test(html)) refuse('body', 'renders to nothing');
  return email ? { text, html } : { text };
}

function renderLink(
  pass: Pass,
  source: string | undefined,
  field: string,
  use: LinkUse,
): string | undefined {
  // `acceptContent` normalized a link without template tags.
  if (source === undefined || !isTemplate(source)) return source;
  const text = renderText(pass, source, field);
  if (text.trim() === '') return undefined;
  const checked = checkLink(text, use);
  if ('problem' in checked) refuse(field, checked.problem);
  return checked.url;
}

function renderButtons(
  pass: Pass,
  sources: readonly Button[] | undefined,
): readonly Button[] | undefined {
  if (sources === undefined) return undefined;
  const buttons: Button[] = [];
  for (const [i, source] of sources.entries()) {
    const field = `buttons[${i}]`;
    const rendered: Button = {
      ...source,
      label: renderText(pass, source.label, `${field}.label`),
      ...(source.url === undefined
        ? undefined
        : { url: renderText(pass, source.url, `${field}.url`) }),
    };
    const checked = checkRenderedButton(rendered, field, pass.strict);
    if ('fault' in checked) throw new FaultError(checked.fault);
    if (checked.button !== undefined) buttons.push(checked.button);
  }
  return buttons.length === 0 ? undefined : buttons;
}

function renderTop(pass: Pass, content: MessageContent): Record<string, unknown> | undefined {
  let top: Record<string, unknown> | undefined;
  for (const key of deliveryOptionKeys) {
    const value = content[key];
    if (value === undefined) continue;
    top ??= {};
    top[key] = typeof value === 'string' ? renderText(pass, value, key) : value;
  }
  return top;
}

// Values may render to nothing: their meaning is the app's.
function renderData(
  pass: Pass,
  sources: NonNullable<MessageContent['data']>,
): Record<string, string> {
  const data: Record<string, string> = {};
  for (const [key, source] of Object.entries(sources)) {
    data[key] =
      typeof source === 'string' ? renderText(pass, source, `data.${key}`) : String(source);
  }
  return data;
}

function renderMembers(
  pass: Pass,
  sources: Readonly<Record<string, unknown>>,
  field: string,
): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const [key, source] of Object.entries(sources))
    members[key] = renderValue(pass, source, `${field}.${key}`);
  return members;
}

function renderValue(pass: Pass, source: unknown, field: string): unknown {
  if (typeof source === 'string') return renderText(pass, source, field);
  if (Array.isArray(source))
    return source.map((item, i) => renderValue(pass, item, `${field}[${i}]`));
  if (typeof source !== 'object' || source === null) return source;
  return renderMembers(pass, { ...source }, field);
}

function renderText(pass: Pass, source: string, field: string, escaping: Escape = 'none'): string {
  if (!isTemplate(source)) return source;
  if (pass.options.budget?.takeSource(source) === false)
    refuse(field, 'runaway template: too many characters within tags');
  const template = compile(source, escaping);
  if ('problem' in template) refuse(field, template.problem);
  const result = render(template, pass.context, pass.options);
  if ('problem' in result) refuse(field, result.problem);
  return result.text;
}

/** A text on one line. Special blanks (no-break, ideographic) are deliberate and stay. */
function oneLine(text: string): string {
  const flat = /[\t\n\v\f\r\u0085\u2028\u2029]| {2}/.test(text)
    ? text.replace(/[ \t\n\v\f\r\u0085\u2028\u2029]+/g, ' ')
    : text;
  return flat.trim();
}

function isEmpty(members: object): boolean {
  for (const _ in members) return false;
  return true;
}
