// Disconnects a webhook or chat workspace.

import type { WebhooksProtocol } from '../../../actors/integrations/webhooks/protocol.ts';
import { key, route } from '../../call/route.ts';
import { destinationTypeNamed, typeParam } from './named-type.ts';

export const deleteIntegration = route({
  method: 'DELETE',
  path: '/v1/apps/:appId/integrations/:type',
  summary: 'Disconnect an integration',
  description:
    'Pending deliveries become `stopped`. Deliveries stay listed until they are 30 days old.',
  tag: 'Integrations',
  access: key('admin'),
  changes: ['integration'],
  lane: 'standard',
  edits: 'destination.remove',
  params: { type: typeParam },
  responses: { 204: { description: 'Disconnected.' } },
  refusals: [404],
  async handle(call) {
    const app = call.app();
    const type = destinationTypeNamed(call.param('type'));
    await call.to<WebhooksProtocol>(app).ask('destination.remove', { type });
    return { status: 204 };
  },
});
