// Lists sends that failed after every retry.

import { z } from 'zod';
import type { TransactionalProtocol } from '../../../actors/sending/transactional/protocol.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { channelSchema, orderedQuery, pageWithExample } from '../../call/schemas/schemas.ts';
import { deadLetterSchema, deadLetterView, laneOfLetter } from './send-view.ts';

export const listDeadLetters = route({
  method: 'GET',
  path: '/v1/apps/:appId/dead-letters',
  summary: 'List dead letters',
  description:
    'Sends to one device that failed after every retry, including those that a redrive has delivered since.',
  tag: 'Notifications',
  access: key('read'),
  reads: ['dead-letter'],
  lane: 'standard',
  query: z.object({
    lane: laneOfLetter.optional(),
    channel: channelSchema.optional(),
    reason: z.string().min(1).max(128).optional(),
    ...orderedQuery,
  }),
  responses: {
    200: { description: 'Dead letters.', schema: pageWithExample(deadLetterSchema) },
  },
  refusals: [404],
  async handle(call) {
    const { lane, reason, channel, order, limit, cursor } = call.query;
    const { items, nextCursor } = await call
      .to<TransactionalProtocol>(call.app())
      .ask('dead_letter.list', present({ lane, reason, channel, order, limit, cursor }));
    return { status: 200, body: { items: items.map(deadLetterView), nextCursor } };
  },
});
