// What a transactional send is on the wire, and the checks between its members that a schema cannot
// say.

import { z } from 'zod';
import { contentFields } from '../../../actors/content/message-schema.ts';
import { variablesSchema } from '../../../actors/content/variables.ts';
import type {
  SharedRequest,
  TransactionalRequest,
} from '../../../actors/sending/transactional/protocol.ts';
import { exampleIds } from '../../example-ids.ts';
import { present } from '../../present.ts';
import { channelsSchema } from '../../schemas.ts';
import { templateFields } from '../message-templates/named-template.ts';
import { judgedContent } from '../messages/judged-content.ts';
import { idempotencyKeySchema } from './idempotency.ts';
import { recipientFields, recipientOf } from './recipient.ts';

/** What is sent, whether to one person or to many. */
export const requestFields = {
  ...contentFields,
  channels: channelsSchema
    .nullish()
    .describe("Only these channels; all of the person's devices if omitted."),
  ...templateFields,
  variables: variablesSchema.optional(),
} as const;
const _requestShape = z.object(requestFields);
type RequestBody = z.output<typeof _requestShape>;

/** The body of `POST …/notifications`. */
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
        externalUserId: 'user-42',
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
        externalUserId: 'user-42',
        templateId: exampleIds.template,
        variables: { order_id: 'A-1001' },
      },
    ],
  });
type SendBody = z.output<typeof sendBody>;

/**
 * A checked send as the app's actor takes it, but for the template that it may name. Throws the
 * first fault.
 */
export function sendMessage(body: SendBody): TransactionalRequest {
  const to = recipientOf(body);
  return { ...sharedRequest(body), to };
}

/** The same but for the recipient, and for the template that it may name. */
export function sharedRequest(body: RequestBody): SharedRequest {
  const { variables, channels } = body;
  return {
    ...judgedContent(body, 'transactional'),
    ...present({
      channels: channels ?? undefined,
      variables,
    }),
  };
}
