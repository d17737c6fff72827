// LINE's webhook: people who follow, block or write to an account. Pure. LINE does not report
// delivery. One group member cannot opt out the whole group.

import { createHmac } from 'node:crypto';
import {
  type CallbackItem,
  inboundItem,
  unknownItem,
  type WebhookReader,
} from '../port/callback-item.ts';
import { type Json, jsonIn, jsonOf, listOf, millisOf, textOf } from '../port/json.ts';
import { postbackSend, postbackText } from '../port/postback.ts';
import type { LineCredential } from './channel.ts';

export const lineWebhook: WebhookReader = {
  secret: 'channelSecret',
  wanted: (credential, body) => {
    const { channelSecret } = credential as LineCredential;
    return channelSecret && createHmac('sha256', channelSecret).update(body).digest('base64');
  },
  items: itemsIn,
};

function itemsIn(body: Uint8Array): readonly CallbackItem[] {
  const whole = jsonIn(body);
  return whole === undefined ? [unknownItem] : listOf(whole['events']).map(itemOf);
}

function itemOf(event: Json): CallbackItem {
  const source = jsonOf(event['source']);
  const type = textOf(event['type']);
  // A repeated event has the same id.
  const did = { id: textOf(event['webhookEventId']), atMs: millisOf(event['timestamp']) };
  const user = textOf(source['userId']);
  const group = textOf(source['groupId']) || textOf(source['roomId']);
  switch (type) {
    case 'follow':
      return inboundItem({ ...did, from: user, left: false });
    case 'unfollow':
      return inboundItem({ ...did, from: user, left: true });
    case 'join':
      return inboundItem({ ...did, from: group, left: false });
    case 'leave':
      return inboundItem({ ...did, from: group, left: true });
    case 'message': {
      if (source['type'] !== 'user') return unknownItem;
      const text = textOf(jsonOf(event['message'])['text']);
      return inboundItem({ ...did, from: user, texts: [text] });
    }
    case 'postback': {
      if (source['type'] !== 'user') return unknownItem;
      const data = textOf(jsonOf(event['postback'])['data']);
      const answers = postbackSend(data);
      return inboundItem({ ...did, from: user, texts: [postbackText(data)], answers });
    }
    default:
      return unknownItem;
  }
}
