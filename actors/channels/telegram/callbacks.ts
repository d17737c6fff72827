// Telegram's webhook, one update per call: people who block or unblock the bot, and messages to it.
// Pure. Telegram does not report delivery, and tells whole seconds: within one, the update's number
// gives the order. Everyone who opens the bot sends `/start`. One group member cannot opt out the
// whole group.

import {
  type CallbackItem,
  inboundItem,
  unknownItem,
  type WebhookReader,
} from '../port/callback-item.ts';
import { type Json, jsonIn, jsonOf, listOf, secondsOf, textOf } from '../port/json.ts';
import { postbackText } from '../port/postback.ts';
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
  const query = jsonOf(update['callback_query']);
  if (query['data'] !== undefined) return [pressedItem(id, updateId, query)];
  const message = jsonOf(update['message']);
  const chat = chatIn(message['chat']);
  if (!chat.isPrivate) return [unknownItem];
  const text = textOf(message['text']).replace(/^\/(start|stop)(?:@\w+)?(?:\s.*)?$/is, '$1');
  const atMs = secondsOf(message['date']);
  const answers = answeredIn(chat.id, message['reply_to_message']);
  return [inboundItem({ id, from: chat.id, atMs, number: updateId, texts: [text], answers })];
}

/** A pressed button, by its label and data. It has no time of its own. */
function pressedItem(id: string, number: number, query: Json): CallbackItem {
  const message = jsonOf(query['message']);
  const chat = chatIn(message['chat']);
  if (!chat.isPrivate) return unknownItem;
  const data = textOf(query['data']);
  const board: unknown = jsonOf(message['reply_markup'])['inline_keyboard'];
  const buttons = (Array.isArray(board) ? board : []).flatMap(listOf);
  const pressed = buttons.find((button) => button['callback_data'] === data);
  const texts = [textOf(pressed?.['text']), postbackText(data)];
  const answers = answeredIn(chat.id, message);
  return inboundItem({ id, from: chat.id, atMs: undefined, number, texts, answers });
}

/** A message as its send is kept: each chat numbers its own. */
function answeredIn(chat: string, message: unknown): { readonly name: string } | undefined {
  const number = jsonOf(message)['message_id'];
  return typeof number === 'number' ? { name: `${chat}:${number}` } : undefined;
}

/** A chat's id has at most 52 bits. */
function chatIn(value: unknown): { readonly id: string; readonly isPrivate: boolean } {
  const { id, type } = jsonOf(value);
  const isId = typeof id === 'number' && Number.isSafeInteger(id);
  return { id: isId ? String(id) : '', isPrivate: type === 'private' };
}
