// Shows the last state of a Live Activity, and ends it.

import { key, route } from '../../route.ts';
import { endBody, pushed, pushTo } from './live-activity-shape.ts';

export const endLiveActivity = route({
  method: 'POST',
  path: '/v1/apps/:appId/live-activities/:id/end',
  summary: 'End a Live Activity',
  description:
    'The final state stays on the lock screen until the person or iOS removes it, at most four hours. The activity is `ended` as soon as this request is accepted; later updates are a 409, except a retry with the same idempotency key.',
  tag: 'Live Activities',
  access: key('send'),
  lane: 'transactional',
  params: { id: 'Live Activity id.' },
  requestHeaders: {
    'Idempotency-Key': 'Makes a retry safe for 24 hours. Same as `idempotencyKey` in the body.',
  },
  body: endBody,
  responses: { 202: pushed },
  refusals: [404, 409],
  handle: (call) => pushTo(call, 'end'),
});
