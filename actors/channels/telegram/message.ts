// Telegram's request: a text, or a photo with a caption. Pure. A caption is a quarter as long as a
// text, so a longer message becomes text that shows its picture above. Telegram refuses the whole
// message for a button whose link it cannot open.

import { failure } from '../port/answers.ts';
import type { Attempt } from '../port/attempt.ts';
import { linkButtons } from '../port/link-buttons.ts';
import type { Failure } from '../port/outcome.ts';

/** The longest text and caption in UTF-16 units, without escapes. */
const telegramUnitsMax = { text: 4096, caption: 1024 } as const;

export interface TelegramRequest {
  readonly method: 'sendMessage' | 'sendPhoto';
  readonly body: string;
}

export function telegramMessage(attempt: Attempt, chat: string): TelegramRequest | Failure {
  const { content } = attempt;
  const title = content.title?.trim() ?? '';
  const body = content.body.trim();
  const units = title.length + body.length + (title !== '' && body !== '' ? 1 : 0);
  const { image } = content;
  if (units > telegramUnitsMax.text) {
    const words = `${units} characters, ${telegramUnitsMax.text} are allowed`;
    return failure('permanent', 'text_too_long', words);
  }
  if (units === 0 && image === undefined)
    return failure('permanent', 'text_empty', 'there is nothing to show');

  const html = [title === '' ? '' : `<b>${escaped(title)}</b>`, escaped(body)]
    .filter((part) => part !== '')
    .join('\n');
  const isPhoto = image !== undefined && units <= telegramUnitsMax.caption;
  return {
    method: isPhoto ? 'sendPhoto' : 'sendMessage',
    body: JSON.stringify({
      chat_id: chatId(chat),
      ...(isPhoto
        ? { photo: image, ...(html !== '' && { caption: html, parse_mode: 'HTML' }) }
        : { text: html, parse_mode: 'HTML', link_preview_options: preview(image) }),
      ...(content.options.sound === 'none' && { disable_notification: true }),
      ...keyboard(attempt),
    }),
  };
}

/** A number if JSON holds it without loss; Telegram also accepts text. A public name is text. */
function chatId(chat: string): number | string {
  const number = Number(chat);
  return /^-?\d+$/.test(chat) && Number.isSafeInteger(number) ? number : chat;
}

/** Shows the message's picture, and never previews a page in the text. */
function preview(image: string | undefined): object {
  if (image === undefined) return { is_disabled: true };
  return { url: image, prefer_large_media: true, show_above_text: true };
}

/** One button per row, which gives a label the most room. */
function keyboard(attempt: Attempt): object | undefined {
  const buttons = linkButtons(attempt, /^(?:https?|tg):\/\//i);
  if (buttons.length === 0) return undefined;
  const rows = buttons.map(({ label, url }) => [{ text: label, url }]);
  return { reply_markup: { inline_keyboard: rows } };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
