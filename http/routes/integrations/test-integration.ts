// Sends a test event to a destination, and waits a while for the outcome.

import type {
  DeliveryView,
  WebhooksProtocol,
} from '../../../actors/integrations/webhooks/protocol.ts';
import { type Millis, secondMs } from '../../../engine/base/brand.ts';
import { key, route } from '../../call/route.ts';
import { deliveryBody, deliverySchema } from '../webhook-deliveries/delivery-shape.ts';
import { destinationTypeNamed, typeParam } from './named-type.ts';

const waitMs: Millis = 10 * secondMs;
const pollMs: Millis = 50;

export const testIntegration = route({
  method: 'POST',
  path: '/v1/apps/:appId/integrations/:type/test',
  summary: 'Test an integration',
  description:
    'Sends one `webhook.test` event to it, signed, listed and retried like any other, and waits up to 10 seconds for the first attempt. `status` is `pending` if that took longer. The request has no body.',
  tag: 'Integrations',
  access: key('admin'),
  changes: ['webhook-delivery'],
  lane: 'standard',
  params: { type: typeParam },
  responses: { 200: { description: 'The delivery.', schema: deliverySchema } },
  refusals: [404, 409],
  async handle(call) {
    const actor = call.to<WebhooksProtocol>(call.app());
    const type = destinationTypeNamed(call.param('type'));
    const { id } = await actor.ask('destination.test', { type });
    const { clock } = call.edge;
    const untilMs = clock.monotonic() + waitMs;
    let delivery: DeliveryView;
    do {
      await new Promise((resolve) => setTimeout(resolve, pollMs));
      ({ delivery } = await actor.ask('webhook_delivery.read', { id }));
    } while (delivery.state === 'pending' && clock.monotonic() < untilMs);
    return { status: 200, body: deliveryBody(delivery) };
  },
});
