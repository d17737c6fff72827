// Disconnects a customer-data platform. Its write keys are refused from the moment of the answer
// on, since the app's actor judges them with whatever they bring.

import type { CdpProtocol } from '../../../actors/events/cdp/protocol.ts';
import { key, route } from '../../route.ts';

export const deleteCdp = route({
  method: 'DELETE',
  path: '/v1/apps/:id/integrations/cdp',
  summary: 'Disconnect the customer-data platform',
  description: 'Ends its write key, and the one before it, at once. What was sent stays.',
  tag: 'Integrations',
  access: key('admin'),
  lane: 'standard',
  params: { id: 'Id of the app.' },
  responses: { 204: { description: 'Disconnected.' } },
  refusals: [404],
  async handle(call) {
    await call.to<CdpProtocol>(call.app()).ask('cdp.remove', {});
    return { status: 204 };
  },
});
