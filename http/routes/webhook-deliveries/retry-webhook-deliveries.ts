// Sends many deliveries of webhooks again, slice by slice.

import { z } from 'zod';
import type { WebhooksProtocol } from '../../../actors/integrations/webhooks/protocol.ts';
import { key, route } from '../../call/route.ts';
import { filterQuery } from './delivery-shape.ts';
import { filterOf } from './filter.ts';

const { event, type, from, to } = filterQuery;

const retryBody = z
  .object({ status: z.enum(['dead', 'stopped']), event, type, from, to })
  .meta({ examples: [{ status: 'dead', event: 'message.bounced' }] });

export const retryWebhookDeliveries = route({
  method: 'POST',
  path: '/v1/apps/:appId/webhook-deliveries/retry',
  summary: 'Retry many webhook deliveries',
  description:
    'Every delivery in this state that matches gets a new series of up to six attempts. Those of integrations that were removed or are disabled are skipped.',
  tag: 'Integrations',
  access: key('write'),
  changes: ['webhook-delivery'],
  lane: 'standard',
  body: retryBody,
  responses: {
    202: {
      description: 'Number of deliveries that are being sent again.',
      schema: z.object({ retried: z.int() }).meta({ examples: [{ retried: 12 }] }),
    },
  },
  refusals: [404],
  async handle(call) {
    const { status, ...rest } = call.body;
    const actor = call.to<WebhooksProtocol>(call.app());
    const filter = { ...filterOf(rest), status };
    let retried = 0;
    for (let cursor: string | null = null; ; ) {
      const from = cursor === null ? {} : { cursor };
      const slice: { retried: number; nextCursor: string | null } = await actor.ask(
        'webhook_delivery.retry_all',
        { ...filter, ...from },
      );
      retried += slice.retried;
      if (slice.nextCursor === null) return { status: 202, body: { retried } };
      cursor = slice.nextCursor;
    }
  },
});
