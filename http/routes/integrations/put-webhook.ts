// Connects a webhook, or changes it. The edge makes the signing secret; whether it is used, the
// app's actor decides, which knows if there is one already.

import type { WebhooksProtocol } from '../../../actors/integrations/webhooks/protocol.ts';
import { present } from '../../call/answer/present.ts';
import { makeWebhookSecret } from '../../call/keys/webhook-secret.ts';
import { key, route } from '../../call/route.ts';
import { refuseUncallable } from '../../call/schemas/callable-url.ts';
import { destinationBody, savedDestinationSchema } from './destination-view.ts';
import { webhookTypeNamed, webhookTypeParam } from './named-type.ts';
import { webhookConfig } from './webhook-config.ts';

export const putWebhook = route({
  method: 'PUT',
  path: '/v1/apps/:appId/integrations/:type',
  summary: 'Connect a webhook',
  description:
    'Events are sent from this call on; earlier ones are never sent. The call replaces the whole configuration, except the secret: without `secret`, the existing one stays. A new webhook without `secret` gets one, shown only in this response. An app has at most ten destinations.',
  tag: 'Integrations',
  access: key('admin'),
  changes: ['integration'],
  lane: 'standard',
  edits: 'destination.put',
  params: { type: webhookTypeParam },
  body: webhookConfig,
  responses: {
    200: { description: 'Changed.', schema: savedDestinationSchema },
    201: { description: 'Connected.', schema: savedDestinationSchema },
  },
  refusals: [404, 409],
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
