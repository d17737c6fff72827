// The secret that Telegram sends with every update: the tenant's own, or one made of the bot's
// token. Pure. Easily got wrong: it must be the same whenever it is asked for, since Telegram goes
// on sending the one that it was told; so it needs no chance, and lies sealed with the token.

import { createHmac } from 'node:crypto';
import type { TelegramCredential } from './channel.ts';

/** 43 letters, digits, `_` or `-`, unless the tenant has chosen one. */
export function telegramSecret({ botToken, secretToken }: TelegramCredential): string {
  return secretToken ?? createHmac('sha256', botToken).update('engage webhook').digest('base64url');
}
