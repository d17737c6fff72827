// What Telegram's refusals mean: a table of codes and texts, since the Bot API only has HTTP codes.
// Pure. Texts change, so an unknown one fails the message, never the chat. Source: Telegram Bot
// API, "Making requests", and its server's descriptions.

import { httpMeaning, type Meaning } from '../port/answers.ts';

// biome-ignore format: a table reads better packed
const refusals: readonly (readonly [code: number, words: RegExp, outcome: Meaning[0], reason: string])[] = [
  [403, /bot was blocked by the user/i, 'opted_out', 'blocked'],
  [403, /user is deactivated/i, 'dead', 'user_deactivated'],
  [403, /bot was kicked/i, 'dead', 'kicked'],
  [403, /bot is not a member/i, 'dead', 'not_a_member'],
  [403, /chat was deleted/i, 'dead', 'chat_deleted'],
  [403, /can't initiate conversation/i, 'dead', 'not_started'],
  [403, /can't send messages to bots/i, 'dead', 'is_a_bot'],
  [403, /./, 'permanent', 'forbidden'],
  [400, /chat not found|user not found|PEER_ID_INVALID/i, 'dead', 'chat_not_found'],
  [400, /upgraded to a supergroup/i, 'permanent', 'chat_migrated'],
  [400, /rights|CHAT_WRITE_FORBIDDEN|CHAT_RESTRICTED|TOPIC_CLOSED/i, 'permanent', 'forbidden'],
  [400, /can't parse entities/i, 'permanent', 'bad_markup'],
  [400, /(message|caption) is too long/i, 'permanent', 'text_too_long'],
  [400, /text is empty|text must be non-empty/i, 'permanent', 'text_empty'],
  [400, /BUTTON_|button/i, 'permanent', 'button_invalid'],
  [400, /wrong file identifier|HTTP URL|WEBPAGE_|wrong type of the web page|PHOTO_|IMAGE_/i, 'permanent', 'image_unusable'],
];

/** The caller reads the delay of a `rate`. */
export function telegramMeaning(code: number, words: string): Meaning {
  for (const [status, pattern, outcome, reason] of refusals)
    if (status === code && pattern.test(words)) return [outcome, reason];
  if (code === 400) return ['permanent', 'bad_request'];
  if (code === 401) return ['config', 'bot_token_refused'];
  if (code === 403) return ['permanent', 'forbidden'];
  // Telegram's response to a malformed token, or a wrong operator address; not about the chat.
  if (code === 404) return ['config', 'bot_not_found'];
  if (code === 409) return ['retry', 'conflict'];
  return httpMeaning(code);
}
