// Lists the Live Activities that an app has registered.

import { z } from 'zod';
import type { LiveActivitiesProtocol } from '../../../actors/sending/live-activities/protocol.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { orderedQuery, pageWithExample } from '../../call/schemas/schemas.ts';
import { ofPersonNamed } from '../audience/subscriber-view.ts';
import { personNamed } from '../person-named.ts';
import { liveActivitySchema, liveActivityView, stateSchema } from './live-activity-shape.ts';

export const listLiveActivities = route({
  method: 'GET',
  path: '/v1/apps/:appId/live-activities',
  summary: 'List Live Activities',
  description:
    "Kept as long as the app's events, at most the newest 32 per person; finished ones are dropped first. With a filter, a page may have fewer than `limit` items, even none, before the last page.",
  tag: 'Live Activities',
  access: key('read'),
  reads: ['live-activity'],
  query: z.object({
    state: stateSchema.optional(),
    subscriberId: z
      .string()
      .min(1)
      .max(512)
      .optional()
      .describe(
        'Only Live Activities of one person: a subscriber id, or `external:` followed by your own user id.',
      ),
    ...orderedQuery,
  }),
  responses: {
    200: {
      description: 'Live Activities.',
      schema: pageWithExample(liveActivitySchema),
    },
  },
  async handle(call) {
    const app = call.app();
    const { state, subscriberId, order, limit, cursor } = call.query;
    const to = subscriberId === undefined ? undefined : personNamed(subscriberId);
    const asking = call
      .to<LiveActivitiesProtocol>(app)
      .ask('live_activity.list', present({ to, state, order, limit, cursor }));
    const page = await (subscriberId === undefined ? asking : ofPersonNamed(asking, subscriberId));
    return { status: 200, body: { ...page, items: page.items.map(liveActivityView) } };
  },
});
