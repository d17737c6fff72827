// Reads one saved message.

import type { MessagesProtocol } from '../../../actors/content/messages/protocol.ts';
import { key, route } from '../../call/route.ts';
import { messageSchema, messageView } from './message-shape.ts';

export const readMessage = route({
  method: 'GET',
  path: '/v1/apps/:appId/messages/:id',
  summary: 'Read a message',
  tag: 'Messages',
  access: key('read'),
  reads: ['message'],
  lane: 'standard',
  params: { id: 'Message id.' },
  responses: { 200: { description: 'The message.', schema: messageSchema } },
  refusals: [404],
  async handle(call) {
    const message = await call
      .to<MessagesProtocol>(call.app())
      .ask('message.read', { id: call.param('id') });
    return { status: 200, body: messageView(message) };
  },
});
