// An update or an end of a Live Activity: both push a new state to the device that shows it.

import { z } from 'zod';
import type { LiveActivitiesProtocol } from '../../../actors/sending/live-activities/protocol.ts';
import { key, type Route, route } from '../../call/route.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
import {
  acceptedReply,
  claimOfCall,
  idempotencyHeaders,
  replayHeaders,
} from '../notifications/accepted.ts';
import { endBody, updateBody } from './live-activity-shape.ts';

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
