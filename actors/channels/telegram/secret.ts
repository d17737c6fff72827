// The secret in every Telegram update: the tenant's own, or one derived from the bot's token. Pure.
// It must not change, since Telegram keeps sending the one from the registration.

import { createHmac } from 'node:crypto';
import type { TelegramCredential } from './channel.ts';

/** 43 letters, digits, `_` or `-`, unless the tenant has chosen one. */
export function telegramSecret({ botToken, secretToken }: TelegramCredential): string {
  return secretToken ?? createHmac('sha256', botToken).update('engage webhook').digest('base64url');
}
