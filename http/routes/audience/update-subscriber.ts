// Changes a person's tags, time zone or channel preference. Unknown fields are ignored, except
// those that a caller could expect to change here.

import type { AudienceProtocol } from '../../../actors/people/audience/protocol.ts';
import { FaultError, fieldFault } from '../../../engine/base/fault.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { personNamed } from '../person-named.ts';
import { subscriberPatch } from './subscriber-shape.ts';
import { personParam, shownSubscriberView, subscriberSchema } from './subscriber-view.ts';

export const updateSubscriber = route({
  method: 'PATCH',
  path: '/v1/apps/:appId/subscribers/:id',
  summary: 'Update a subscriber',
  description:
    'Tags are merged; `null` removes a tag. Fields you omit keep their value. `externalUserId` and `devices` cannot be changed here; a body that contains them is rejected.',
  tag: 'Subscribers',
  access: key('write'),
  changes: ['subscriber', 'tag-name'],
  lane: 'standard',
  edits: 'subscriber.patch',
  params: { id: personParam },
  body: subscriberPatch,
  responses: { 200: { description: 'The updated subscriber.', schema: subscriberSchema } },
  refusals: [404],
  async handle(call) {
    refuseElsewhere(call.sent);
    const ref = personNamed(call.param('id'));
    const { tags, timezone, preferredChannels } = call.body;
    const patch = present({ tags, timezone, preferredChannels });
    const person = await call
      .to<AudienceProtocol>(call.app())
      .ask('subscriber.patch', { ref, patch });
    return { status: 200, body: shownSubscriberView(person) };
  },
});

const elsewhere: Readonly<Record<string, string>> = {
  externalUserId:
    'cannot be changed; POST /v1/apps/:appId/subscribers creates or updates the subscriber with this id',
  devices:
    'cannot be changed here; add a device with POST /v1/apps/:appId/subscribers/:id/devices, change or delete one with PATCH or DELETE …/devices/:deviceId',
};

function refuseElsewhere(sent: unknown): void {
  if (typeof sent !== 'object' || sent === null) return;
  const [named] = Object.entries(elsewhere).filter(([member]) => member in sent);
  if (named !== undefined) throw new FaultError(fieldFault(...named));
}
