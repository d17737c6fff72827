// Makes a write key for a customer-data platform. The edge makes it; actors see only its hash.

import { z } from 'zod';
import type { CdpProtocol } from '../../../actors/events/cdp/protocol.ts';
import { key, route } from '../../route.ts';
import { makeWriteKey } from '../../write-keys.ts';
import { cdpSchema, integrationView } from './integration-view.ts';

/** The body of the PUT: there is nothing to set. */
export const cdpConfig = z.object({}).meta({ examples: [{}] });

export const putCdp = route({
  method: 'PUT',
  path: '/v1/apps/:appId/integrations/cdp',
  summary: 'Connect a customer data platform',
  description:
    'Creates a write key for the app. Segment and RudderStack server libraries send events to `/i/cdp/<app id>` with it. Each request creates a new key; the previous one stays valid for 24 hours. The request needs no body.',
  tag: 'Integrations',
  access: key('admin'),
  lane: 'standard',
  edits: 'cdp.put',
  body: cdpConfig,
  optionalBody: true,
  responses: {
    200: { description: 'A new key, replacing the previous one.', schema: cdpSchema },
    201: { description: 'The first key.', schema: cdpSchema },
  },
  refusals: [404],
  async handle(call) {
    const app = call.app();
    const { text, secretHash } = makeWriteKey();
    const { integration, created } = await call.to<CdpProtocol>(app).ask('cdp.put', { secretHash });
    const body = {
      ...integrationView(integration),
      writeKey: text,
      path: `/i/cdp/${call.param('appId')}`,
    };
    return { status: created ? 201 : 200, body };
  },
});
