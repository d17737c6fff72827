// Shows a new state on a Live Activity.

import { updateBody } from './live-activity-shape.ts';
import { pushRoute } from './push-route.ts';

export const updateLiveActivity = pushRoute('update', {
  summary: 'Update a Live Activity',
  description:
    "Sent to Apple immediately, or through FCM if that is the app's only credential. Retried like a notification, for at most twelve hours; `GET …/notifications/:id` shows the result, with the activity as `deviceId`. Updates carry increasing timestamps, so an older update never replaces a newer one. A pending update that a newer one replaces is `suppressed` with reason `superseded`, unless it is an alert on its first attempt. Once the activity is over, the response is a 409.",
  body: updateBody,
});
