// What a rendered message looks like to Telegram's Bot API: a text, or a photo with a caption.
// Pure. Easily got wrong: a caption may be a quarter as long as a text, so a picture with more to
// say goes out as a text that shows it above; and a button with a link that Telegram cannot open
// would have the whole message refused.

import { failure } from '../answers.ts';
import type { Attempt, RenderedContent } from '../attempt.ts';
import { linkButtons } from '../link-buttons.ts';
import type { Failure } from '../outcome.ts';

/** The most of a text and of a photo's caption, in UTF-16 units, escapes not counted. */
const telegramUnitsMax = { text: 4096, caption: 1024 } as const;

export interface TelegramRequest {
  readonly method: 'sendMessage' | 'sendPhoto';
  readonly body: string;
}

/** The call for one chat, or why there can be none. */
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
      ...keyboard(content),
    }),
  };
}

/**
 * A number where JSON can hold it without loss; Telegram reads one out of text as well. A public
 * name is text.
 */
function chatId(chat: string): number | string {
  const number = Number(chat);
  return /^-?\d+$/.test(chat) && Number.isSafeInteger(number) ? number : chat;
}

/**
 * The message shows what its author put into it: the picture, and no card of whatever page the text
 * happens to name.
 */
function preview(image: string | undefined): object {
  if (image === undefined) return { is_disabled: true };
  return { url: image, prefer_large_media: true, show_above_text: true };
}

/** One button a row, which is how a label has the most room. */
function keyboard(content: RenderedContent): object | undefined {
  const buttons = linkButtons(content, /^(?:https?|tg):\/\//i);
  if (buttons.length === 0) return undefined;
  const rows = buttons.map(({ label, url }) => [{ text: label, url }]);
  return { reply_markup: { inline_keyboard: rows } };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
