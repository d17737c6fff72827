// Zalo's webhook calls. The signature is an unkeyed hash over app id, body, the body's timestamp
// and the account's secret, in this order.

import { createHash } from 'node:crypto';
import { objectOrEmpty, parseJson, textOf } from '../json.ts';
import { type Order, type Speech, secretFor } from '../webhooks.ts';

/** Sends all of the sandbox's messages. */
const account = '4000000000000000042';

export const zaloSpeech: Speech = {
  channel: 'zalo',
  call: (hook, event, isForged) => {
    const timestamp = textOf(objectOrEmpty(parseJson(event))['timestamp']) ?? '';
    const signed = `${hook.appId ?? ''}${event}${timestamp}${secretFor(hook, isForged)}`;
    const mac = createHash('sha256').update(signed).digest('hex');
    return { headers: { 'x-zevent-signature': `mac=${mac}` }, body: event };
  },
  doing: ({ from, does, text, nowMs, serial }) => {
    const timestamp = String(nowMs);
    if (does !== 'writes')
      return JSON.stringify({
        oa_id: account,
        follower: { id: from },
        event_name: does === 'leaves' ? 'unfollow' : 'follow',
        source: 'oa_profile',
        timestamp,
      });
    return JSON.stringify({
      event_name: 'user_send_text',
      sender: { id: from },
      recipient: { id: account },
      message: { msg_id: `in${timestamp}${serial}`, text },
      timestamp,
    });
  },
};

export function zaloEvents(messageId: string, to: string, nowMs: number): readonly string[] {
  const timestamp = String(nowMs);
  return [
    JSON.stringify({
      event_name: 'user_received_message',
      sender: { id: account },
      recipient: { id: to },
      message: { msg_id: messageId, delivery_time: timestamp },
      timestamp,
    }),
    JSON.stringify({
      event_name: 'user_seen_message',
      sender: { id: to },
      recipient: { id: account },
      message: { msg_ids: [messageId] },
      timestamp,
    }),
  ];
}

/** By the last digits of 1500555xxxx. */
export const zaloOrders: Readonly<Record<string, Order>> = {
  '15005550031': 'twice',
  '15005550032': 'backwards',
  '15005550035': 'forged',
  '15005550039': 'none',
};
