// Reads an integration: its state and health, never its configuration or keys.

import { z } from 'zod';
import type { CdpProtocol } from '../../../actors/events/cdp/protocol.ts';
import { notFound } from '../../../actors/faults.ts';
import type { WebhooksProtocol } from '../../../actors/integrations/webhooks/protocol.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { key, route } from '../../call/route.ts';
import { exampleOf } from '../../call/schemas/schemas.ts';
import { destinationBody, destinationSchema } from './destination-view.ts';
import { integrationSchema, integrationView } from './integration-view.ts';
import { anyTypeParam, integrationTypeNamed } from './named-type.ts';

export const readIntegration = route({
  method: 'GET',
  path: '/v1/apps/:appId/integrations/:type',
  summary: 'Read an integration',
  description: 'Never includes its URL, headers, secret or keys.',
  tag: 'Integrations',
  access: key('admin'),
  reads: ['integration', 'webhook-delivery', 'settings'],
  lane: 'standard',
  params: { type: anyTypeParam },
  responses: {
    200: {
      description: 'The integration.',
      schema: z
        .union([destinationSchema, integrationSchema])
        .meta({ examples: [exampleOf(destinationSchema)] }),
    },
  },
  refusals: [404],
  async handle(call) {
    const app = call.app();
    const type = integrationTypeNamed(call.param('type'));
    if (type === 'cdp') {
      const [cdp] = await call.to<CdpProtocol>(app).ask('integration.list', {});
      if (cdp === undefined) throw new FaultError(notFound('integration'));
      return { status: 200, body: integrationView(cdp) };
    }
    const all = await call.to<WebhooksProtocol>(app).ask('destination.list', {});
    const one = all.find((destination) => destination.type === type);
    if (one === undefined) throw new FaultError(notFound('integration'));
    return { status: 200, body: destinationBody(one) };
  },
});
