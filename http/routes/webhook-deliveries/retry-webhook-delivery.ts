// Sends a delivery of a webhook again.

import { z } from 'zod';
import type { WebhooksProtocol } from '../../../actors/integrations/webhooks/protocol.ts';
import { key, route } from '../../call/route.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';

export const retryWebhookDelivery = route({
  method: 'POST',
  path: '/v1/apps/:appId/webhook-deliveries/:deliveryId/retry',
  summary: 'Retry a webhook delivery',
  description:
    'Begins a new series of up to six attempts, with the same delivery id and the same bytes. The request has no body.',
  tag: 'Integrations',
  access: key('write'),
  changes: ['webhook-delivery'],
  lane: 'standard',
  params: { deliveryId: 'Delivery id.' },
  responses: {
    202: {
      description: 'The delivery is being sent again.',
      schema: z.object({ id: z.string() }).meta({ examples: [{ id: exampleIds.webhookDelivery }] }),
    },
  },
  refusals: [404, 409],
  async handle(call) {
    const id = call.param('deliveryId');
    await call.to<WebhooksProtocol>(call.app()).ask('webhook_delivery.retry', { id });
    return { status: 202, body: { id } };
  },
});
