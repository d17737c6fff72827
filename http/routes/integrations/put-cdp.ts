// Makes a write key for a customer-data platform. The secret is made here, on the edge: actors only
// ever see its hash.

import type { CdpProtocol } from '../../../actors/events/cdp/protocol.ts';
import { key, route } from '../../route.ts';
import { makeWriteKey } from '../../write-keys.ts';
import { cdpSchema, integrationView } from './integration-view.ts';

export const putCdp = route({
  method: 'PUT',
  path: '/v1/apps/:id/integrations/cdp',
  summary: 'Connect a customer-data platform',
  description:
    "Makes the app's write key, with which Segment's and RudderStack's server libraries send to `/i/cdp/<app id>`. Each call makes another; the one before stays good for 24 hours. Takes no body.",
  tag: 'Integrations',
  access: key('admin'),
  lane: 'standard',
  params: { id: 'Id of the app.' },
  responses: {
    200: { description: 'Another key, with its text.', schema: cdpSchema },
    201: { description: 'The first key, with its text.', schema: cdpSchema },
  },
  refusals: [404],
  async handle(call) {
    const app = call.app();
    const { text, secretHash } = makeWriteKey();
    const { integration, created } = await call.to<CdpProtocol>(app).ask('cdp.put', { secretHash });
    const body = {
      ...integrationView(integration),
      writeKey: text,
      path: `/i/cdp/${call.param('id')}`,
    };
    return { status: created ? 201 : 200, body };
  },
});
