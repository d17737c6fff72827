// The messages that Telegram accepts, and its refusals: fields of `sendMessage` and `sendPhoto`,
// lengths, links. Refuses unknown fields, which Telegram ignores, to expose mistakes.

import { isJsonObject, type JsonObject, objectOrEmpty, textOf } from '../json.ts';
import { readHtml } from './telegram-html.ts';

export const methods = ['sendMessage', 'sendPhoto'] as const;
export type Method = (typeof methods)[number];

const unitsMax = { text: 4_096, caption: 1_024 } as const;
const callbackBytesMax = 64;

const common = ['chat_id', 'parse_mode', 'disable_notification', 'protect_content', 'reply_markup'];
const membersOf: Readonly<Record<Method, readonly string[]>> = {
  sendMessage: [...common, 'text', 'link_preview_options'],
  sendPhoto: [...common, 'photo', 'caption', 'show_caption_above_media'],
};
const previewMembers: Readonly<Record<string, string>> = {
  is_disabled: 'boolean',
  url: 'string',
  prefer_small_media: 'boolean',
  prefer_large_media: 'boolean',
  show_above_text: 'boolean',
};

/** The first problem, without its `Bad Request: `; `undefined` if valid. */
export function problemOfCall(method: Method, call: unknown): string | undefined {
  if (!isJsonObject(call)) return "can't parse JSON object";
  for (const name in call) {
    if (!membersOf[method].includes(name)) return `unknown parameter "${name}"`;
  }
  return (
    problemOfChat(call['chat_id']) ??
    problemOfFlags(call) ??
    (method === 'sendPhoto' ? problemOfPhoto(call['photo']) : undefined) ??
    problemOfText(method === 'sendPhoto' ? 'caption' : 'text', call) ??
    problemOfPreview(call['link_preview_options']) ??
    problemOfMarkup(call['reply_markup'])
  );
}

function problemOfChat(chat: unknown): string | undefined {
  if (chat === undefined || chat === '') return 'chat_id is empty';
  if (typeof chat === 'number' && Number.isSafeInteger(chat)) return undefined;
  if (typeof chat === 'string' && /^(-?\d{1,19}|@[A-Za-z]\w{4,31})$/.test(chat)) return undefined;
  return 'chat not found';
}

function problemOfFlags(call: JsonObject): string | undefined {
  for (const name of ['disable_notification', 'protect_content', 'show_caption_above_media']) {
    const flag = call[name];
    if (flag !== undefined && typeof flag !== 'boolean')
      return `parameter "${name}" must be a Boolean`;
  }
  const { parse_mode: mode } = call;
  return mode === undefined || mode === 'HTML' ? undefined : 'unsupported parse_mode';
}

function problemOfPhoto(photo: unknown): string | undefined {
  if (photo === undefined) return 'there is no photo in the request';
  return isLink(photo, /^https?:$/) ? undefined : 'wrong file identifier/HTTP URL specified';
}

function problemOfText(member: 'text' | 'caption', call: JsonObject): string | undefined {
  const text = call[member];
  if (text === undefined && member === 'caption') return undefined;
  if (typeof text !== 'string') return 'message text is empty';
  const read = call['parse_mode'] === 'HTML' ? readHtml(text) : { text };
  if ('problem' in read) return `can't parse entities: ${read.problem}`;
  const { length } = read.text.trim();
  if (length === 0 && member === 'text') return 'message text is empty';
  if (length <= unitsMax[member]) return undefined;
  return member === 'text' ? 'message is too long' : 'message caption is too long';
}

function problemOfPreview(preview: unknown): string | undefined {
  if (preview === undefined) return undefined;
  if (!isJsonObject(preview)) return "can't parse link preview options JSON object";
  for (const [name, value] of Object.entries(preview)) {
    if (typeof value !== previewMembers[name]) return `can't parse link preview options: "${name}"`;
  }
  return undefined;
}

function problemOfMarkup(markup: unknown): string | undefined {
  if (markup === undefined) return undefined;
  const rows = objectOrEmpty(markup)['inline_keyboard'];
  if (!Array.isArray(rows)) return "can't parse reply keyboard markup JSON object";
  for (const row of rows as unknown[]) {
    if (!Array.isArray(row)) return "can't parse inline keyboard: it must be an Array of Arrays";
    for (const button of row as unknown[]) {
      const problem = problemOfButton(button);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

function problemOfButton(button: unknown): string | undefined {
  const { text, url, callback_data: data, ...others } = objectOrEmpty(button);
  if (textOf(text) === undefined)
    return 'can\'t parse inline keyboard button: Field "text" must be of type String';
  if (Object.keys(others).length > 0 || (url === undefined) === (data === undefined))
    return 'Text buttons are unallowed in the inline keyboard';
  if (data !== undefined)
    return typeof data === 'string' && data !== '' && Buffer.byteLength(data) <= callbackBytesMax
      ? undefined
      : 'BUTTON_DATA_INVALID';
  if (isLink(url, /^(https?|tg):$/)) return undefined;
  return `inline keyboard button URL '${String(url)}' is invalid: Unsupported URL protocol`;
}

function isLink(value: unknown, protocol: RegExp): boolean {
  return typeof value === 'string' && URL.canParse(value) && protocol.test(new URL(value).protocol);
}
