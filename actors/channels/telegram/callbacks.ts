// What Telegram's webhook says, one update a call: who blocked the bot or let it in again, and what
// people wrote to it. Pure. Easily got wrong: it tells nothing of messages that were sent; `/start`
// is what everybody sends who opens the bot; and what is written in a group is not its writer's
// alone to decide for the group.

import type { Millis } from '../../../engine/base/brand.ts';
import {
  type CallbackItem,
  inboundItem,
  unknownItem,
  type WebhookReader,
} from '../callback-item.ts';
import { jsonIn, jsonOf, secondsOf, textOf } from '../json.ts';
import type { TelegramCredential } from './channel.ts';
import { telegramSecret } from './secret.ts';

/** How the bot stands in a chat, by whether it can write there. */
const standings: Readonly<Record<string, 'in' | 'out'>> = {
  member: 'in',
  administrator: 'in',
  creator: 'in',
  kicked: 'out',
  left: 'out',
};

/** How Telegram's calls are judged and read. */
export const telegramWebhook: WebhookReader = {
  secret: 'secretToken',
  wanted: (credential) => telegramSecret(credential as TelegramCredential),
  items: itemsIn,
};

/** What one update says. */
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
        atMs: instantOf(change['date'], updateId),
        left: standing === 'out',
      }),
    ];
  }
  const message = jsonOf(update['message']);
  const chat = chatIn(message['chat']);
  if (!chat.isPrivate) return [unknownItem];
  const text = textOf(message['text']).replace(/^\/(start|stop)(?:@\w+)?(?:\s.*)?$/is, '$1');
  return [inboundItem({ id, from: chat.id, atMs: instantOf(message['date'], updateId), text })];
}

/** A chat's id has 52 bits at most. */
function chatIn(value: unknown): { readonly id: string; readonly isPrivate: boolean } {
  const { id, type } = jsonOf(value);
  const isId = typeof id === 'number' && Number.isSafeInteger(id);
  return { id: isId ? String(id) : '', isPrivate: type === 'private' };
}

/** Telegram tells seconds. Within one, updates are in the order of their numbers. */
function instantOf(date: unknown, updateId: number): Millis | undefined {
  const atMs = secondsOf(date);
  return atMs === undefined ? undefined : atMs + (updateId % 1_000);
}
