// The transactional lane's front door: one message to one person, rendered and stored before it is
// answered.

import { z } from 'zod';
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
    'Rendered before the response: an undefined variable, an unknown filter or a text that renders to nothing is a 400 that names the field. A 202 means the send is stored. Retry with the same idempotency key and it is never sent twice; a rejected request releases its key.',
  tag: 'Notifications',
  access: key('send'),
  lane: 'transactional',
  requestHeaders: {
    'Idempotency-Key': 'Makes a retry safe for 24 hours. Same as `idempotencyKey` in the body.',
  },
  body: sendBody,
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
    const { template } = namedTemplate(call, 'send');
    const request = { ...sendMessage(call.body), ...template };
    // the schema has seen that it is an object
    const sent = call.sent as Readonly<Record<string, unknown>>;
    const claim = claimOf(app, 'notifications', call.header('idempotency-key'), sent);
    const { id, replayed } = await call.ask(app, 'transactional.accept', { request, claim });
    return {
      status: 202,
      body: { id, status: 'pending' },
      headers: replayed ? [['x-idempotent-replay', 'true']] : [],
    };
  },
});
