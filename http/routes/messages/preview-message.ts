// Previews a saved message without sending it: what one person would see on each channel, and the
// body that the channel's provider would get.

import { z } from 'zod';
import type { MessagesProtocol } from '../../../actors/content/messages/protocol.ts';
import { key, route } from '../../call/route.ts';
import { previewFields, previewReply, previewResponse, previewView } from './preview-shape.ts';

export const previewMessage = route({
  method: 'POST',
  path: '/v1/apps/:appId/messages/:id/preview',
  summary: 'Preview a message',
  description:
    'Rendered by the same code that sends; nothing is sent. Without a subscriber, the message is rendered as for a person without tags. Suppressions, caps and credentials are not checked.',
  tag: 'Messages',
  access: key('read'),
  reads: ['message', 'subscriber'],
  params: { id: 'Message id.' },
  body: z.object(previewFields).meta({
    examples: [
      { externalUserId: 'customer-42', channel: 'fcm', language: 'de' },
      { channel: 'email' },
    ],
  }),
  responses: { 200: previewResponse },
  async handle(call) {
    const app = call.app();
    const preview = await call
      .to<MessagesProtocol>(app)
      .ask('message.preview', { id: call.param('id'), ...previewView(call.body) });
    return previewReply(call, preview);
  },
});
