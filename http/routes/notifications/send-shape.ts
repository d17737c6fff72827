// What a transactional send is on the wire, and the checks between its members that a schema cannot
// say.

import { z } from 'zod';
import { acceptContent } from '../../../actors/content/accept-content.ts';
import { contentFields } from '../../../actors/content/message-schema.ts';
import { providerTemplateFault } from '../../../actors/content/provider-template.ts';
import { variablesSchema } from '../../../actors/content/variables.ts';
import { limits } from '../../../actors/limits.ts';
import type { PersonRef } from '../../../actors/people/audience/protocol.ts';
import type {
  SharedRequest,
  TransactionalRequest,
} from '../../../actors/sending/transactional/protocol.ts';
import { FaultError, fieldFault } from '../../../engine/base/fault.ts';
import { exampleIds } from '../../example-ids.ts';
import { present } from '../../present.ts';
import { channelsSchema, externalUserIdSchema } from '../../schemas.ts';
import { templateFields } from '../message-templates/named-template.ts';

/** Whom a send is for. */
export const recipientFields = {
  subscriberId: z
    .string()
    .nullish()
    .describe("The recipient's subscriber id; or use `externalUserId`."),
  externalUserId: externalUserIdSchema.nullish().describe('The recipient, by your own user id.'),
} as const;

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
    idempotencyKey: z
      .string()
      .nullish()
      .describe(
        `Same as the Idempotency-Key header: 1 to ${limits.idempotencyKeyBytesMax} bytes, valid for 24 hours.`,
      ),
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
export type SendBody = z.output<typeof sendBody>;

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
  const accepted = acceptContent(body, 'transactional');
  if ('fault' in accepted) throw new FaultError(accepted.fault);
  const wrong = providerTemplateFault(accepted.content.payload);
  if (wrong !== undefined) throw new FaultError(wrong);
  return {
    ...accepted.content,
    ...present({
      channels: channels ?? undefined,
      variables,
    }),
  };
}

/** Whom a body names, by one id or the other. Throws a fault for none and for both. */
export function recipientOf({
  subscriberId,
  externalUserId,
}: Pick<SendBody, 'subscriberId' | 'externalUserId'>): PersonRef {
  if (subscriberId != null && externalUserId != null) {
    throw new FaultError(
      fieldFault('externalUserId', 'give subscriberId or externalUserId, not both'),
    );
  }
  if (subscriberId != null) return { id: subscriberId };
  if (externalUserId != null) return { externalUserId };
  throw new FaultError(
    fieldFault('subscriberId', 'is missing; give subscriberId or externalUserId'),
  );
}
