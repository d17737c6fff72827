// Lists the people of an app.

import { z } from 'zod';
import type { SegmentsProtocol } from '../../../actors/audiences/segments/protocol.ts';
import type { AudienceProtocol } from '../../../actors/people/audience/protocol.ts';
import { present } from '../../present.ts';
import { key, route } from '../../route.ts';
import {
  channelSchema,
  externalUserIdSchema,
  pageQuery,
  pageWithExample,
  segmentIdSchema,
} from '../../schemas.ts';
import { shownSubscriberView, subscriberSchema } from './subscriber-view.ts';

export const listSubscribers = route({
  method: 'GET',
  path: '/v1/apps/:appId/subscribers',
  summary: 'List subscribers',
  tag: 'Subscribers',
  access: key('read'),
  lane: 'standard',
  query: z.object({
    externalUserId: externalUserIdSchema.optional(),
    segmentId: segmentIdSchema.optional().describe('Only current members of this segment.'),
    channel: channelSchema
      .optional()
      .describe(
        'Only people reachable on this channel: they have an enabled device that has not opted out.',
      ),
    ...pageQuery,
  }),
  responses: {
    200: { description: 'Subscribers, oldest first.', schema: pageWithExample(subscriberSchema) },
  },
  refusals: [404],
  async handle(call) {
    const { externalUserId, segmentId, channel, limit, cursor } = call.query;
    const asked = present({ externalUserId, channel, limit, cursor });
    const { items, nextCursor } =
      segmentId === undefined
        ? await call.to<AudienceProtocol>(call.app()).ask('subscriber.list', asked)
        : await call
            .to<SegmentsProtocol>(call.app())
            .ask('segment.members', { asked: { segmentId }, ...asked });
    return { status: 200, body: { items: items.map(shownSubscriberView), nextCursor } };
  },
});
