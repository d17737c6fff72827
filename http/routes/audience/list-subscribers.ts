// The people of an app, a page at a time.

import { z } from 'zod';
import { present } from '../../present.ts';
import { key, route } from '../../route.ts';
import { channelSchema, externalUserIdSchema, pageQuery, pageWithExample } from '../../schemas.ts';
import { subscriberSchema, subscriberView } from './subscriber-view.ts';

export const listSubscribers = route({
  method: 'GET',
  path: '/v1/apps/:appId/subscribers',
  summary: 'List subscribers',
  description:
    'A page of a filtered list may hold fewer items than its limit, or none, and still have a next one.',
  tag: 'Subscribers',
  access: key('read'),
  lane: 'standard',
  query: z.object({
    externalUserId: externalUserIdSchema.optional(),
    channel: channelSchema.optional().describe('Only people with an enabled device on it.'),
    ...pageQuery,
  }),
  responses: {
    200: { description: 'Subscribers, oldest first.', schema: pageWithExample(subscriberSchema) },
  },
  refusals: [404],
  async handle(call) {
    const { externalUserId, channel, limit, cursor } = call.query;
    const { items, nextCursor } = await call.ask(
      call.app(),
      'subscriber.list',
      present({ externalUserId, channel, limit, cursor }),
    );
    return { status: 200, body: { items: items.map(subscriberView), nextCursor } };
  },
});
