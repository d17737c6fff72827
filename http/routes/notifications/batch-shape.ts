// The wire shape of a batch and its results. The schema accepts any recipient: each is checked
// alone when the batch is read, so that an invalid one is a result of its own.

import { z } from 'zod';
import { variablesSchema } from '../../../actors/content/accept/variables.ts';
import { contentFields } from '../../../actors/content/shape/message-schema.ts';
import { limits } from '../../../actors/limits.ts';
import type { RecipientOutcome } from '../../../actors/sending/transactional/protocol.ts';
import { judgedLater } from '../../call/body/judged-later.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
import { recipientFields } from './recipient.ts';
import { requestFields } from './send-shape.ts';

export const recipientSchema = z.object({
  ...recipientFields,
  title: contentFields.title.describe("Replaces the batch's value."),
  body: contentFields.body.describe("Replaces the batch's value, in every language."),
  data: contentFields.data.describe("Replaces the batch's `data` as a whole."),
  variables: variablesSchema.optional().describe("Merged over the batch's variables."),
  idempotencyKey: z
    .string()
    .nullish()
    .describe("This recipient's own idempotency key, instead of `<key>#<subscriberId>`."),
});

export const batchBody = z
  .object({
    ...requestFields,
    idempotencyKey: z
      .string()
      .nullish()
      .describe(
        `Same as the Idempotency-Key header: 1 to ${limits.idempotencyKeyBytesMax} bytes, valid for 24 hours. Each recipient gets the key \`<key>#<subscriberId>\`.`,
      ),
    recipients: z
      .array(judgedLater(recipientSchema))
      .min(1)
      .max(limits.batchRecipientsMax)
      .describe(
        'The recipients. One that fails validation is `invalid` and does not affect the others.',
      ),
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
          { externalUserId: 'customer-42', variables: { order_id: 'A-1001' } },
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
  queued: 'accepted and stored',
  replayed: 'the idempotency key was used before: `id` is the original send',
  not_found: 'unknown recipient',
  in_flight: 'an earlier recipient of this batch has the same key, because it is the same person',
  invalid: 'the message cannot be sent to this recipient; `field` and `error` say why',
  conflict: 'the idempotency key was used with a different request',
  failed: 'not queued for an internal reason; send this recipient again',
} as const satisfies Readonly<Record<RecipientOutcome, string>>;

export const batchResult = z
  .object({
    queued: z.int(),
    replayed: z.int(),
    rejected: z
      .int()
      .describe(
        'All other outcomes. Nothing was sent to these recipients, and their keys are free.',
      ),
    results: z
      .array(
        z.object({
          index: z.int().describe('Index in `recipients`, from 0.'),
          subscriberId: z.string().optional(),
          externalUserId: z.string().optional(),
          outcome: z
            .enum(Object.keys(outcomes) as [RecipientOutcome, ...RecipientOutcome[]])
            .describe(
              Object.entries(outcomes)
                .map(([outcome, meaning]) => `\`${outcome}\`: ${meaning}`)
                .join('; '),
            ),
          id: z.string().optional().describe('The send id, if queued or replayed.'),
          error: z.string().optional(),
          field: z.string().optional().describe("The recipient's field that is wrong."),
        }),
      )
      .describe('One result per recipient, in the order of the request.'),
  })
  .meta({
    id: 'NotificationBatchResult',
    examples: [
      {
        queued: 1,
        replayed: 0,
        rejected: 1,
        results: [
          { index: 0, externalUserId: 'customer-42', outcome: 'queued', id: exampleIds.send },
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
