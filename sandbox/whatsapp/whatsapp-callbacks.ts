// Meta's WhatsApp webhook calls. A status has its message's reference; a body may have several.

import { createHmac } from 'node:crypto';
import { type Order, type Speech, secretFor } from '../webhooks.ts';

const range = '+1500555';

export const whatsappSpeech: Speech = {
  channel: 'whatsapp',
  call: (hook, event, isForged) => ({
    headers: {
      'x-hub-signature-256': `sha256=${createHmac('sha256', secretFor(hook, isForged)).update(event).digest('hex')}`,
    },
    body: event,
  }),
  doing: ({ from, does, text, nowMs, serial }) => {
    const number = from.replace('+', '');
    const timestamp = String(Math.floor(nowMs / 1000));
    if (does === 'writes') {
      const id = `wamid.in${nowMs}${serial}`;
      return bodyOf({
        messages: [{ id, from: number, timestamp, type: 'text', text: { body: text } }],
      });
    }
    const value = does === 'leaves' ? 'stop' : 'resume';
    const preference = { wa_id: number, category: 'marketing_messages', value, timestamp };
    return bodyOf({ user_preferences: [preference] });
  },
};

export function whatsappEvents(
  { id, to, reference }: { readonly id: string; readonly to: string; readonly reference: unknown },
  nowMs: number,
): readonly string[] {
  const status = (name: string, more: object = {}) => ({
    id,
    status: name,
    timestamp: String(Math.floor(nowMs / 1000)),
    recipient_id: to.replace('+', ''),
    ...(typeof reference === 'string' && { biz_opaque_callback_data: reference }),
    ...more,
  });
  const statuses = (...list: readonly object[]) => bodyOf({ statuses: list });
  switch (to) {
    case `${range}0036`: // the delivery is never told, and both others at once
      return [statuses(status('sent'), status('read'))];
    case `${range}0037`: {
      const error = { code: 131026, title: 'Message undeliverable' };
      return [statuses(status('sent')), statuses(status('failed', { errors: [error] }))];
    }
    case `${range}0038`: {
      const error = { code: 131049, title: 'This message was not delivered' };
      return [statuses(status('sent')), statuses(status('failed', { errors: [error] }))];
    }
    default:
      return [statuses(status('sent')), statuses(status('delivered')), statuses(status('read'))];
  }
}

export const whatsappOrders: Readonly<Record<string, Order>> = {
  [`${range}0031`]: 'twice',
  [`${range}0032`]: 'backwards',
  [`${range}0035`]: 'forged',
  [`${range}0039`]: 'none',
};

function bodyOf(value: object): string {
  const change = { field: 'messages', value: { messaging_product: 'whatsapp', ...value } };
  return JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: '0', changes: [change] }],
  });
}
