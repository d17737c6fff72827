// Lists what uses a saved message.

import { z } from 'zod';
import type { MessagesProtocol } from '../../../actors/content/messages/protocol.ts';
import { limits } from '../../../actors/limits.ts';
import { key, route } from '../../call/route.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';

const usesSchema = z
  .object({
    items: z
      .array(
        z.object({
          kind: z.enum(['campaign', 'journey', 'in_app_message']),
          id: z.string(),
          name: z.string().nullable().describe('`null` for an in-app message.'),
          state: z
            .string()
            .describe(
              "The campaign's state; `active` or `inactive` for a journey; `scheduled`, `showing` or `ended` for an in-app message.",
            ),
        }),
      )
      .describe(`At most ${limits.usesListed}.`),
    total: z.int().min(0).describe('How many there are in all.'),
  })
  .meta({
    id: 'MessageUses',
    examples: [
      {
        items: [
          { kind: 'campaign', id: exampleIds.campaign, name: 'Spring sale', state: 'scheduled' },
          { kind: 'in_app_message', id: exampleIds.inApp, name: null, state: 'showing' },
        ],
        total: 2,
      },
    ],
  });

export const listMessageUses = route({
  method: 'GET',
  path: '/v1/apps/:appId/messages/:id/uses',
  summary: 'List the uses of a message',
  description:
    'Campaigns that have not ended, and journeys and in-app messages, that use this message. As long as there are any, the message cannot be deleted.',
  tag: 'Messages',
  access: key('read'),
  reads: ['message', 'campaign', 'journey', 'in-app-message'],
  params: { id: 'Message id.' },
  responses: { 200: { description: 'The uses.', schema: usesSchema } },
  async handle(call) {
    const uses = await call
      .to<MessagesProtocol>(call.app())
      .ask('message.uses', { id: call.param('id') });
    return { status: 200, body: uses };
  },
});
