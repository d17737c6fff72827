// Lists deliveries of webhooks, newest first.

import { z } from 'zod';
import type { WebhooksProtocol } from '../../../actors/integrations/webhooks/protocol.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { pageQuery, pageWithExample } from '../../call/schemas/schemas.ts';
import { deliveryBody, deliverySchema, filterQuery } from './delivery-shape.ts';
import { filterOf } from './filter.ts';

export const listWebhookDeliveries = route({
  method: 'GET',
  path: '/v1/apps/:appId/webhook-deliveries',
  summary: 'List webhook deliveries',
  description:
    'Kept for 30 days. With a filter, a page may have fewer items than `limit`, or none, before the end; only a `nextCursor` of `null` ends the list.',
  tag: 'Integrations',
  access: key('read'),
  reads: ['webhook-delivery'],
  lane: 'standard',
  query: z.object({ ...filterQuery, ...pageQuery }),
  responses: {
    200: { description: 'Deliveries, newest first.', schema: pageWithExample(deliverySchema) },
  },
  refusals: [404],
  async handle(call) {
    const { limit, cursor, ...filter } = call.query;
    const { items, nextCursor } = await call
      .to<WebhooksProtocol>(call.app())
      .ask('webhook_delivery.list', { ...filterOf(filter), ...present({ cursor }), limit });
    return { status: 200, body: { items: items.map(deliveryBody), nextCursor } };
  },
});
