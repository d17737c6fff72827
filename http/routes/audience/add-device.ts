// Registers a person's device. An endpoint has one owner: a previous one loses it.

import type { AudienceProtocol } from '../../../actors/people/audience/protocol.ts';
import { key, route } from '../../call/route.ts';
import { personNamed } from '../person-named.ts';
import { deviceBody, deviceMessage } from './subscriber-shape.ts';
import { deviceSchema, personParam, shownDeviceView } from './subscriber-view.ts';

export const addDevice = route({
  method: 'POST',
  path: '/v1/apps/:appId/subscribers/:id/devices',
  summary: 'Register a device',
  description:
    'Registering an existing endpoint refreshes its device. If the endpoint belongs to another subscriber, it moves to this one.',
  tag: 'Subscribers',
  access: key('write'),
  changes: ['subscriber', 'device'],
  lane: 'standard',
  params: { id: personParam },
  body: deviceBody,
  responses: { 201: { description: 'The device.', schema: deviceSchema } },
  refusals: [404],
  async handle(call) {
    const ref = personNamed(call.param('id'));
    const device = deviceMessage(call.body);
    const added = await call.to<AudienceProtocol>(call.app()).ask('device.add', { ref, device });
    return { status: 201, body: shownDeviceView(added) };
  },
});
