// Reads a delivery of a webhook: its payload and its last attempts.

import { webhookPayload } from '../../../actors/integrations/webhooks/payload.ts';
import type { WebhooksProtocol } from '../../../actors/integrations/webhooks/protocol.ts';
import { key, route } from '../../call/route.ts';
import { deliveryBody, deliveryDetailSchema, tryBody } from './delivery-shape.ts';

export const readWebhookDelivery = route({
  method: 'GET',
  path: '/v1/apps/:appId/webhook-deliveries/:deliveryId',
  summary: 'Read a webhook delivery',
  tag: 'Integrations',
  access: key('read'),
  reads: ['webhook-delivery'],
  lane: 'standard',
  params: { deliveryId: 'Delivery id.' },
  responses: { 200: { description: 'The delivery.', schema: deliveryDetailSchema } },
  refusals: [404],
  async handle(call) {
    const id = call.param('deliveryId');
    const { delivery, payload, attempts } = await call
      .to<WebhooksProtocol>(call.app())
      .ask('webhook_delivery.read', { id });
    const sent = JSON.parse(webhookPayload(payload, id).toString()) as object;
    const body = { ...deliveryBody(delivery), payload: sent, tries: attempts.map(tryBody) };
    return { status: 200, body };
  },
});
