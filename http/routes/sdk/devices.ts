// The devices of the client's person: an SDK registers one, and removes it when push is turned off.

import { z } from 'zod';
import type { IdentityProtocol } from '../../../actors/people/identity/protocol.ts';
import { FaultError, fieldFault } from '../../../engine/base/fault.ts';
import { route } from '../../call/route.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
import { exampleOf } from '../../call/schemas/schemas.ts';
import { deviceBody, deviceMessage } from '../audience/subscriber-shape.ts';
import {
  appIdSchema,
  appNamed,
  clientTokenSchema,
  exampleClientToken,
  sdkCall,
  sdkRefusals,
} from './sdk-shape.ts';

const registerBody = deviceBody
  .extend({ appId: appIdSchema, clientToken: clientTokenSchema })
  .meta({
    examples: [
      {
        appId: exampleIds.app,
        clientToken: exampleClientToken,
        ...exampleOf(deviceBody),
      },
    ],
  });

const registeredSchema = z
  .object({ deviceId: z.string() })
  .meta({ examples: [{ deviceId: exampleIds.device }] });

export const registerDevice = route({
  method: 'POST',
  path: '/v1/sdk/register',
  summary: 'Register a device from the SDK',
  description:
    'Addresses of channels that bill per message (sms, voice, whatsapp, rcs, kakao, viber) need the token of a login with an `identityHash`, unless the setting `keylessEvents.registerPaidChannels` allows them without or the server is in sandbox mode. Registering an existing endpoint refreshes its device. A push token or subscription that belongs to someone else moves to this person, because having it proves ownership. An address (email, phone number, chat id) that a request with an API key registered does not move, and a client cannot enable or disable it: 403 `identity_required`. An address that a client registered for someone with an `externalUserId` moves only to a person who logged in with an `identityHash`, and never away from a person who did so too. A request with an API key can always move it.',
  ...sdkCall,
  changes: ['subscriber', 'device'],
  body: registerBody,
  responses: { 200: { description: 'The device.', schema: registeredSchema } },
  refusals: [...sdkRefusals, 401, 403, 507],
  async handle(call) {
    const { appId, clientToken } = call.body;
    const device = deviceMessage(call.body);
    return {
      status: 200,
      body: await appNamed<IdentityProtocol>(call, appId).ask('sdk.register', {
        clientToken,
        device,
      }),
    };
  },
});

const unregisterBody = z
  .object({
    appId: appIdSchema,
    clientToken: clientTokenSchema,
    deviceId: z.string().max(64).nullish(),
    channel: deviceBody.shape.channel.nullish().describe('With `endpoint`, instead of `deviceId`.'),
    endpoint: deviceBody.shape.endpoint.optional().describe('The address of the device.'),
  })
  .meta({
    examples: [
      { appId: exampleIds.app, clientToken: exampleClientToken, deviceId: exampleIds.device },
      { appId: exampleIds.app, clientToken: exampleClientToken, ...exampleOf(deviceBody) },
    ],
  });

export const unregisterDevice = route({
  method: 'POST',
  path: '/v1/sdk/unregister',
  summary: 'Unregister a device from the SDK',
  description:
    "This device no longer gets the person's messages. The client token stays valid; `POST /v1/sdk/logout` ends it. An address that a request with an API key registered is a 403 `identity_required`: only such a request can delete it. Name the device by its id, or by its channel and endpoint; an endpoint that is not this person's is a 204 too.",
  ...sdkCall,
  changes: ['subscriber', 'device'],
  body: unregisterBody,
  responses: { 204: { description: 'Removed.' } },
  refusals: [...sdkRefusals, 401, 403, 507],
  async handle(call) {
    const { appId, clientToken, deviceId, channel, endpoint } = call.body;
    const device = deviceId ?? (channel && endpoint !== undefined ? { channel, endpoint } : null);
    if (device === null)
      throw new FaultError(fieldFault('deviceId', 'is missing; or send channel and endpoint'));
    await appNamed<IdentityProtocol>(call, appId).ask('sdk.unregister', { clientToken, device });
    return { status: 204 };
  },
});
