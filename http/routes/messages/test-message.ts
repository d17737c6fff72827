// Sends a saved message to one person, to try it out. It is answered as any transactional send is,
// and read back as one.

import { z } from 'zod';
import { exampleIds } from '../../example-ids.ts';
import { present } from '../../present.ts';
import { key, route } from '../../route.ts';
import { channelsSchema } from '../../schemas.ts';
import { claimOf } from '../notifications/idempotency.ts';
import { recipientOf, sendBody } from '../notifications/send-shape.ts';

const { subscriberId, externalUserId, idempotencyKey } = sendBody.shape;

export const testMessage = route({
  method: 'POST',
  path: '/v1/apps/:appId/messages/:id/test',
  summary: 'Send a test message',
  description:
    "Sent immediately to the person's enabled devices, outside frequency caps and quiet hours; opt-outs are honoured. Rendered before the response: content that cannot be rendered is a 400 that names the field. `GET …/notifications/:id` shows the result, with `test: true`. Receipts carry `meta.test` and don't count in funnels.",
  tag: 'Messages',
  access: key('send'),
  lane: 'transactional',
  params: { id: 'Message id.' },
  requestHeaders: {
    'Idempotency-Key': 'Makes a retry safe for 24 hours. Same as `idempotencyKey` in the body.',
  },
  body: z
    .object({
      subscriberId,
      externalUserId,
      channels: channelsSchema
        .nullish()
        .describe("Only these channels; all of the person's devices if omitted."),
      idempotencyKey,
    })
    .meta({
      examples: [
        { externalUserId: 'user-42' },
        { subscriberId: exampleIds.subscriber, channels: ['email'] },
      ],
    }),
  responses: {
    202: {
      description: 'Accepted and stored.',
      schema: z
        .object({ id: z.string(), status: z.literal('pending') })
        .meta({ examples: [{ id: exampleIds.send, status: 'pending' }] }),
      headers: {
        'x-idempotent-replay':
          '`true` if the idempotency key was used before: this is the original response.',
      },
    },
  },
  refusals: [404, 409],
  async handle(call) {
    const app = call.app();
    const id = call.param('id');
    const to = recipientOf(call.body);
    // the schema has seen that it is an object
    const sent = call.sent as Readonly<Record<string, unknown>>;
    const claim = claimOf(app, `messages/${id}/test`, call.header('idempotency-key'), sent);
    const channels = present({ channels: call.body.channels ?? undefined });
    const { id: sendId, replayed } = await call.ask(app, 'message.test', {
      id,
      to,
      claim,
      ...channels,
    });
    return {
      status: 202,
      body: { id: sendId, status: 'pending' },
      headers: replayed ? [['x-idempotent-replay', 'true']] : [],
    };
  },
});
