// The wire shape of a transactional send.

import { z } from 'zod';
import { variablesSchema } from '../../../actors/content/accept/variables.ts';
import { contentInputFields } from '../../../actors/content/shape/message-schema.ts';
import { idempotencyKeySchema } from '../../call/idempotency.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
import { channelsSchema } from '../../call/schemas/schemas.ts';
import { templateFields } from '../message-templates/named-template.ts';
import { mailFields } from './mail-shape.ts';
import { recipientFields } from './recipient.ts';

export const requestFields = {
  ...contentInputFields,
  channels: channelsSchema
    .nullish()
    .describe("Only these channels; all of the person's devices if omitted."),
  ...templateFields,
  variables: variablesSchema.optional(),
  ...mailFields,
} as const;

export const sendBody = z
  .object({
    ...recipientFields,
    ...requestFields,
    idempotencyKey: idempotencyKeySchema,
  })
  .meta({
    id: 'Notification',
    examples: [
      {
        externalUserId: 'customer-42',
        title: 'Order {{ order_id }} is on its way',
        body: 'Hello {{ first_name }}, your parcel arrives {{ arrives }}.',
        channels: ['email'],
        variables: { order_id: 'A-1001', arrives: 'tomorrow' },
        idempotencyKey: 'order-A-1001-shipped',
      },
      {
        subscriberId: exampleIds.subscriber,
        title: 'Signed in',
        body: 'A new device signed in to your account.',
        priority: 'high',
        ttlSeconds: 600,
        data: { screen: 'security' },
      },
      {
        externalUserId: 'customer-42',
        templateId: exampleIds.template,
        variables: { order_id: 'A-1001' },
      },
    ],
  });
