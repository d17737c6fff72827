// Viber's webhook calls, by hand: JSON.stringify cannot write their 19-digit integers.

import { createHmac } from 'node:crypto';
import { type Order, type Speech, secretFor } from '../webhooks.ts';

const firstInbound = 5_741_999_000_000_000_001n;

export const viberSpeech: Speech = {
  channel: 'viber',
  call: (hook, event, isForged) => ({
    headers: {
      'x-viber-content-signature': createHmac('sha256', secretFor(hook, isForged))
        .update(event)
        .digest('hex'),
    },
    body: event,
  }),
  doing: ({ from, does, text, nowMs, serial }) => {
    const user = JSON.stringify(from);
    const token = firstInbound + BigInt(serial);
    switch (does) {
      case 'leaves':
        return eventOf('unsubscribed', nowMs, token, `"user_id":${user}`);
      case 'comes':
        return eventOf('subscribed', nowMs, token, `"user":{"id":${user},"name":"Somebody"}`);
      case 'writes': {
        const message = JSON.stringify({ type: 'text', text });
        return eventOf('message', nowMs, token, `"sender":{"id":${user}},"message":${message}`);
      }
    }
  },
};

export function viberHello(nowMs: number): string {
  return eventOf('webhook', nowMs, firstInbound);
}

/** Delivered and seen; for `late…` not. */
export function viberEvents(token: bigint, to: string, nowMs: number): readonly string[] {
  const user = `"user_id":${JSON.stringify(to)}`;
  if (to.startsWith('late'))
    return [eventOf('failed', nowMs, token, `${user},"desc":"failure description"`)];
  return [eventOf('delivered', nowMs, token, user), eventOf('seen', nowMs, token, user)];
}

/** By the prefix of the person's id. */
export function viberOrder(to: string): Order {
  for (const order of ['twice', 'backwards', 'forged'] as const)
    if (to.startsWith(order)) return order;
  return to.startsWith('silent') ? 'none' : 'plain';
}

function eventOf(event: string, nowMs: number, token: bigint, more?: string): string {
  const members = `"event":"${event}","timestamp":${nowMs},"message_token":${token}`;
  return `{${members}${more === undefined ? '' : `,${more}`}}`;
}
