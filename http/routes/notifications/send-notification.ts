// The transactional lane's front door: one message to one person, rendered and stored before it is
// answered.

import { z } from 'zod';
import type { TransactionalProtocol } from '../../../actors/sending/transactional/protocol.ts';
import { exampleIds } from '../../example-ids.ts';
import { key, route } from '../../route.ts';
import { namedTemplate } from '../message-templates/named-template.ts';
import { claimOf } from './idempotency.ts';
import { sendBody, sendMessage } from './send-shape.ts';

export const sendNotification = route({
  method: 'POST',
  path: '/v1/apps/:appId/notifications',
  summary: 'Send a message now',
  description:
    'Rendered when it is accepted: an undefined variable, an unknown filter or a text that renders to nothing is a 400 that names the field. A 202 means that the send is durable. Retry with the same idempotency key and it is never sent twice; a refused call leaves its key free.',
  tag: 'Notifications',
  access: key('send'),
  lane: 'transactional',
  requestHeaders: {
    'Idempotency-Key': 'Makes a retry safe for 24 hours. The same as `idempotencyKey` in the body.',
  },
  body: sendBody,
  responses: {
    202: {
      description: 'Accepted, and durable.',
      schema: z
        .object({ id: z.string(), status: z.literal('pending') })
        .meta({ examples: [{ id: exampleIds.send, status: 'pending' }] }),
      headers: {
        'x-idempotent-replay': '`true` when the key was used before: this is the first answer.',
      },
    },
  },
  refusals: [404, 409],
  async handle(call) {
    const app = call.app();
    const { template } = namedTemplate(call, 'send');
    const request = { ...sendMessage(call.body), ...template };
    // the schema has seen that it is an object
    const sent = call.sent as Readonly<Record<string, unknown>>;
    const claim = claimOf(app, 'notifications', call.header('idempotency-key'), sent);
    const { id, replayed } = await call
      .to<TransactionalProtocol>(app)
      .ask('transactional.accept', { request, claim });
    return {
      status: 202,
      body: { id, status: 'pending' },
      headers: replayed ? [['x-idempotent-replay', 'true']] : [],
    };
  },
});
