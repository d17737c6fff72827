// Telegram through its Bot API.

import { z } from 'zod';
import type { Checked } from '../addresses/address.ts';
import { textEndpoint } from '../addresses/endpoint.ts';
import { type ChannelEntry, ownAccount, waitOrNever } from '../port/channel-entry.ts';

const credentialSchema = z.object({
  botToken: z
    .string()
    .regex(/^\d{5,20}:[A-Za-z0-9_-]{30,64}$/, 'must be a bot token, such as 123456:ABC-DEF…'),
  secretToken: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,256}$/, 'must be 1 to 256 letters, digits, _ or -')
    .optional(),
});
export type TelegramCredential = z.infer<typeof credentialSchema>;

export const telegram = {
  ...textEndpoint('chat id, or a public @name', telegramChat, 33),
  ...ownAccount,
  ignoresCase: true,
  identity: 'telegram',
  credential: 'telegram',
  credentialSchema,
  onAmbiguous: waitOrNever,
  reachedReasons: ['conflict'],
  urls: { TELEGRAM: 'https://api.telegram.org' },
  registersWebhook: true,
  answersNameMessages: true,
  webhook: {
    header: 'x-telegram-bot-api-secret-token',
    proof:
      "The `secretToken` of the app's stored credential, or the one Engage generated if it has none.",
    about:
      'Called by Telegram when someone blocks, unblocks or writes to the bot. Telegram does not report message status. `/stop` and `/start` work like `STOP` and `START`. Engage registers this URL with Telegram when the credential is uploaded.',
  },
  reasons: {
    user_deactivated: 'user_not_found',
    chat_not_found: 'user_not_found',
    chat_deleted: 'user_not_found',
    chat_migrated: 'user_not_found',
    is_a_bot: 'user_not_found',
    kicked: 'user_not_found',
    not_a_member: 'user_not_found',
    forbidden: 'The bot is not allowed to write in this chat.',
    image_unusable: 'invalid_url',
    bad_markup: 'bad_request',
    bot_token_refused: 'unauthenticated',
    bot_not_found: 'unauthenticated',
  },
  usesLanguage: true,
} as const satisfies ChannelEntry;

/** A signed 64-bit number without leading zeros (negative: a group), or `@` and 5 to 32 letters. */
function telegramChat(raw: string): Checked {
  const problem = 'must be a Telegram chat id, such as 123456789, or a public @name';
  if (/^@[A-Za-z][A-Za-z0-9_]{4,31}$/.test(raw)) return { value: raw };
  if (!/^-?\d{1,19}$/.test(raw)) return { problem };
  const id = BigInt(raw);
  if (id === 0n || BigInt.asIntN(64, id) !== id) return { problem };
  return { value: id.toString() };
}
