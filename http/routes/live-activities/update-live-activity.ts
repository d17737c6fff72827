// Shows a new state on a Live Activity.

import { key, route } from '../../route.ts';
import { pushed, pushTo, updateBody } from './live-activity-shape.ts';

export const updateLiveActivity = route({
  method: 'POST',
  path: '/v1/apps/:appId/live-activities/:id/update',
  summary: 'Update a Live Activity',
  description:
    'Goes to Apple at once, or through FCM where the app has a credential of that alone. Retried as a notification is, for twelve hours at most; `GET …/notifications/:id` tells what came of it, with the activity as `deviceId`. Updates carry a timestamp that only grows, so an older one never takes the place of a newer one; one that still waits when a newer one is there is `suppressed`, reason `superseded`, unless it is an alert on its first try. 409 once the activity is over.',
  tag: 'Live Activities',
  access: key('send'),
  lane: 'transactional',
  params: { id: 'Id of the Live Activity.' },
  requestHeaders: {
    'Idempotency-Key': 'Makes a retry safe for 24 hours. The same as `idempotencyKey` in the body.',
  },
  body: updateBody,
  responses: { 202: pushed },
  refusals: [404, 409],
  handle: (call) => pushTo(call, 'update'),
});
