// Enables or disables a device.

import { z } from 'zod';
import type { AudienceProtocol } from '../../../actors/people/audience/protocol.ts';
import { key, route } from '../../call/route.ts';
import { personNamed } from '../person-named.ts';
import { deviceSchema, personParam, shownDeviceView } from './subscriber-view.ts';

export const updateDevice = route({
  method: 'PATCH',
  path: '/v1/apps/:appId/subscribers/:id/devices/:deviceId',
  summary: 'Enable or disable a device',
  tag: 'Subscribers',
  access: key('write'),
  changes: ['subscriber', 'device'],
  lane: 'standard',
  edits: 'device.enable',
  params: { id: personParam, deviceId: 'Device id.' },
  body: z.object({ enabled: z.boolean() }).meta({ examples: [{ enabled: false }] }),
  responses: { 200: { description: 'The updated device.', schema: deviceSchema } },
  refusals: [404],
  async handle(call) {
    const device = await call.to<AudienceProtocol>(call.app()).ask('device.enable', {
      ref: personNamed(call.param('id')),
      deviceId: call.param('deviceId'),
      enabled: call.body.enabled,
    });
    return { status: 200, body: shownDeviceView(device) };
  },
});
