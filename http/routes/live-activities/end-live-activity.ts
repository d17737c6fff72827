// Shows the last state of a Live Activity, and ends it.

import { key, route } from '../../route.ts';
import { endBody, pushed, pushTo } from './live-activity-shape.ts';

export const endLiveActivity = route({
  method: 'POST',
  path: '/v1/apps/:appId/live-activities/:id/end',
  summary: 'End a Live Activity',
  description:
    'The last state stays on the lock screen until the person or iOS takes it away, four hours at most. The activity is `ended` once this is accepted; whatever comes after is a 409, but for a retry with the same idempotency key.',
  tag: 'Live Activities',
  access: key('send'),
  lane: 'transactional',
  params: { id: 'Id of the Live Activity.' },
  requestHeaders: {
    'Idempotency-Key': 'Makes a retry safe for 24 hours. The same as `idempotencyKey` in the body.',
  },
  body: endBody,
  responses: { 202: pushed },
  refusals: [404, 409],
  handle: (call) => pushTo(call, 'end'),
});
