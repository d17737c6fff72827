// Shows a new state on a Live Activity.

import { updateBody } from './live-activity-shape.ts';
import { pushRoute } from './push-route.ts';

export const updateLiveActivity = pushRoute('update', {
  summary: 'Update a Live Activity',
  description:
    'Goes to Apple at once, or through FCM where the app has a credential of that alone. Retried as a notification is, for twelve hours at most; `GET …/notifications/:id` tells what came of it, with the activity as `deviceId`. Updates carry a timestamp that only grows, so an older one never takes the place of a newer one; one that still waits when a newer one is there is `suppressed`, reason `superseded`, unless it is an alert on its first try. 409 once the activity is over.',
  body: updateBody,
});
