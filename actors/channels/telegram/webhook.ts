// Registers an app's webhook and its secret with Telegram. Without a list of updates Telegram does
// not report who blocked the bot.

import { isObject } from '../../is-object.ts';
import type { AdapterContext } from '../port/adapter.ts';
import { parseObject } from '../port/json.ts';
import type { WebhookRegistration } from '../port/outcome.ts';
import {
  refusedWebhook,
  unansweredWebhook,
  unreachableWebhook,
} from '../port/webhook-registration.ts';
import { type TelegramCredential, telegram } from './channel.ts';
import { telegramSecret } from './secret.ts';

/** Registers the bot's address; repeating it changes nothing. */
export async function registerTelegram(
  { config, outbound }: Pick<AdapterContext, 'config' | 'outbound'>,
  url: string,
  credential: unknown,
): Promise<WebhookRegistration> {
  const unreachable = unreachableWebhook(url, config);
  if (unreachable !== undefined) return unreachable;
  const bot = credential as TelegramCredential;
  const secret = telegramSecret(bot);
  const result = await outbound.call({
    method: 'POST',
    url: `${config.urls.TELEGRAM ?? telegram.urls.TELEGRAM}/bot${bot.botToken}/setWebhook`,
    destination: 'trusted',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      url,
      secret_token: secret,
      allowed_updates: ['message', 'my_chat_member', 'callback_query'],
    }),
  });
  if (result.kind !== 'answered') return unansweredWebhook(result);
  const { ok, description, error_code: code } = parseObject(result.body);
  if (result.status === 200 && ok === true) return { registered: true };
  const reason =
    result.status === 401 || result.status === 404 ? 'unauthorized' : `http_${result.status}`;
  const words = `${String(code ?? result.status)} ${isObject(description) ? '' : String(description ?? '')}`;
  return refusedWebhook(reason, words, [bot.botToken, secret]);
}
