// Ends a Live Activity with a last state.

import { endBody } from './live-activity-shape.ts';
import { pushRoute } from './push-route.ts';

export const endLiveActivity = pushRoute('end', {
  summary: 'End a Live Activity',
  description:
    'The final state stays on the lock screen until the person or iOS removes it, at most four hours. The activity is `ended` as soon as this request is accepted; later updates are a 409, except a retry with the same idempotency key.',
  body: endBody,
});
