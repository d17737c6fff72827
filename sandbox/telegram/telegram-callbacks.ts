// Telegram's webhook calls, only about people. Unsigned; a header has the bot's secret.

import { objectOrEmpty } from '../json.ts';
import { type Speech, secretFor, type Webhook } from '../webhooks.ts';

export const telegramSpeech: Speech = {
  channel: 'telegram',
  call: (hook, event, isForged) => ({
    headers: {
      'x-telegram-bot-api-secret-token': secretFor(hook, isForged).replaceAll(/[^\w-]/g, '_'),
    },
    body: event,
  }),
  doing: ({ from, does, text, nowMs, serial }) => {
    const chat = { id: Number(from), type: from.startsWith('-') ? 'supergroup' : 'private' };
    const date = Math.floor(nowMs / 1000);
    const person = { id: Math.abs(Number(from)), is_bot: false, first_name: 'Somebody' };
    const update = { update_id: date * 1_000 + serial };
    if (does === 'writes')
      return JSON.stringify({
        ...update,
        message: { message_id: serial, from: person, chat, date, text },
      });
    const [before, after] = does === 'leaves' ? ['member', 'kicked'] : ['kicked', 'member'];
    return JSON.stringify({
      ...update,
      my_chat_member: {
        chat,
        from: person,
        date,
        old_chat_member: { user: { id: 1, is_bot: true }, status: before },
        new_chat_member: { user: { id: 1, is_bot: true }, status: after },
      },
    });
  },
};

/** setWebhook's settings, or Telegram's refusal; an empty address removes the webhook. */
export function readWebhook(call: unknown): Webhook | undefined | { readonly problem: string } {
  const { url, secret_token: secret = '', allowed_updates: updates } = objectOrEmpty(call);
  if (typeof url !== 'string') return { problem: 'bad webhook: URL is required' };
  if (url === '') return undefined;
  if (!URL.canParse(url)) return { problem: 'bad webhook: invalid URL' };
  if (typeof secret !== 'string' || !/^[A-Za-z0-9_-]{0,256}$/.test(secret))
    return { problem: 'secret token contains unallowed characters' };
  const isList = Array.isArray(updates) && updates.every((one) => typeof one === 'string');
  if (updates !== undefined && !isList) return { problem: "can't parse allowed_updates" };
  return { url, secret };
}
