// Makes a second message like a first.

import type { MessagesProtocol } from '../../../actors/content/messages/protocol.ts';
import { key, route } from '../../call/route.ts';
import { duplicateMessageBody, duplicateNamed } from '../duplicate-body.ts';
import { messageSchema, messageView } from './message-shape.ts';

export const duplicateMessage = route({
  method: 'POST',
  path: '/v1/apps/:appId/messages/:id/duplicate',
  summary: 'Duplicate a message',
  description: 'Creates a message with the same content. The body is optional.',
  tag: 'Messages',
  access: key('write'),
  changes: ['message'],
  lane: 'standard',
  params: { id: 'Message id.' },
  body: duplicateMessageBody,
  optionalBody: true,
  creates: { kind: 'message.duplicate', prefix: 'msg', read: '/v1/apps/:appId/messages/:id' },
  responses: { 201: { description: 'The new message.', schema: messageSchema } },
  refusals: [404, 409],
  async handle(call) {
    const made = await call
      .to<MessagesProtocol>(call.app())
      .ask('message.duplicate', { id: call.param('id'), ...duplicateNamed(call.body) });
    return { status: 201, body: messageView(made) };
  },
});
