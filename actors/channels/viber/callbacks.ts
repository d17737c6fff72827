// Viber's webhook, one event per call: a message was delivered, seen or failed, or a person
// subscribed, left or wrote. Pure. A message id is a 64-bit integer that JSON.parse would change,
// so it is read from the text. Opening a conversation is not a subscription.

import { createHmac } from 'node:crypto';
import {
  type CallbackItem,
  inboundItem,
  unknownItem,
  type WebhookReader,
} from '../port/callback-item.ts';
import type { DeliveryReport } from '../port/delivery-report.ts';
import { type Json, jsonIn, jsonOf, millisOf, textOf } from '../port/json.ts';
import { postbackSend, postbackText } from '../port/postback.ts';
import type { ViberCredential } from './channel.ts';

export const viberWebhook: WebhookReader = {
  secret: 'authToken',
  wanted: (credential, body) => {
    const { authToken } = credential as ViberCredential;
    return createHmac('sha256', authToken).update(body).digest('hex');
  },
  items: itemsIn,
};

function itemsIn(body: Uint8Array): readonly CallbackItem[] {
  const event = jsonIn(body) ?? {};
  return [itemOf(event, tokenIn(body))];
}

function itemOf(event: Json, token: string): CallbackItem {
  const kind = textOf(event['event']);
  const atMs = millisOf(event['timestamp']);
  const at = atMs === undefined ? {} : { atMs };
  const userId = textOf(event['user_id']);
  const user = jsonOf(event['user']);
  const did = { id: `${kind} ${token}`, atMs };
  switch (kind) {
    case 'delivered':
      return statusOf(token, userId, { kind: 'arrived' });
    case 'seen':
      return statusOf(token, userId, { kind: 'read', ...at });
    case 'failed':
      return statusOf(token, userId, { kind: 'failed', reason: 'failed', effect: 'none' });
    case 'subscribed':
      return inboundItem({ ...did, from: textOf(user['id']), left: false });
    case 'conversation_started':
      if (event['subscribed'] !== true) return unknownItem;
      return inboundItem({ ...did, from: textOf(user['id']), left: false });
    case 'unsubscribed':
      return inboundItem({ ...did, from: userId, left: true });
    case 'message': {
      const from = textOf(jsonOf(event['sender'])['id']);
      const text = textOf(jsonOf(event['message'])['text']);
      const answers = postbackSend(text);
      return inboundItem({ ...did, from, texts: [postbackText(text)], answers });
    }
    default:
      return unknownItem;
  }
}

function statusOf(name: string, address: string, news: DeliveryReport): CallbackItem {
  if (name === '' || address === '') return unknownItem;
  return { kind: 'status', name, addresses: [address], news };
}

/** All digits of the token. Inside a text its quotes would be escaped. */
function tokenIn(body: Uint8Array): string {
  const text = Buffer.from(body).toString('utf8');
  return /"message_token"\s*:\s*"?(\d{1,20})/.exec(text)?.[1] ?? '';
}
