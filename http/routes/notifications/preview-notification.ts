// What the providers were given of a send, to look at it as its recipient saw it.

import { z } from 'zod';
import { notFound } from '../../../actors/faults.ts';
import type { TimelineProtocol } from '../../../actors/insight/timeline/protocol.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { key, route } from '../../call/route.ts';
import { exampleOf } from '../../call/schemas/schemas.ts';
import { keptMails, previewItemSchema, previewResponse } from '../messages/preview-shape.ts';
import { foundSend } from './sent-content.ts';
import {
  contentExample,
  contentStateFields,
  contentStateView,
  sentMailFields,
  sentMailView,
} from './sent-content-shape.ts';

const { contentState, contentUntil } = contentExample;

const sentPreviewSchema = z
  .object({
    items: z
      .array(previewItemSchema)
      .describe('One per channel; empty if nothing was rendered, or if there was no device.'),
    ...sentMailFields,
    ...contentStateFields,
  })
  .meta({
    id: 'SentPreview',
    examples: [{ items: exampleOf(previewResponse.schema).items, contentState, contentUntil }],
  });

export const previewNotification = route({
  method: 'GET',
  path: '/v1/apps/:appId/notifications/:id/preview',
  summary: 'Preview what was sent',
  description:
    'The content of a send, in the form that the provider of each channel received, like a message preview. It uses the current settings of the app and placeholders for unsubscribe links, so viewing it changes nothing. 404 if the send is unknown, or its content is no longer kept.',
  tag: 'Notifications',
  access: key('send', 'read'),
  reads: ['notification'],
  params: { id: 'Send id.' },
  responses: { 200: { description: 'What was sent.', schema: sentPreviewSchema } },
  async handle(call) {
    const id = call.param('id');
    const app = call.to<TimelineProtocol>(call.app());
    const found = await foundSend(call, id, (receipts) =>
      app.ask('send.preview', { id, ...(receipts === undefined ? {} : { receipts }) }),
    );
    if (found === undefined || found.state === 'not_kept')
      throw new FaultError(notFound('content of this send'));
    return {
      status: 200,
      body: {
        items: keptMails(call, call.app(), found.items),
        ...sentMailView(found.mail),
        ...contentStateView(found),
      },
    };
  },
});
