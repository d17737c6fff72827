// Creates a saved message.

import { z } from 'zod';
import type { MessagesProtocol } from '../../../actors/content/messages/protocol.ts';
import { limits } from '../../../actors/limits.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
import { exampleOf } from '../../call/schemas/schemas.ts';
import { namedTemplate } from '../message-templates/named-template.ts';
import { judgedContent } from './judged-content.ts';
import { messageBody, messageSchema, messageView } from './message-shape.ts';

export const createMessage = route({
  method: 'POST',
  path: '/v1/apps/:appId/messages',
  summary: 'Create a message',
  description: `Reusable content, personalized with Liquid from tags. A template that cannot be rendered is rejected now, with an error that names the field. On their channels, \`payload.whatsapp\` and \`payload.kakao\` replace \`body\`. With \`templateName\` or \`templateId\` the message starts as a copy of that template, and fields you send with it override the template's; \`payload\` and \`localizations\` are replaced as a whole. It takes the template's \`design\` unless you send a \`body\`. At most ${limits.messagesMax.toLocaleString('en')} in an app.`,
  tag: 'Messages',
  access: key('write'),
  changes: ['message'],
  lane: 'standard',
  body: messageBody,
  creates: {
    kind: 'message.create',
    prefix: 'msg',
    read: '/v1/apps/:appId/messages/:id',
    alias: 'messageId',
  },
  responses: {
    201: {
      description: 'The message.',
      schema: messageSchema
        .extend({ messageId: z.string().describe('Same as `id`.') })
        .meta({ examples: [{ messageId: exampleIds.message, ...exampleOf(messageSchema) }] }),
    },
  },
  refusals: [404, 409],
  async handle(call) {
    const app = call.app();
    const named = namedTemplate(call, 'write');
    const { name, design, writtenFor } = call.body;
    const message = {
      content: judgedContent(call.body),
      ...present({ name, design, writtenFor }),
    };
    const made = await call.to<MessagesProtocol>(app).ask('message.create', { message, ...named });
    return { status: 201, body: { messageId: made.id, ...messageView(made) } };
  },
});
