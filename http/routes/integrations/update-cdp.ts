// Changes the settings of a customer-data platform's integration, and leaves its write key.

import type { CdpProtocol } from '../../../actors/events/cdp/protocol.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { integrationSchema, integrationView } from './integration-view.ts';
import { cdpConfig } from './put-cdp.ts';

export const updateCdp = route({
  method: 'PATCH',
  path: '/v1/apps/:appId/integrations/cdp',
  summary: 'Update the customer data platform',
  description:
    'Fields you omit keep their value, and the write key stays. A change applies to calls that arrive later: devices that exist stay.',
  tag: 'Integrations',
  access: key('admin'),
  changes: ['integration'],
  lane: 'standard',
  edits: 'cdp.configure',
  body: cdpConfig,
  responses: { 200: { description: 'The integration.', schema: integrationSchema } },
  refusals: [404],
  async handle(call) {
    const settings = present(call.body);
    const integration = await call.to<CdpProtocol>(call.app()).ask('cdp.configure', { settings });
    return { status: 200, body: integrationView(integration) };
  },
});
