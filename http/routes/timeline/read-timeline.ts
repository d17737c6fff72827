// One person's story: what they did, what was sent with which outcome and why, and what is next.

import { z } from 'zod';
import type { TimelineProtocol } from '../../../actors/insight/timeline/protocol.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { exampleOf, pageQuery, pageSchema } from '../../call/schemas/schemas.ts';
import { personParam } from '../audience/subscriber-view.ts';
import { personNamed } from '../person-named.ts';
import { storyEntrySchema, storyEntryView } from './story-shape.ts';

const timelineSchema = pageSchema(storyEntrySchema)
  .extend({
    now: z
      .array(storyEntrySchema)
      .describe(
        'The current state: what blocks messages to the person, what is pending, and what they are waiting for. Only on the first page.',
      ),
  })
  .meta({ examples: [{ items: [exampleOf(storyEntrySchema)], nextCursor: null, now: [] }] });

export const readTimeline = route({
  method: 'GET',
  path: '/v1/apps/:appId/subscribers/:id/timeline',
  summary: "Read a subscriber's timeline",
  description:
    "Newest first, in the order Engage learned of it: events, accepted messages, calls to providers with their responses, receipts and journey steps, each with a stable `code` and a sentence. Campaigns and journeys appear through their receipts. Of a message, only the title is included, or the first words if it has no title. Kept as long as the app's events.",
  tag: 'Subscribers',
  access: key('read'),
  reads: ['subscriber', 'device', 'suppression', 'event', 'notification'],
  params: { id: personParam },
  query: z.object(pageQuery),
  responses: { 200: { description: 'A page of the timeline.', schema: timelineSchema } },
  async handle(call) {
    const ref = personNamed(call.param('id'));
    const page = await call
      .to<TimelineProtocol>(call.app())
      .ask('timeline.read', present({ ref, ...call.query }));
    return { status: 200, body: timelineView(page) };
  },
});

export function timelineView({
  items,
  nextCursor,
  now,
}: TimelineProtocol['timeline.read']['reply']) {
  return { items: items.map(storyEntryView), nextCursor, now: now.map(storyEntryView) };
}
