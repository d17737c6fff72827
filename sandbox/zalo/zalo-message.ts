// The messages that Zalo accepts, its refusals, and what the person sees. Refuses unknown fields,
// which Zalo drops silently, to expose mistakes.

import { isJsonObject, type JsonObject, objectOrEmpty, textOf } from '../json.ts';
import type { Content, ContentButton } from '../message.ts';

export type Kind = 'cs' | 'promotion' | 'transaction';

type Problem = readonly [error: number, message: string];

const textMax = 2_000;
const headerMax = 100;
const promotionTextMax = 1_000;
const buttonsMax = 5;
const titleMax = 100;
const payloadMax = 1_000;

/** The first problem, or `undefined`. */
export function problemOfRequest(request: unknown, kind: Kind): Problem | undefined {
  if (!isJsonObject(request)) return invalid('the body is not JSON');
  const { recipient, message } = request;
  return (
    unknown('', request, ['recipient', 'message']) ??
    problemOfRecipient(recipient) ??
    (kind === 'cs' ? problemOfConsultation(message) : problemOfElements(message, kind))
  );
}

function problemOfRecipient(recipient: unknown): Problem | undefined {
  if (!isJsonObject(recipient)) return invalid('recipient');
  const { user_id: user } = recipient;
  if (typeof user !== 'string' || !/^\d{1,20}$/.test(user)) return invalid('recipient.user_id');
  return unknown('recipient.', recipient, ['user_id']);
}

function problemOfConsultation(message: unknown): Problem | undefined {
  if (!isJsonObject(message)) return invalid('message');
  const { text, attachment } = message;
  if (typeof text !== 'string' || text === '') return invalid('message.text');
  if (text.length > textMax) return tooLong('message.text', textMax);
  const stray = unknown('message.', message, ['text', 'attachment']);
  if (stray !== undefined || attachment === undefined) return stray;
  const payload = payloadOf(attachment);
  if (payload === undefined) return invalid('message.attachment');
  const { template_type: type, elements, buttons } = payload;
  if (type === undefined && buttons === undefined) return invalid('message.attachment.payload');
  return (
    unknown('payload.', payload, ['template_type', 'elements', 'buttons']) ??
    (type === undefined ? undefined : problemOfMedia(type, elements)) ??
    problemOfButtons(buttons)
  );
}

function problemOfMedia(type: unknown, elements: unknown): Problem | undefined {
  if (type !== 'media') return invalid('payload.template_type');
  const [only, ...others] = Array.isArray(elements) ? (elements as unknown[]) : [];
  if (!isJsonObject(only) || others.length > 0) return invalid('payload.elements');
  if (only['media_type'] !== 'image') return invalid('payload.elements[0].media_type');
  if (!isWeb(only['url'])) return invalid('payload.elements[0].url');
  return unknown('payload.elements[0].', only, ['media_type', 'url']);
}

function problemOfElements(message: unknown, kind: Kind): Problem | undefined {
  if (!isJsonObject(message)) return invalid('message');
  const payload = payloadOf(message['attachment']);
  if (payload === undefined) return invalid('message.attachment');
  const { template_type: type, language, elements, buttons } = payload;
  const isOfKind =
    kind === 'promotion'
      ? type === 'promotion'
      : typeof type === 'string' && /^transaction_[a-z_]+$/.test(type);
  if (!isOfKind) return invalid('payload.template_type');
  if (language !== 'VI' && language !== 'EN') return invalid('payload.language');
  if (!Array.isArray(elements) || elements.length === 0) return invalid('payload.elements');
  for (const [index, element] of elements.entries()) {
    const at = `payload.elements[${index}]`;
    const problem =
      kind === 'transaction' && objectOrEmpty(element)['type'] === 'table'
        ? problemOfTable(objectOrEmpty(element), at)
        : problemOfElement(element, at);
    if (problem !== undefined) return problem;
  }
  return (
    unknown('message.', message, ['attachment']) ??
    unknown('payload.', payload, ['template_type', 'language', 'elements', 'buttons']) ??
    problemOfButtons(buttons)
  );
}

function problemOfTable(table: JsonObject, at: string): Problem | undefined {
  const { content } = table;
  if (!Array.isArray(content) || content.length === 0) return invalid(`${at}.content`);
  for (const [index, row] of (content as unknown[]).map(objectOrEmpty).entries()) {
    const place = `${at}.content[${index}]`;
    if (typeof row['key'] !== 'string' || row['key'] === '') return invalid(`${place}.key`);
    if (typeof row['value'] !== 'string') return invalid(`${place}.value`);
    const stray = unknown(`${place}.`, row, ['key', 'value']);
    if (stray !== undefined) return stray;
  }
  return unknown(`${at}.`, table, ['type', 'content']);
}

function problemOfElement(element: unknown, at: string): Problem | undefined {
  if (!isJsonObject(element)) return invalid(at);
  const { type, content, align, image_url: image } = element;
  if (type === 'banner')
    return isWeb(image)
      ? unknown(`${at}.`, element, ['type', 'image_url'])
      : invalid(`${at}.image_url`);
  if (type !== 'header' && type !== 'text') return invalid(`${at}.type`);
  if (typeof content !== 'string' || content === '') return invalid(`${at}.content`);
  const charactersMax = type === 'header' ? headerMax : promotionTextMax;
  if (content.length > charactersMax) return tooLong(`${at}.content`, charactersMax);
  if (align !== undefined && align !== 'left' && align !== 'center' && align !== 'right')
    return invalid(`${at}.align`);
  return unknown(`${at}.`, element, ['type', 'content', 'align']);
}

function problemOfButtons(buttons: unknown): Problem | undefined {
  if (buttons === undefined) return undefined;
  if (!Array.isArray(buttons) || buttons.length === 0) return invalid('payload.buttons');
  if (buttons.length > buttonsMax) return tooLong('payload.buttons', buttonsMax);
  for (const [index, button] of (buttons as unknown[]).entries()) {
    const at = `payload.buttons[${index}]`;
    if (!isJsonObject(button)) return invalid(at);
    const { title, type, payload } = button;
    if (typeof title !== 'string' || title === '') return invalid(`${at}.title`);
    if (title.length > titleMax) return tooLong(`${at}.title`, titleMax);
    const isGood =
      type === 'oa.open.url'
        ? isJsonObject(payload) && isWeb(payload['url']) && Object.keys(payload).length === 1
        : type === 'oa.query.show' &&
          typeof payload === 'string' &&
          payload !== '' &&
          payload.length <= payloadMax;
    if (!isGood) return invalid(`${at}.payload`);
    const stray = unknown(`${at}.`, button, ['title', 'type', 'payload', 'image_icon']);
    if (stray !== undefined) return stray;
  }
  return undefined;
}

export function contentOfRequest(request: unknown, kind: Kind): Content {
  const message = objectOrEmpty(objectOrEmpty(request)['message']);
  const payload = payloadOf(message['attachment']) ?? {};
  const elements = Array.isArray(payload['elements']) ? payload['elements'].map(objectOrEmpty) : [];
  const one = (type: string) => elements.find((element) => element['type'] === type);
  const title = textOf(one('header')?.['content']);
  const text = textOf(message['text']) ?? textOf(one('text')?.['content']);
  const image = textOf(one('banner')?.['image_url']) ?? textOf(elements[0]?.['url']);
  const buttons = buttonsOf(payload['buttons']);
  const rows = rowsOf(one('table'));
  return {
    sender: 'Official Account',
    ...(title === undefined ? undefined : { title }),
    ...(text === undefined ? undefined : { text }),
    ...(image === undefined ? undefined : { image }),
    ...(buttons.length > 0 && { buttons }),
    ...(rows.length > 0 && { rows }),
    details: [['kind', kind === 'cs' ? 'consultation' : kind], ...rows],
  };
}

/** A transaction's table. */
function rowsOf(table: JsonObject | undefined): [string, string][] {
  const rows = table?.['content'];
  if (!Array.isArray(rows)) return [];
  return (rows as unknown[])
    .map(objectOrEmpty)
    .map((row) => [textOf(row['key']) ?? '', textOf(row['value']) ?? '']);
}

function buttonsOf(buttons: unknown): ContentButton[] {
  if (!Array.isArray(buttons)) return [];
  return (buttons as unknown[]).flatMap((entry) => {
    const { title, payload } = objectOrEmpty(entry);
    const label = textOf(title);
    const url = textOf(objectOrEmpty(payload)['url']);
    return label === undefined ? [] : [{ label, ...(url === undefined ? undefined : { url }) }];
  });
}

function payloadOf(attachment: unknown): JsonObject | undefined {
  const { type, payload, ...others } = objectOrEmpty(attachment);
  const isKnown = type === 'template' && Object.keys(others).length === 0;
  return isKnown && isJsonObject(payload) ? payload : undefined;
}

function unknown(path: string, object: JsonObject, names: readonly string[]): Problem | undefined {
  const stray = Object.keys(object).find((name) => !names.includes(name));
  return stray === undefined ? undefined : [-201, `Parameter is unknown: ${path}${stray}`];
}

function isWeb(url: unknown): boolean {
  return typeof url === 'string' && /^https?:\/\/[^/]/i.test(url);
}

function invalid(what: string): Problem {
  return [-201, `Parameter is invalid: ${what}`];
}

function tooLong(what: string, most: number): Problem {
  return [-210, `Parameter exceeds the limit of ${most}: ${what}`];
}
