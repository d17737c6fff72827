// Removes a device of a person.

import type { AudienceProtocol } from '../../../actors/people/audience/protocol.ts';
import { key, route } from '../../call/route.ts';
import { personNamed } from '../person-named.ts';
import { personParam } from './subscriber-view.ts';

export const deleteDevice = route({
  method: 'DELETE',
  path: '/v1/apps/:appId/subscribers/:id/devices/:deviceId',
  summary: 'Delete a device',
  tag: 'Subscribers',
  access: key('write'),
  changes: ['subscriber', 'device'],
  lane: 'standard',
  edits: 'device.remove',
  params: { id: personParam, deviceId: 'Device id.' },
  responses: { 204: { description: 'Removed.' } },
  refusals: [404],
  async handle(call) {
    const ref = personNamed(call.param('id'));
    await call
      .to<AudienceProtocol>(call.app())
      .ask('device.remove', { ref, deviceId: call.param('deviceId') });
    return { status: 204 };
  },
});
