// Creates a person, or updates the one with this externalUserId.

import type { AudienceProtocol } from '../../../actors/people/audience/protocol.ts';
import { key, route } from '../../call/route.ts';
import { subscriberBody, subscriberMessage } from './subscriber-shape.ts';
import { shownSubscriberView, subscriberSchema } from './subscriber-view.ts';

export const upsertSubscriber = route({
  method: 'POST',
  path: '/v1/apps/:appId/subscribers',
  summary: 'Create or update a subscriber',
  description:
    'Matches on `externalUserId`; without it, a new subscriber is always created. On update, tags are merged, devices are added, and fields you omit keep their value. A device that belongs to someone else moves to this subscriber.',
  tag: 'Subscribers',
  access: key('write'),
  changes: ['subscriber', 'device', 'tag-name'],
  lane: 'standard',
  body: subscriberBody,
  creates: { kind: 'subscriber.upsert', prefix: 'sub', read: '/v1/apps/:appId/subscribers/:id' },
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
    return { status: created ? 201 : 200, body: shownSubscriberView(subscriber) };
  },
});
