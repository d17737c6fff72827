// Shows a new state on a Live Activity.

import { key, route } from '../../route.ts';
import { pushed, pushTo, updateBody } from './live-activity-shape.ts';

export const updateLiveActivity = route({
  method: 'POST',
  path: '/v1/apps/:appId/live-activities/:id/update',
  summary: 'Update a Live Activity',
  description:
    "Sent to Apple immediately, or through FCM if that is the app's only credential. Retried like a notification, for at most twelve hours; `GET …/notifications/:id` shows the result, with the activity as `deviceId`. Updates carry increasing timestamps, so an older update never replaces a newer one. A pending update that a newer one replaces is `suppressed` with reason `superseded`, unless it is an alert on its first attempt. Once the activity is over, the response is a 409.",
  tag: 'Live Activities',
  access: key('send'),
  lane: 'transactional',
  params: { id: 'Live Activity id.' },
  requestHeaders: {
    'Idempotency-Key': 'Makes a retry safe for 24 hours. Same as `idempotencyKey` in the body.',
  },
  body: updateBody,
  responses: { 202: pushed },
  refusals: [404, 409],
  handle: (call) => pushTo(call, 'update'),
});
