// Reads a destination of webhooks: its state and health, never its configuration.

import { notFound } from '../../../actors/faults.ts';
import type { WebhooksProtocol } from '../../../actors/integrations/webhooks/protocol.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { key, route } from '../../route.ts';
import { destinationBody, destinationSchema } from './destination-view.ts';
import { destinationTypeNamed, typeParam } from './named-type.ts';

export const readIntegration = route({
  method: 'GET',
  path: '/v1/apps/:id/integrations/:type',
  summary: 'Read a webhook or chat workspace',
  description: 'Never includes its URL, headers or secret.',
  tag: 'Integrations',
  access: key('admin'),
  lane: 'standard',
  params: { id: 'App id.', type: typeParam },
  responses: { 200: { description: 'The integration.', schema: destinationSchema } },
  refusals: [404],
  async handle(call) {
    const app = call.app();
    const type = destinationTypeNamed(call.param('type'));
    const all = await call.to<WebhooksProtocol>(app).ask('destination.list', {});
    const one = all.find((destination) => destination.type === type);
    if (one === undefined) throw new FaultError(notFound('integration'));
    return { status: 200, body: destinationBody(one) };
  },
});
