// The Live Activities of an app: its list, and pushes to them.

import { z } from 'zod';
import type { LiveActivitiesProtocol } from '../../../actors/sending/live-activities/protocol.ts';
import { present } from '../../call/answer/present.ts';
import { key, type Route, route } from '../../call/route.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
import { orderedQuery, pageWithExample } from '../../call/schemas/schemas.ts';
import { ofPersonNamed } from '../audience/subscriber-view.ts';
import {
  acceptedReply,
  claimOfCall,
  idempotencyHeaders,
  replayHeaders,
} from '../notifications/accepted.ts';
import { personNamed } from '../person-named.ts';
import {
  endBody,
  liveActivitySchema,
  liveActivityView,
  stateSchema,
  updateBody,
} from './live-activity-shape.ts';

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

function pushRoute(
  event: 'update' | 'end',
  words: Pick<Route, 'summary' | 'description'> & { body: typeof updateBody | typeof endBody },
): Route {
  return route({
    ...words,
    method: 'POST',
    path: `/v1/apps/:appId/live-activities/:id/${event}`,
    tag: 'Live Activities',
    access: key('send'),
    changes: ['live-activity', 'notification'],
    lane: 'transactional',
    params: { id: 'Live Activity id.' },
    requestHeaders: idempotencyHeaders,
    responses: {
      202: {
        description: "Accepted and stored. The id is the send's.",
        schema: z.object({ id: z.string() }).meta({ examples: [{ id: exampleIds.send }] }),
        headers: replayHeaders,
      },
    },
    refusals: [409],
    async handle(call) {
      const app = call.app();
      const activity = call.param('id');
      const { contentState } = call.body;
      const alert = 'alert' in call.body ? call.body.alert : undefined;
      const { id, replayed } = await call
        .to<LiveActivitiesProtocol>(app)
        .ask('live_activity.push', {
          id: activity,
          change: {
            event,
            contentState,
            ...(alert == null ? {} : { alert: { title: alert.title, body: alert.body } }),
          },
          claim: claimOfCall(call, app, `live-activities/${activity}/${event}`),
        });
      return acceptedReply({ id }, replayed);
    },
  });
}

/** An update or an end of a Live Activity: both push a new state to the device that shows it. */
export const updateLiveActivity = pushRoute('update', {
  summary: 'Update a Live Activity',
  description:
    "Sent to Apple immediately, or through FCM if that is the app's only credential. Retried like a notification, for at most twelve hours; `GET …/notifications/:id` shows the result, with the activity as `deviceId`. Updates carry increasing timestamps, so an older update never replaces a newer one. A pending update that a newer one replaces is `suppressed` with reason `superseded`, unless it is an alert on its first attempt. Once the activity is over, the response is a 409.",
  body: updateBody,
});

export const endLiveActivity = pushRoute('end', {
  summary: 'End a Live Activity',
  description:
    'The final state stays on the lock screen until the person or iOS removes it, at most four hours. The activity is `ended` as soon as this request is accepted; later updates are a 409, except a retry with the same idempotency key.',
  body: endBody,
});
