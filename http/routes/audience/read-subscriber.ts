// Reads one person.

import type { AudienceProtocol } from '../../../actors/people/audience/protocol.ts';
import { key, route } from '../../call/route.ts';
import { personNamed } from '../person-named.ts';
import { personParam, shownSubscriberView, subscriberSchema } from './subscriber-view.ts';

export const readSubscriber = route({
  method: 'GET',
  path: '/v1/apps/:appId/subscribers/:id',
  summary: 'Read a subscriber',
  tag: 'Subscribers',
  access: key('read'),
  reads: ['subscriber', 'device', 'suppression'],
  lane: 'standard',
  params: { id: personParam },
  responses: { 200: { description: 'The subscriber.', schema: subscriberSchema } },
  refusals: [404],
  async handle(call) {
    const ref = personNamed(call.param('id'));
    const person = await call.to<AudienceProtocol>(call.app()).ask('subscriber.read', { ref });
    return { status: 200, body: shownSubscriberView(person) };
  },
});
