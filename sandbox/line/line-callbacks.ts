// LINE's calls to an account's webhook: only about people, never about sent messages.

import { createHmac } from 'node:crypto';
import { type Speech, secretFor } from '../webhooks.ts';

const types = { leaves: 'unfollow', comes: 'follow', writes: 'message' } as const;

export const lineSpeech: Speech = {
  channel: 'line',
  call: (hook, event, isForged) => ({
    headers: {
      'x-line-signature': createHmac('sha256', secretFor(hook, isForged))
        .update(event)
        .digest('base64'),
    },
    body: event,
  }),
  doing: ({ from, does, text, nowMs, serial }) =>
    JSON.stringify({
      destination: `U${'f'.repeat(32)}`,
      events: [
        {
          type: types[does],
          mode: 'active',
          timestamp: nowMs,
          source: { type: 'user', userId: from },
          webhookEventId: `01SANDBOX${String(nowMs)}${String(serial).padStart(8, '0')}`,
          deliveryContext: { isRedelivery: false },
          ...(does === 'writes' && { message: { id: String(serial), type: 'text', text } }),
        },
      ],
    }),
};
