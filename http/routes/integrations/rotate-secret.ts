// Replaces a webhook's signing secret.

import { z } from 'zod';
import type { WebhooksProtocol } from '../../../actors/integrations/webhooks/protocol.ts';
import { makeWebhookSecret } from '../../call/keys/webhook-secret.ts';
import { key, route } from '../../call/route.ts';
import { exampleSecret } from './destination-view.ts';
import { webhookTypeNamed, webhookTypeParam } from './named-type.ts';

export const rotateWebhookSecret = route({
  method: 'POST',
  path: '/v1/apps/:appId/integrations/:type/rotate-secret',
  summary: "Rotate a webhook's secret",
  description:
    'For 24 hours, `webhook-signature` has a signature with each of the two secrets; `x-engage-signature` and `x-engage-signature-v2` use the new one at once. The request has no body.',
  tag: 'Integrations',
  access: key('admin'),
  changes: ['integration'],
  lane: 'standard',
  params: { type: webhookTypeParam },
  responses: {
    201: {
      description: 'The new secret.',
      schema: z
        .object({ secret: z.string().describe('Shown only once; keep it secret.') })
        .meta({ examples: [{ secret: exampleSecret }] }),
    },
  },
  refusals: [404],
  async handle(call) {
    const app = call.app();
    const type = webhookTypeNamed(call.param('type'));
    const freshSecret = makeWebhookSecret();
    await call.to<WebhooksProtocol>(app).ask('destination.rotate', { type, freshSecret });
    return { status: 201, body: { secret: freshSecret } };
  },
});
