// Previews content that is not saved, with every problem of it and its place. For editors: one bad
// field does not hide what the others show.

import { z } from 'zod';
import type { MessagesProtocol } from '../../../actors/content/messages/protocol.ts';
import { contentInputFields } from '../../../actors/content/shape/message-schema.ts';
import { key, route } from '../../call/route.ts';
import { designSchema } from './content-body.ts';
import { previewFields, previewReply, previewResponse, previewView } from './preview-shape.ts';

const messageField = z.object({
  name: z.string().nullish().describe('Ignored.'),
  design: designSchema.nullish().describe('Ignored: `body` is what is sent.'),
  ...contentInputFields,
});

export const previewDraft = route({
  method: 'POST',
  path: '/v1/apps/:appId/messages/preview',
  summary: 'Preview an unsaved message',
  description:
    'As for a saved message, with the content in the call. A field that cannot be saved becomes an item of `issues`; the others are rendered. Nothing is stored or sent.',
  tag: 'Messages',
  access: key('read'),
  reads: ['subscriber'],
  body: z.object({ message: messageField, ...previewFields }).meta({
    examples: [
      {
        message: { title: 'New in {{ city }}', body: 'Hello {{ first_name }}, have a look.' },
        person: { tags: { first_name: 'Ada' }, timezone: 'Asia/Bangkok' },
        channels: ['fcm', 'email'],
      },
      { message: { body: 'Hello {{ first_name }}.' }, externalUserId: 'customer-42' },
    ],
  }),
  responses: { 200: previewResponse },
  async handle(call) {
    const { message, ...asked } = call.body;
    const { name: _name, design: _design, ...draft } = message;
    const preview = await call
      .to<MessagesProtocol>(call.app())
      .ask('message.preview', { draft, ...previewView(asked) });
    return previewReply(call, preview);
  },
});

/**
 * Previews a saved message without sending it: what one person would see on each channel, and the
 * body that the channel's provider would get.
 */
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
