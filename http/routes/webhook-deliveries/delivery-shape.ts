// The wire shape of a delivery of a webhook. It never has the address or the secret.

import { z } from 'zod';
import { callErrors, deliveryStates } from '../../../actors/integrations/webhooks/delivery-rows.ts';
import { webhookKinds } from '../../../actors/integrations/webhooks/event.ts';
import type {
  DeliveryView,
  WebhooksProtocol,
} from '../../../actors/integrations/webhooks/protocol.ts';
import { exampleIds, exampleInstant } from '../../call/schemas/example-ids.ts';
import { exampleOf, instant, instantSchema } from '../../call/schemas/schemas.ts';

type DeliveryTry = WebhooksProtocol['webhook_delivery.read']['reply']['attempts'][number];

export const deliverySchema = z
  .object({
    id: z.string().describe('Sent as `x-engage-delivery-id`; the same at every attempt.'),
    type: z.string().describe('The integration: `webhook`, `webhook-<name>`, `slack`, `legacy`.'),
    event: z.enum(webhookKinds),
    status: z
      .enum(deliveryStates)
      .describe(
        '`stopped`: the receiver answered 410, or the integration was removed, disabled, or turned off by Engage. `dead`: the last attempt failed, or a chat workspace refused the message.',
      ),
    attempts: z.int().describe('Attempts in the current series of at most six.'),
    lastStatus: z.int().nullable().describe('HTTP status of the last attempt.'),
    lastError: z.enum(callErrors).nullable(),
    nextRetryAt: instantSchema.nullable(),
    createdAt: instantSchema,
    deliveredAt: instantSchema.nullable(),
    durationMs: z.int().nullable().describe('Duration of the last attempt.'),
  })
  .meta({
    id: 'WebhookDelivery',
    examples: [
      {
        id: exampleIds.webhookDelivery,
        type: 'webhook',
        event: 'message.delivered',
        status: 'delivered',
        attempts: 1,
        lastStatus: 200,
        lastError: null,
        nextRetryAt: null,
        createdAt: exampleInstant(),
        deliveredAt: exampleInstant(1),
        durationMs: 84,
      },
    ],
  });

export const deliveryDetailSchema = deliverySchema
  .extend({
    payload: z
      .record(z.string(), z.unknown())
      .describe('The body as it is sent; without ids and details of a person who was erased.'),
    tries: z
      .array(
        z.object({
          at: instantSchema,
          status: z.int().nullable(),
          error: z.enum(callErrors).nullable(),
          durationMs: z.int(),
          answer: z.string().nullable().describe('The first 512 bytes of the answer.'),
        }),
      )
      .describe('The last ten attempts, oldest first.'),
  })
  .meta({
    id: 'WebhookDeliveryDetail',
    examples: [
      {
        ...exampleOf(deliverySchema),
        payload: {
          id: exampleIds.webhookDelivery,
          type: 'message.delivered',
          subscriberId: exampleIds.subscriber,
          channel: 'fcm',
          at: exampleInstant(),
        },
        tries: [{ at: exampleInstant(), status: 200, error: null, durationMs: 84, answer: 'ok' }],
      },
    ],
  });

export const filterQuery = {
  status: z.enum(deliveryStates).optional(),
  event: z.enum(webhookKinds).optional(),
  type: z.string().min(1).max(64).optional().describe('The integration.'),
  from: instantSchema.optional().describe('Created at or after this instant.'),
  to: instantSchema.optional().describe('Created before this instant.'),
};

export function deliveryBody(view: DeliveryView) {
  const { id, type, event, state, attempts, status, error, dueMs, createdMs } = view;
  const isDelivered = state === 'delivered' && view.endedMs !== undefined;
  return {
    id,
    type,
    event,
    status: state,
    attempts,
    lastStatus: status ?? null,
    lastError: error ?? null,
    nextRetryAt: state === 'retrying' && dueMs !== undefined ? instant(dueMs) : null,
    createdAt: instant(createdMs),
    deliveredAt: isDelivered ? instant(view.endedMs) : null,
    durationMs: view.durationMs ?? null,
  };
}

export function tryBody({ atMs, status, error, durationMs, answer }: DeliveryTry) {
  return {
    at: instant(atMs),
    status: status ?? null,
    error: error ?? null,
    durationMs,
    answer: answer ?? null,
  };
}
