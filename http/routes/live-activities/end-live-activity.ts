// Shows the last state of a Live Activity, and ends it.

import { endBody } from './live-activity-shape.ts';
import { pushRoute } from './push-route.ts';

export const endLiveActivity = pushRoute('end', {
  summary: 'End a Live Activity',
  description:
    'The last state stays on the lock screen until the person or iOS takes it away, four hours at most. The activity is `ended` once this is accepted; whatever comes after is a 409, but for a retry with the same idempotency key.',
  body: endBody,
});
