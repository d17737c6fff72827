// Sends a saved message to one person as a test. Response and status are a transactional send's.

import { z } from 'zod';
import type { TransactionalProtocol } from '../../../actors/sending/transactional/protocol.ts';
import { present } from '../../call/answer/present.ts';
import { sendsSaved } from '../../call/body/unknown-members.ts';
import { idempotencyKeySchema } from '../../call/idempotency.ts';
import { key, route } from '../../call/route.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
import { channelsSchema } from '../../call/schemas/schemas.ts';
import {
  acceptedReply,
  acceptedSend,
  claimOfCall,
  idempotencyHeaders,
} from '../notifications/accepted.ts';
import { recipientFields, recipientOf } from '../notifications/recipient.ts';

export const testMessage = route({
  method: 'POST',
  path: '/v1/apps/:appId/messages/:id/test',
  summary: 'Send a test message',
  description:
    "Sent immediately to the person's enabled devices, outside frequency caps and quiet hours; opt-outs are honored. Rendered before the response: content that cannot be rendered is a 400 that names the field. `GET …/notifications/:id` shows the result, with `test: true`. Its events carry `meta.test`, and these insights omit them: funnels, trends, retention, channel health and the heatmap.",
  tag: 'Messages',
  access: key('send'),
  changes: ['notification'],
  lane: 'transactional',
  params: { id: 'Message id.' },
  requestHeaders: idempotencyHeaders,
  body: sendsSaved(
    z
      .object({
        ...recipientFields,
        channels: channelsSchema
          .nullish()
          .describe("Only these channels; all of the person's devices if omitted."),
        idempotencyKey: idempotencyKeySchema,
      })
      .meta({
        examples: [
          { externalUserId: 'customer-42' },
          { subscriberId: exampleIds.subscriber, channels: ['email'] },
        ],
      }),
  ),
  responses: {
    202: acceptedSend,
  },
  refusals: [409],
  async handle(call) {
    const app = call.app();
    const id = call.param('id');
    const to = recipientOf(call.body);
    const claim = claimOfCall(call, app, `messages/${id}/test`);
    const channels = present({ channels: call.body.channels ?? undefined });
    const { id: sendId, replayed } = await call.to<TransactionalProtocol>(app).ask('message.test', {
      id,
      to,
      claim,
      ...channels,
    });
    return acceptedReply({ id: sendId, status: 'pending' }, replayed);
  },
});
