// The devices of a person.

import { z } from 'zod';
import type { AudienceProtocol } from '../../../actors/people/audience/protocol.ts';
import type { ResumeProtocol } from '../../../actors/sending/callbacks/resume-protocol.ts';
import { key, route } from '../../call/route.ts';
import { personNamed } from '../person-named.ts';
import { deviceBody, deviceMessage } from './subscriber-shape.ts';
import { deviceSchema, personParam, shownDeviceView } from './subscriber-view.ts';

/** Registers a person's device. An endpoint has one owner: a previous one loses it. */
export const addDevice = route({
  method: 'POST',
  path: '/v1/apps/:appId/subscribers/:id/devices',
  summary: 'Register a device',
  description:
    'Registering an existing endpoint refreshes its device. If the endpoint belongs to another subscriber, it moves to this one.',
  tag: 'Subscribers',
  access: key('write'),
  changes: ['subscriber', 'device'],
  params: { id: personParam },
  body: deviceBody,
  responses: { 201: { description: 'The device.', schema: deviceSchema } },
  async handle(call) {
    const ref = personNamed(call.param('id'));
    const device = deviceMessage(call.body);
    const added = await call.to<AudienceProtocol>(call.app()).ask('device.add', { ref, device });
    return { status: 201, body: shownDeviceView(added) };
  },
});

export const updateDevice = route({
  method: 'PATCH',
  path: '/v1/apps/:appId/subscribers/:id/devices/:deviceId',
  summary: 'Enable or disable a device',
  tag: 'Subscribers',
  access: key('write'),
  changes: ['subscriber', 'device'],
  edits: 'device.enable',
  params: { id: personParam, deviceId: 'Device id.' },
  body: z.object({ enabled: z.boolean() }).meta({ examples: [{ enabled: false }] }),
  responses: { 200: { description: 'The updated device.', schema: deviceSchema } },
  async handle(call) {
    const device = await call.to<AudienceProtocol>(call.app()).ask('device.enable', {
      ref: personNamed(call.param('id')),
      deviceId: call.param('deviceId'),
      enabled: call.body.enabled,
    });
    return { status: 200, body: shownDeviceView(device) };
  },
});

export const resumeDevice = route({
  method: 'POST',
  path: '/v1/apps/:appId/subscribers/:id/devices/:deviceId/resume',
  summary: 'Resume a device',
  description:
    'Marketing is sent to the address again (`restingUntil`), and the count of its soft bounces starts again. An address that does not rest is answered unchanged. Needs no body.',
  tag: 'Subscribers',
  access: key('write'),
  changes: ['subscriber', 'device'],
  params: { id: personParam, deviceId: 'Device id.' },
  responses: { 200: { description: 'The device.', schema: deviceSchema } },
  async handle(call) {
    const ref = personNamed(call.param('id'));
    const device = await call
      .to<ResumeProtocol>(call.app())
      .ask('device.resume', { ref, deviceId: call.param('deviceId') });
    return { status: 200, body: shownDeviceView(device) };
  },
});

export const deleteDevice = route({
  method: 'DELETE',
  path: '/v1/apps/:appId/subscribers/:id/devices/:deviceId',
  summary: 'Delete a device',
  tag: 'Subscribers',
  access: key('write'),
  changes: ['subscriber', 'device'],
  edits: 'device.remove',
  params: { id: personParam, deviceId: 'Device id.' },
  responses: { 204: { description: 'Removed.' } },
  async handle(call) {
    const ref = personNamed(call.param('id'));
    await call
      .to<AudienceProtocol>(call.app())
      .ask('device.remove', { ref, deviceId: call.param('deviceId') });
    return { status: 204 };
  },
});
