// Connecting and trying webhooks and chat workspaces.

import { z } from 'zod';
import type {
  DeliveryView,
  WebhooksProtocol,
} from '../../../actors/integrations/webhooks/protocol.ts';
import { type Millis, secondMs } from '../../../engine/base/brand.ts';
import { present } from '../../call/answer/present.ts';
import { makeWebhookSecret } from '../../call/keys/webhook-secret.ts';
import { key, route } from '../../call/route.ts';
import { refuseUncallable } from '../../call/schemas/callable-url.ts';
import { deliveryBody, deliverySchema } from '../webhook-deliveries/delivery-shape.ts';
import {
  destinationBody,
  destinationSchema,
  exampleSecret,
  savedDestinationSchema,
} from './destination-view.ts';
import {
  destinationTypeNamed,
  typeParam,
  webhookTypeNamed,
  webhookTypeParam,
} from './named-type.ts';
import { slackConfig, webhookConfig } from './webhook-config.ts';

export const putSlack = route({
  method: 'PUT',
  path: '/v1/apps/:appId/integrations/slack',
  summary: 'Connect a chat workspace',
  description:
    "Posts a message to the workspace's incoming webhook when a campaign has finished sending, with totals of devices per channel. Listed and retried like other webhooks, one at a time; a message that the workspace refuses with 400, 403, 404 or 410 is `dead` at once.",
  tag: 'Integrations',
  access: key('admin'),
  changes: ['integration'],
  edits: 'destination.put',
  body: slackConfig,
  responses: {
    200: { description: 'Changed.', schema: destinationSchema },
    201: { description: 'Connected.', schema: destinationSchema },
  },
  refusals: [409],
  async handle(call) {
    const app = call.app();
    const { url, enabled } = call.body;
    refuseUncallable('url', url, call.edge.config);
    const input = { url, events: ['campaign.completed'], headers: {}, concurrency: 1, enabled };
    const { destination, created } = await call
      .to<WebhooksProtocol>(app)
      .ask('destination.put', { type: 'slack', input });
    return { status: created ? 201 : 200, body: destinationBody(destination) };
  },
});

/**
 * Connects a webhook, or changes it. The edge makes the signing secret; whether it is used, the
 * app's actor decides, which knows if there is one already.
 */
export const putWebhook = route({
  method: 'PUT',
  path: '/v1/apps/:appId/integrations/:type',
  summary: 'Connect a webhook',
  description:
    'Events are sent from this call on; earlier ones are never sent. The call replaces the whole configuration, except the secret: without `secret`, the existing one stays. A new webhook without `secret` gets one, shown only in this response. An app has at most ten destinations.',
  tag: 'Integrations',
  access: key('admin'),
  changes: ['integration'],
  edits: 'destination.put',
  params: { type: webhookTypeParam },
  body: webhookConfig,
  responses: {
    200: { description: 'Changed.', schema: savedDestinationSchema },
    201: { description: 'Connected.', schema: savedDestinationSchema },
  },
  refusals: [409],
  async handle(call) {
    const app = call.app();
    const type = webhookTypeNamed(call.param('type'));
    const { url, secret, events, headers = {}, concurrency, enabled } = call.body;
    refuseUncallable('url', url, call.edge.config);
    const freshSecret = makeWebhookSecret();
    const given = present({ secret });
    const input = { url, ...given, freshSecret, events, headers, concurrency, enabled };
    const { destination, created, isSecretFresh } = await call
      .to<WebhooksProtocol>(app)
      .ask('destination.put', { type, input });
    const shown = isSecretFresh ? { secret: freshSecret } : {};
    return { status: created ? 201 : 200, body: { ...destinationBody(destination), ...shown } };
  },
});

export const rotateWebhookSecret = route({
  method: 'POST',
  path: '/v1/apps/:appId/integrations/:type/rotate-secret',
  summary: "Rotate a webhook's secret",
  description:
    'For 24 hours, `webhook-signature` has a signature with each of the two secrets; `x-engage-signature` and `x-engage-signature-v2` use the new one at once. The request has no body.',
  tag: 'Integrations',
  access: key('admin'),
  changes: ['integration'],
  params: { type: webhookTypeParam },
  responses: {
    201: {
      description: 'The new secret.',
      schema: z
        .object({ secret: z.string().describe('Shown only once; keep it secret.') })
        .meta({ examples: [{ secret: exampleSecret }] }),
    },
  },
  async handle(call) {
    const app = call.app();
    const type = webhookTypeNamed(call.param('type'));
    const freshSecret = makeWebhookSecret();
    await call.to<WebhooksProtocol>(app).ask('destination.rotate', { type, freshSecret });
    return { status: 201, body: { secret: freshSecret } };
  },
});

const waitMs: Millis = 10 * secondMs;
const pollMs: Millis = 50;

export const testIntegration = route({
  method: 'POST',
  path: '/v1/apps/:appId/integrations/:type/test',
  summary: 'Test an integration',
  description:
    'Sends one `webhook.test` event to it, signed, listed and retried like any other, and waits up to 10 seconds for the first attempt. `status` is `pending` if that took longer. The request has no body.',
  tag: 'Integrations',
  access: key('admin'),
  changes: ['webhook-delivery'],
  params: { type: typeParam },
  responses: { 200: { description: 'The delivery.', schema: deliverySchema } },
  refusals: [409],
  async handle(call) {
    const actor = call.to<WebhooksProtocol>(call.app());
    const type = destinationTypeNamed(call.param('type'));
    const { id } = await actor.ask('destination.test', { type });
    const { clock } = call.edge;
    const untilMs = clock.monotonic() + waitMs;
    let delivery: DeliveryView;
    do {
      await new Promise((resolve) => setTimeout(resolve, pollMs));
      ({ delivery } = await actor.ask('webhook_delivery.read', { id }));
    } while (delivery.state === 'pending' && clock.monotonic() < untilMs);
    return { status: 200, body: deliveryBody(delivery) };
  },
});
