// Google's RCS webhook calls: the signature covers the inner bytes, sent in base64.

import { createHmac } from 'node:crypto';
import { type Order, type Speech, secretFor } from '../webhooks.ts';

const range = '+1500555';

export const rcsSpeech: Speech = {
  channel: 'rcs',
  call: (hook, event, isForged) => {
    const signature = createHmac('sha512', secretFor(hook, isForged)).update(event);
    const data = Buffer.from(event).toString('base64');
    return {
      headers: { 'x-goog-signature': signature.digest('base64') },
      body: JSON.stringify({ message: { data, attributes: {} }, subscription: 'sandbox' }),
    };
  },
  doing: ({ from, does, text, nowMs, serial }) => {
    const sendTime = new Date(nowMs).toISOString();
    const id = `in${nowMs}${serial}`;
    return JSON.stringify(
      does === 'writes'
        ? { senderPhoneNumber: from, messageId: id, text, sendTime }
        : {
            senderPhoneNumber: from,
            eventType: does === 'leaves' ? 'UNSUBSCRIBE' : 'SUBSCRIBE',
            eventId: id,
            sendTime,
          },
    );
  },
};

export function rcsEvents(messageId: string, to: string, nowMs: number): readonly string[] {
  const sendTime = new Date(nowMs).toISOString();
  if (to === `${range}0004`) return [];
  if (to === `${range}0007`) {
    const eventType = 'TTL_EXPIRATION_REVOKED';
    return [JSON.stringify({ phoneNumber: to, messageId, eventType, eventId: 'r', sendTime })];
  }
  return ['DELIVERED', 'READ'].map((eventType) =>
    JSON.stringify({ senderPhoneNumber: to, eventType, eventId: eventType, messageId, sendTime }),
  );
}

export const rcsOrders: Readonly<Record<string, Order>> = {
  [`${range}0031`]: 'twice',
  [`${range}0032`]: 'backwards',
  [`${range}0035`]: 'forged',
  [`${range}0039`]: 'none',
};
