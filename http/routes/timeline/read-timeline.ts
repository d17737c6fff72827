// One person's story: what they did, what was sent to them, what came of it and why, and what is
// next.

import { z } from 'zod';
import type { TimelineProtocol } from '../../../actors/insight/timeline/protocol.ts';
import { present } from '../../present.ts';
import { key, route } from '../../route.ts';
import { exampleOf, pageQuery, pageSchema } from '../../schemas.ts';
import { personNamed, personParam } from '../audience/subscriber-view.ts';
import { storyEntrySchema, storyEntryView } from './story-shape.ts';

const timelineSchema = pageSchema(storyEntrySchema)
  .extend({
    now: z
      .array(storyEntrySchema)
      .describe(
        'How it stands at the moment of the call: what keeps messages from the person, what is under way, and what they wait for. Only on the first page.',
      ),
  })
  .meta({ examples: [{ items: [exampleOf(storyEntrySchema)], nextCursor: null, now: [] }] });

export const readTimeline = route({
  method: 'GET',
  path: '/v1/apps/:appId/subscribers/:id/timeline',
  summary: "Read a person's story",
  description:
    'Newest first, in the order in which Engage came to know: events, every message that was accepted, every call to a provider with its answer, receipts, and steps of journeys, each with a stable `code` and in words. Campaigns and journeys are told by their receipts. Nothing of a message is in it. As long as events are kept.',
  tag: 'Subscribers',
  access: key('read'),
  lane: 'standard',
  params: { id: personParam },
  query: z.object(pageQuery),
  responses: { 200: { description: 'A page of the story.', schema: timelineSchema } },
  refusals: [404],
  async handle(call) {
    const ref = personNamed(call.param('id'));
    const { items, nextCursor, now } = await call
      .to<TimelineProtocol>(call.app())
      .ask('timeline.read', present({ ref, ...call.query }));
    return {
      status: 200,
      body: { items: items.map(storyEntryView), nextCursor, now: now.map(storyEntryView) },
    };
  },
});
