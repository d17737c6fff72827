// Zalo's webhook, one event per call: a message was received or seen, or a person followed, left or
// wrote. Pure. Events name messages only by Zalo's ids, one or several. The person is the sender in
// some events, the recipient in others.

import { createHash } from 'node:crypto';
import {
  type CallbackItem,
  inboundItem,
  unknownItem,
  type WebhookReader,
} from '../port/callback-item.ts';
import type { DeliveryReport } from '../port/delivery-report.ts';
import { type Json, jsonIn, jsonOf, millisOf, textOf } from '../port/json.ts';
import { postbackSend, postbackText } from '../port/postback.ts';
import type { ZaloApp } from './channel.ts';

export const zaloWebhook: WebhookReader = {
  secret: 'oaSecretKey',
  // Zalo also signs the body's timestamp, between the body and the secret.
  wanted: (credential, body) => {
    const { appId, oaSecretKey } = credential as ZaloApp;
    if (!oaSecretKey) return undefined;
    const hash = createHash('sha256').update(appId).update(body).update(timestampIn(body));
    return `mac=${hash.update(oaSecretKey).digest('hex')}`;
  },
  items: itemsIn,
};

function itemsIn(body: Uint8Array): readonly CallbackItem[] {
  const event = jsonIn(body) ?? {};
  const name = textOf(event['event_name']);
  const atMs = millisOf(event['timestamp']);
  const message = jsonOf(event['message']);
  switch (name) {
    case 'user_received_message':
      return statuses(event, message, { kind: 'arrived' });
    case 'user_seen_message':
      return statuses(event, message, { kind: 'read', ...(atMs === undefined ? {} : { atMs }) });
    case 'follow':
    case 'unfollow': {
      const from = textOf(jsonOf(event['follower'])['id']);
      // These events have no id.
      return [inboundItem({ id: `${name} ${atMs}`, from, atMs, left: name === 'unfollow' })];
    }
    case 'user_send_text': {
      const from = textOf(jsonOf(event['sender'])['id']);
      const text = textOf(message['text']);
      const quoted = textOf(message['quote_msg_id']);
      const answers = postbackSend(text) ?? (quoted === '' ? undefined : { name: quoted });
      const texts = [postbackText(text)];
      return [inboundItem({ id: textOf(message['msg_id']), from, atMs, texts, answers })];
    }
    default:
      return [unknownItem];
  }
}

function statuses(event: Json, message: Json, news: DeliveryReport): readonly CallbackItem[] {
  const listed: unknown = message['msg_ids'];
  const several: readonly unknown[] = Array.isArray(listed) ? listed : [];
  const names = [message['msg_id'], ...several].map(textOf).filter((id) => id !== '');
  const addresses = [event['recipient'], event['sender']]
    .map((one) => textOf(jsonOf(one)['id']))
    .filter((id) => id !== '');
  if (names.length === 0 || addresses.length === 0) return [unknownItem];
  return names.map((name) => ({ kind: 'status', name, addresses, news }));
}

/** The timestamp as written in the body: part of what is signed. */
function timestampIn(body: Uint8Array): string {
  const { timestamp } = jsonIn(body) ?? {};
  return typeof timestamp === 'number' ? String(timestamp) : textOf(timestamp);
}
