// What is connected to an app: the customer data platform, webhooks and chat workspaces.

import { z } from 'zod';
import type { CdpProtocol } from '../../../actors/events/cdp/protocol.ts';
import { notFound } from '../../../actors/faults.ts';
import type { WebhooksProtocol } from '../../../actors/integrations/webhooks/protocol.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { pageOf } from '../../call/answer/page.ts';
import { key, route } from '../../call/route.ts';
import { countedPage, exampleOf, pageQuery } from '../../call/schemas/schemas.ts';
import { destinationBody, destinationSchema } from './destination-view.ts';
import { integrationSchema, integrationView } from './integration-view.ts';
import {
  anyTypeParam,
  destinationTypeNamed,
  integrationTypeNamed,
  isIntegrationType,
  typeParam,
} from './named-type.ts';

export const listIntegrations = route({
  method: 'GET',
  path: '/v1/apps/:appId/integrations',
  summary: 'List integrations',
  description:
    'Never includes configurations or keys. `legacy` is the webhook of the settings, where it is also changed.',
  tag: 'Integrations',
  access: key('admin'),
  reads: ['integration', 'webhook-delivery', 'settings'],
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
  async handle(call) {
    const app = call.app();
    const cdp = await call.to<CdpProtocol>(app).ask('integration.list', {});
    const destinations = await call.to<WebhooksProtocol>(app).ask('destination.list', {});
    const items = [...cdp.map(integrationView), ...destinations.map(destinationBody)];
    return { status: 200, body: pageOf(items, call.query, ({ type }) => type, isIntegrationType) };
  },
});

export const readIntegration = route({
  method: 'GET',
  path: '/v1/apps/:appId/integrations/:type',
  summary: 'Read an integration',
  description: 'Never includes its URL, headers, secret or keys.',
  tag: 'Integrations',
  access: key('admin'),
  reads: ['integration', 'webhook-delivery', 'settings'],
  params: { type: anyTypeParam },
  responses: {
    200: {
      description: 'The integration.',
      schema: z
        .union([destinationSchema, integrationSchema])
        .meta({ examples: [exampleOf(destinationSchema)] }),
    },
  },
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

export const deleteIntegration = route({
  method: 'DELETE',
  path: '/v1/apps/:appId/integrations/:type',
  summary: 'Disconnect an integration',
  description:
    'Pending deliveries become `stopped`. Deliveries stay listed until they are 30 days old.',
  tag: 'Integrations',
  access: key('admin'),
  changes: ['integration'],
  edits: 'destination.remove',
  params: { type: typeParam },
  responses: { 204: { description: 'Disconnected.' } },
  async handle(call) {
    const app = call.app();
    const type = destinationTypeNamed(call.param('type'));
    await call.to<WebhooksProtocol>(app).ask('destination.remove', { type });
    return { status: 204 };
  },
});
