// Lists an app's integrations.

import { z } from 'zod';
import type { CdpProtocol } from '../../../actors/events/cdp/protocol.ts';
import type { WebhooksProtocol } from '../../../actors/integrations/webhooks/protocol.ts';
import { pageOf } from '../../call/answer/page.ts';
import { key, route } from '../../call/route.ts';
import { countedPage, exampleOf, pageQuery } from '../../call/schemas/schemas.ts';
import { destinationBody, destinationSchema } from './destination-view.ts';
import { integrationSchema, integrationView } from './integration-view.ts';
import { isIntegrationType } from './named-type.ts';

export const listIntegrations = route({
  method: 'GET',
  path: '/v1/apps/:appId/integrations',
  summary: 'List integrations',
  description:
    'Never includes configurations or keys. `legacy` is the webhook of the settings, where it is also changed.',
  tag: 'Integrations',
  access: key('admin'),
  reads: ['integration', 'webhook-delivery', 'settings'],
  lane: 'standard',
  query: z.object(pageQuery),
  responses: {
    200: {
      description: 'Integrations by type.',
      schema: countedPage(
        z.union([destinationSchema, integrationSchema]),
        exampleOf(destinationSchema),
      ),
    },
  },
  refusals: [404],
  async handle(call) {
    const app = call.app();
    const cdp = await call.to<CdpProtocol>(app).ask('integration.list', {});
    const destinations = await call.to<WebhooksProtocol>(app).ask('destination.list', {});
    const items = [...cdp.map(integrationView), ...destinations.map(destinationBody)];
    return { status: 200, body: pageOf(items, call.query, ({ type }) => type, isIntegrationType) };
  },
});
