// Changes a person's tags, time zone or channel preference.

import { present } from '../../present.ts';
import { key, route } from '../../route.ts';
import { subscriberPatch } from './subscriber-shape.ts';
import { personNamed, personParam, subscriberSchema, subscriberView } from './subscriber-view.ts';

export const updateSubscriber = route({
  method: 'PATCH',
  path: '/v1/apps/:appId/subscribers/:id',
  summary: 'Change a subscriber',
  description: 'Tags merge, `null` removes one; what is left out stays as it is.',
  tag: 'Subscribers',
  access: key('write'),
  lane: 'standard',
  params: { id: personParam },
  body: subscriberPatch,
  responses: { 200: { description: 'The subscriber as it is now.', schema: subscriberSchema } },
  refusals: [404],
  async handle(call) {
    const ref = personNamed(call.param('id'));
    const { tags, timezone, preferredChannels } = call.body;
    const patch = present({ tags, timezone, preferredChannels });
    const person = await call.ask(call.app(), 'subscriber.patch', { ref, patch });
    return { status: 200, body: subscriberView(person) };
  },
});
