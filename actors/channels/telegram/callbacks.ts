// Telegram's webhook, one update per call: people who block or unblock the bot, and messages to it.
// Pure. Telegram does not report delivery, and tells whole seconds: within one, the update's number
// gives the order. Everyone who opens the bot sends `/start`. One group member cannot opt out the
// whole group.

import {
  type CallbackItem,
  inboundItem,
  unknownItem,
  type WebhookReader,
} from '../callback-item.ts';
import { jsonIn, jsonOf, secondsOf, textOf } from '../json.ts';
import type { TelegramCredential } from './channel.ts';
import { telegramSecret } from './secret.ts';

/** Whether the bot can write in a chat, by its status there. */
const standings: Readonly<Record<string, 'in' | 'out'>> = {
  member: 'in',
  administrator: 'in',
  creator: 'in',
  kicked: 'out',
  left: 'out',
};

export const telegramWebhook: WebhookReader = {
  secret: 'secretToken',
  wanted: (credential) => telegramSecret(credential as TelegramCredential),
  items: itemsIn,
};

function itemsIn(body: Uint8Array): readonly CallbackItem[] {
  const update = jsonIn(body) ?? {};
  const updateId = update['update_id'];
  if (typeof updateId !== 'number' || !Number.isSafeInteger(updateId)) return [unknownItem];
  const id = `update ${updateId}`;
  const change = jsonOf(update['my_chat_member']);
  const standing = standings[textOf(jsonOf(change['new_chat_member'])['status'])];
  if (standing !== undefined) {
    const from = chatIn(change['chat']).id;
    return [
      inboundItem({
        id,
        from,
        atMs: secondsOf(change['date']),
        number: updateId,
        left: standing === 'out',
      }),
    ];
  }
  const message = jsonOf(update['message']);
  const chat = chatIn(message['chat']);
  if (!chat.isPrivate) return [unknownItem];
  const text = textOf(message['text']).replace(/^\/(start|stop)(?:@\w+)?(?:\s.*)?$/is, '$1');
  const atMs = secondsOf(message['date']);
  return [inboundItem({ id, from: chat.id, atMs, number: updateId, text })];
}

/** A chat's id has at most 52 bits. */
function chatIn(value: unknown): { readonly id: string; readonly isPrivate: boolean } {
  const { id, type } = jsonOf(value);
  const isId = typeof id === 'number' && Number.isSafeInteger(id);
  return { id: isId ? String(id) : '', isPrivate: type === 'private' };
}
