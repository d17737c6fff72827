// Creates a person, or updates the one with this externalUserId.

import type { AudienceProtocol } from '../../../actors/people/audience/protocol.ts';
import { key, route } from '../../route.ts';
import { subscriberBody, subscriberMessage } from './subscriber-shape.ts';
import { subscriberSchema, subscriberView } from './subscriber-view.ts';

export const upsertSubscriber = route({
  method: 'POST',
  path: '/v1/apps/:appId/subscribers',
  summary: 'Create or update a subscriber',
  description:
    'Upserts on `externalUserId`; without one it always makes a new person. On update tags merge, devices are added, and what is left out stays. A device that belonged to somebody else moves to this person.',
  tag: 'Subscribers',
  access: key('write'),
  lane: 'standard',
  body: subscriberBody,
  responses: {
    200: { description: 'Updated.', schema: subscriberSchema },
    201: { description: 'Created.', schema: subscriberSchema },
  },
  refusals: [404],
  async handle(call) {
    const { subscriber, created } = await call
      .to<AudienceProtocol>(call.app())
      .ask('subscriber.upsert', {
        subscriber: subscriberMessage(call.body),
      });
    return { status: created ? 201 : 200, body: subscriberView(subscriber) };
  },
});
