// Saves content to use again.

import { z } from 'zod';
import type { MessagesProtocol } from '../../../actors/content/messages/protocol.ts';
import { exampleIds } from '../../example-ids.ts';
import { present } from '../../present.ts';
import { key, route } from '../../route.ts';
import { exampleOf } from '../../schemas.ts';
import { namedTemplate } from '../message-templates/named-template.ts';
import { judgedContent } from './judged-content.ts';
import { messageBody, messageSchema, messageView } from './message-shape.ts';

export const createMessage = route({
  method: 'POST',
  path: '/v1/apps/:id/messages',
  summary: 'Create a message',
  description:
    'Content to use again, with Liquid from tags. A template that cannot be rendered is refused now, by the name of its member; `payload.whatsapp` and `payload.kakao` stand for `body` on their channels. With `templateName` or `templateId` it starts as a copy of that template, and what is given beside it replaces the template’s member; `payload` and `localizations` whole.',
  tag: 'Messages',
  access: key('write'),
  lane: 'standard',
  params: { id: 'Id of the app.' },
  body: messageBody,
  responses: {
    201: {
      description: 'The message.',
      schema: messageSchema
        .extend({ messageId: z.string().describe('The same as `id`.') })
        .meta({ examples: [{ messageId: exampleIds.message, ...exampleOf(messageSchema) }] }),
    },
  },
  refusals: [404, 409],
  async handle(call) {
    const app = call.app();
    const named = namedTemplate(call, 'write');
    const { name } = call.body;
    const message = { content: judgedContent(call.body), ...present({ name }) };
    const made = await call.to<MessagesProtocol>(app).ask('message.create', { message, ...named });
    return { status: 201, body: { messageId: made.id, ...messageView(made) } };
  },
});
