// Disconnects a customer-data platform. Its write keys stop working before the response, because
// the app's actor checks them with every call.

import type { CdpProtocol } from '../../../actors/events/cdp/protocol.ts';
import { key, route } from '../../call/route.ts';

export const deleteCdp = route({
  method: 'DELETE',
  path: '/v1/apps/:appId/integrations/cdp',
  summary: 'Disconnect the customer data platform',
  description:
    'Revokes its write key, and the previous one, at once. Data already received is kept.',
  tag: 'Integrations',
  access: key('admin'),
  changes: ['integration'],
  lane: 'standard',
  edits: 'cdp.remove',
  responses: { 204: { description: 'Disconnected.' } },
  refusals: [404],
  async handle(call) {
    await call.to<CdpProtocol>(call.app()).ask('cdp.remove', {});
    return { status: 204 };
  },
});
