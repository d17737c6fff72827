// Lists transactional sends by time.

import { z } from 'zod';
import type { TransactionalProtocol } from '../../../actors/sending/transactional/protocol.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { exampleIds, exampleInstant } from '../../call/schemas/example-ids.ts';
import {
  channelSchema,
  exampleOf,
  instantInput,
  orderedQuery,
  pageWithExample,
} from '../../call/schemas/schemas.ts';
import { listedFields, listedView, sendSchema } from './send-view.ts';

const listedSchema = sendSchema.extend(listedFields).meta({
  id: 'ListedSend',
  examples: [
    {
      ...exampleOf(sendSchema),
      acceptedAt: exampleInstant(),
      subscriberId: exampleIds.subscriber,
      externalUserId: 'customer-42',
      channels: ['email' as const],
      title: 'Your order has shipped',
      templateId: exampleIds.template,
    },
  ],
});

export const listNotifications = route({
  method: 'GET',
  path: '/v1/apps/:appId/notifications',
  summary: 'List sends',
  description:
    "Transactional and test sends, as long as the app keeps them; for sends of campaigns and journeys, read the campaign or journey. A page looks at up to 1,000 sends, so with a filter it can be empty before the last page; on the last page `nextCursor` is `null`. `status` is the send's current one.",
  tag: 'Notifications',
  access: key('send', 'read'),
  reads: ['notification'],
  query: z.object({
    status: sendSchema.shape.status.optional(),
    channel: channelSchema.optional().describe('Sends to a device on this channel.'),
    template: z.string().min(1).max(128).optional().describe('Id or handle of a template.'),
    from: instantInput.optional().describe('Accepted at or after.'),
    to: instantInput.optional().describe('Accepted before.'),
    ...orderedQuery,
  }),
  responses: { 200: { description: 'Sends.', schema: pageWithExample(listedSchema) } },
  async handle(call) {
    const { from: fromMs, to: toMs, ...query } = call.query;
    const { items, nextCursor } = await call
      .to<TransactionalProtocol>(call.app())
      .ask('send.list', present({ ...query, fromMs, toMs }));
    return { status: 200, body: { items: items.map(listedView), nextCursor } };
  },
});
