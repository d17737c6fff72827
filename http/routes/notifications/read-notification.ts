// Reads a send's outcome, and why. An id that this app never queued reads as pending.

import { z } from 'zod';
import { withNames } from '../../../actors/insight/timeline/names.ts';
import type { SentContent, TimelineProtocol } from '../../../actors/insight/timeline/protocol.ts';
import { storyOfSend } from '../../../actors/insight/timeline/send-story.ts';
import { key, route } from '../../call/route.ts';
import { exampleIds, exampleInstant } from '../../call/schemas/example-ids.ts';
import { exampleOf } from '../../call/schemas/schemas.ts';
import { storyEntrySchema, storyEntryView } from '../timeline/story-shape.ts';
import { listedFields, listedView, sendSchema, sendView } from './send-view.ts';
import { foundSend } from './sent-content.ts';
import { contentExample, contentMembers, contentView } from './sent-content-shape.ts';

const explainedSchema = sendSchema
  .extend({
    ...z.object(listedFields).partial().shape,
    ...z.object(contentMembers).partial().shape,
    story: z
      .array(storyEntrySchema)
      .optional()
      .describe(
        'Only with `story=true`. What happened, oldest first: the acceptance, each call to a provider with its response, each receipt with the checks that led to it. For unfinished parts, the last entries say what is pending and what happens next.',
      ),
  })
  .meta({
    id: 'ExplainedSend',
    examples: [
      {
        ...exampleOf(sendSchema),
        ...contentExample,
        story: [
          storyEntryView({
            kind: 'send',
            code: 'accepted',
            atMs: Date.parse(exampleInstant()),
            sendId: exampleIds.send,
            channels: ['email'],
          }),
        ],
      },
    ],
  });

export const readNotification = route({
  method: 'GET',
  path: '/v1/apps/:appId/notifications/:id',
  summary: 'Read the status of a send',
  description:
    "An unknown id, or a send whose receipts are past the app's events retention, reads as `pending` with no outcomes. With `story=true`, `story` explains in sentences what happened, and why; it may be ten times as long as the rest. The response then also contains the recipient, the channels and the title, except for sends of campaigns and journeys. `content` is what was sent, as long as it is kept. For campaigns and journeys it is rendered from the copy that they sent, so later edits of the message do not show.",
  tag: 'Notifications',
  access: key('send', 'read'),
  reads: ['notification'],
  params: { id: 'Send id.' },
  query: z.object({
    story: z.enum(['true', 'false']).default('false').describe('`true` adds `story`.'),
    content: z
      .enum(['true', 'false'])
      .default('true')
      .describe('`false` omits `content`, which may be as long as an email.'),
  }),
  responses: { 200: { description: "The send's status.", schema: explainedSchema } },
  async handle(call) {
    const id = call.param('id');
    const withStory = call.query.story === 'true';
    const withContent = call.query.content === 'true';
    const app = call.to<TimelineProtocol>(call.app());
    const { send, content, told, names, readMs } = await app.ask('send.explain', {
      ...{ id, withStory, withContent },
    });
    const view = 'acceptedMs' in send ? listedView(send) : sendView(send);
    const sent = withContent
      ? await foundSend(call, id, async (receipts) =>
          receipts === undefined ? (content ?? notKept) : app.ask('send.content', { id, receipts }),
        )
      : undefined;
    const story = withNames(storyOfSend(told, id, readMs), names).map(storyEntryView);
    return {
      status: 200,
      body: {
        ...view,
        ...(withContent ? contentView(sent ?? notKept) : {}),
        ...(withStory ? { story } : {}),
      },
    };
  },
});

const notKept: SentContent = { state: 'not_kept', items: [] };
