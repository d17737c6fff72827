// What a batch is on the wire, and what becomes of it. Recipients are taken whatever they are: each
// is judged by itself when the batch is read, so that a bad one is a result of its own and harms no
// other.

import { z } from 'zod';
import { limits } from '../../../actors/limits.ts';
import type { RecipientOutcome } from '../../../actors/sending/transactional/protocol.ts';
import { exampleIds } from '../../example-ids.ts';
import { judgedLater } from '../../judged-later.ts';
import { recipientSchema } from './batch-recipient.ts';
import { requestFields } from './send-shape.ts';

/** The body of `POST …/notifications/batch`. */
export const batchBody = z
  .object({
    ...requestFields,
    idempotencyKey: z
      .string()
      .nullish()
      .describe(
        `The same as the Idempotency-Key header: 1 to ${limits.idempotencyKeyBytesMax} bytes, good for 24 hours. Each recipient gets the key \`<key>#<subscriberId>\`.`,
      ),
    recipients: z
      .array(judgedLater(recipientSchema))
      .min(1)
      .max(limits.batchRecipientsMax)
      .describe('Whom it is for; a bad one is `invalid` and harms no other.'),
  })
  .meta({
    id: 'NotificationBatch',
    examples: [
      {
        title: 'Order {{ order_id }} is on its way',
        body: 'Hello {{ first_name }}, your parcel arrives {{ arrives }}.',
        channels: ['email'],
        variables: { arrives: 'tomorrow' },
        idempotencyKey: 'shipped-2026-09-21',
        recipients: [
          { externalUserId: 'user-42', variables: { order_id: 'A-1001' } },
          {
            subscriberId: exampleIds.subscriber,
            variables: { order_id: 'A-1002', arrives: 'on Friday' },
            idempotencyKey: 'order-A-1002-shipped',
          },
        ],
      },
    ],
  });

const outcomes = {
  queued: 'accepted, and durable',
  replayed: 'its key was used before: `id` is the send of that time',
  not_found: 'there is no such person',
  in_flight: 'an earlier one of this batch has the same key, as the same person has',
  invalid: 'what it asks for cannot be sent; `field` and `error` say why',
  conflict: 'its key was used with another request',
  failed: 'it was not its fault; send it again',
} as const satisfies Readonly<Record<RecipientOutcome, string>>;

/** What became of a batch. */
export const batchResult = z
  .object({
    queued: z.int(),
    replayed: z.int(),
    rejected: z.int().describe('All others. They have sent nothing, and their keys are free.'),
    results: z
      .array(
        z.object({
          index: z.int().describe('Which of `recipients`, from 0.'),
          subscriberId: z.string().optional(),
          externalUserId: z.string().optional(),
          outcome: z
            .enum(Object.keys(outcomes) as [RecipientOutcome, ...RecipientOutcome[]])
            .describe(
              Object.entries(outcomes)
                .map(([outcome, meaning]) => `\`${outcome}\`: ${meaning}`)
                .join('; '),
            ),
          id: z.string().optional().describe('Of the send, where it is queued or replayed.'),
          error: z.string().optional(),
          field: z.string().optional().describe('The member of the recipient that is wrong.'),
        }),
      )
      .describe('One for each recipient, in the order of the request.'),
  })
  .meta({
    id: 'NotificationBatchResult',
    examples: [
      {
        queued: 1,
        replayed: 0,
        rejected: 1,
        results: [
          { index: 0, externalUserId: 'user-42', outcome: 'queued', id: exampleIds.send },
          {
            index: 1,
            subscriberId: exampleIds.subscriber,
            outcome: 'invalid',
            error: 'body: undefined variable: order_id',
            field: 'body',
          },
        ],
      },
    ],
  });
