// Viber's request: a text, or a picture with text beneath, and a keyboard for buttons. Pure. Button
// labels are HTML, and a press shows in the chat unless the button is silent. Viber refuses the
// whole message for an unusable picture, so such a picture becomes a link.

import type { Bytes } from '../../../engine/base/brand.ts';
import { failure, tooLong } from '../port/answers.ts';
import type { Attempt } from '../port/attempt.ts';
import type { Failure } from '../port/outcome.ts';
import { buttonName, postbackOf } from '../port/postback.ts';
import { openLabel } from '../port/wording.ts';

/** Limits in UTF-16 units, and in bytes of the whole request. */
const viberLimits = {
  textMax: 7_000,
  /** Beneath a picture. */
  captionMax: 768,
  /** The longest `tracking_data`. */
  trackingMax: 4_000,
  /** A button's label, including its escapes. */
  buttonMax: 250,
  /** Viber's "30 KB", in the smaller reading. */
  requestBytesMax: 30_000 satisfies Bytes,
} as const;

interface KeyboardButton {
  readonly Columns: 6;
  readonly Rows: 1;
  readonly ActionType: 'open-url' | 'reply';
  readonly ActionBody: string;
  readonly Text: string;
  readonly Silent: true;
}

/** The body for one person, or why there is none. A preview has no `senderName`. */
export function viberMessage(
  attempt: Attempt,
  receiver: string,
  senderName?: string,
): { readonly body: string } | Failure {
  const message = contentOf(attempt);
  if ('outcome' in message) return message;
  const buttons = buttonsOf(attempt);
  const tracking = viberTracking(attempt);
  const problem =
    buttons
      .map(({ Text }) => tooLong('a button', Text, viberLimits.buttonMax))
      .find((one) => one !== undefined) ??
    tooLong('the custom data', tracking, viberLimits.trackingMax, 'payload_too_large');
  if (problem !== undefined) return problem;

  const body = JSON.stringify({
    receiver,
    min_api_version: 1,
    sender: senderName === undefined ? undefined : { name: senderName },
    tracking_data: tracking,
    ...message,
    keyboard:
      buttons.length === 0
        ? undefined
        : { Type: 'keyboard', DefaultHeight: false, Buttons: buttons },
  });
  const bytes = Buffer.byteLength(body);
  if (bytes <= viberLimits.requestBytesMax) return { body };
  const words = `${bytes} bytes, ${viberLimits.requestBytesMax} are allowed`;
  return failure('permanent', 'payload_too_large', words);
}

type Message =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'picture'; readonly text: string; readonly media: string };

/** Title, body and picture. If the text is too long for a caption, the picture is its last line. */
function contentOf({ content }: Attempt): Message | Failure {
  const { image } = content;
  const words = joined([content.title?.trim(), content.body.trim()]);
  if (image !== undefined && isPicture(image) && words.length <= viberLimits.captionMax)
    return { type: 'picture', text: words, media: image };
  const text = joined([words, image]);
  if (text === '') return failure('permanent', 'text_empty', 'there is nothing to show');
  return tooLong('the text', text, viberLimits.textMax) ?? { type: 'text', text };
}

/** Whether Viber accepts it as a picture: https, with a known file ending. */
function isPicture(address: string): boolean {
  return /^https:\/\/[^?#]+\.(?:jpe?g|png|gif)(?:[?#]|$)/i.test(address);
}

/** One per row, then the deep link unless a button has it. Omits links that a chat cannot open. */
function buttonsOf(attempt: Attempt): readonly KeyboardButton[] {
  const { buttons = [], deepLink } = attempt.content;
  const made: KeyboardButton[] = [];
  for (const [index, button] of buttons.entries()) {
    const { label, url } = button;
    if (url === undefined) {
      made.push(keyOf(label, 'reply', postbackOf(attempt, buttonName(button, index))));
    } else if (opens(url)) made.push(keyOf(label, 'open-url', url));
  }
  if (deepLink !== undefined && opens(deepLink) && !buttons.some(({ url }) => url === deepLink))
    made.push(keyOf(openLabel(attempt), 'open-url', deepLink));
  return made;
}

function keyOf(
  label: string,
  ActionType: KeyboardButton['ActionType'],
  ActionBody: string,
): KeyboardButton {
  return { Columns: 6, Rows: 1, ActionType, ActionBody, Text: escaped(label), Silent: true };
}

function opens(url: string): boolean {
  return /^(?:https?|viber):\/\//i.test(url);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function joined(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n');
}

/**
 * What Viber stores with a message and returns with the person's answers. Receipts lack it and are
 * found by message token.
 */
function viberTracking({ sendId, deviceId, content }: Attempt): string {
  return JSON.stringify({ sendId, deviceId, data: content.data });
}
