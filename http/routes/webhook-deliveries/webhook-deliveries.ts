// Deliveries of webhooks, and sending them again.

import { z } from 'zod';
import { webhookPayload } from '../../../actors/integrations/webhooks/payload.ts';
import type {
  DeliveryFilter,
  WebhooksProtocol,
} from '../../../actors/integrations/webhooks/protocol.ts';
import { type Present, present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
import { pageQuery, pageWithExample } from '../../call/schemas/schemas.ts';
import {
  deliveryBody,
  deliveryDetailSchema,
  deliverySchema,
  filterQuery,
  tryBody,
} from './delivery-shape.ts';

export const listWebhookDeliveries = route({
  method: 'GET',
  path: '/v1/apps/:appId/webhook-deliveries',
  summary: 'List webhook deliveries',
  description:
    'Kept for 30 days. With a filter, a page may have fewer items than `limit`, or none, before the end; only a `nextCursor` of `null` ends the list.',
  tag: 'Integrations',
  access: key('read'),
  reads: ['webhook-delivery'],
  query: z.object({ ...filterQuery, ...pageQuery }),
  responses: {
    200: { description: 'Deliveries, newest first.', schema: pageWithExample(deliverySchema) },
  },
  async handle(call) {
    const { limit, cursor, ...filter } = call.query;
    const { items, nextCursor } = await call
      .to<WebhooksProtocol>(call.app())
      .ask('webhook_delivery.list', { ...filterOf(filter), ...present({ cursor }), limit });
    return { status: 200, body: { items: items.map(deliveryBody), nextCursor } };
  },
});

export const readWebhookDelivery = route({
  method: 'GET',
  path: '/v1/apps/:appId/webhook-deliveries/:deliveryId',
  summary: 'Read a webhook delivery',
  tag: 'Integrations',
  access: key('read'),
  reads: ['webhook-delivery'],
  params: { deliveryId: 'Delivery id.' },
  responses: { 200: { description: 'The delivery.', schema: deliveryDetailSchema } },
  async handle(call) {
    const id = call.param('deliveryId');
    const { delivery, payload, attempts } = await call
      .to<WebhooksProtocol>(call.app())
      .ask('webhook_delivery.read', { id });
    const sent = JSON.parse(webhookPayload(payload, id).toString()) as object;
    const body = { ...deliveryBody(delivery), payload: sent, tries: attempts.map(tryBody) };
    return { status: 200, body };
  },
});

export const retryWebhookDelivery = route({
  method: 'POST',
  path: '/v1/apps/:appId/webhook-deliveries/:deliveryId/retry',
  summary: 'Retry a webhook delivery',
  description:
    'Begins a new series of up to six attempts, with the same delivery id and the same bytes. The request has no body.',
  tag: 'Integrations',
  access: key('write'),
  changes: ['webhook-delivery'],
  params: { deliveryId: 'Delivery id.' },
  responses: {
    202: {
      description: 'The delivery is being sent again.',
      schema: z.object({ id: z.string() }).meta({ examples: [{ id: exampleIds.webhookDelivery }] }),
    },
  },
  refusals: [409],
  async handle(call) {
    const id = call.param('deliveryId');
    await call.to<WebhooksProtocol>(call.app()).ask('webhook_delivery.retry', { id });
    return { status: 202, body: { id } };
  },
});

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
  body: retryBody,
  responses: {
    202: {
      description: 'Number of deliveries that are being sent again.',
      schema: z.object({ retried: z.int() }).meta({ examples: [{ retried: 12 }] }),
    },
  },
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

type Given = z.output<z.ZodObject<typeof filterQuery>>;

/** A filter of deliveries as the actor reads it. */
function filterOf({ from, to, ...rest }: Partial<Given>): Present<DeliveryFilter> {
  return present({
    ...rest,
    fromMs: from === undefined ? undefined : Date.parse(from),
    toMs: to === undefined ? undefined : Date.parse(to),
  }) as Present<DeliveryFilter>;
}
