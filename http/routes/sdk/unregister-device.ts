// Removes one of the person's devices, as an SDK does when push is turned off.

import { z } from 'zod';
import type { IdentityProtocol } from '../../../actors/people/identity/protocol.ts';
import { route } from '../../call/route.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
import {
  appIdSchema,
  appNamed,
  clientTokenSchema,
  exampleClientToken,
  sdkCall,
  sdkRefusals,
} from './sdk-shape.ts';

const unregisterBody = z
  .object({ appId: appIdSchema, clientToken: clientTokenSchema, deviceId: z.string().max(64) })
  .meta({
    examples: [
      { appId: exampleIds.app, clientToken: exampleClientToken, deviceId: exampleIds.device },
    ],
  });

export const unregisterDevice = route({
  method: 'POST',
  path: '/v1/sdk/unregister',
  summary: 'Unregister a device from the SDK',
  description:
    "This device no longer gets the person's messages. The client token stays valid; `POST /v1/sdk/logout` ends it. An address that a request with an API key registered is a 403 `identity_required`: only such a request can delete it.",
  ...sdkCall,
  changes: ['subscriber', 'device'],
  body: unregisterBody,
  responses: { 204: { description: 'Removed.' } },
  refusals: [...sdkRefusals, 401, 403, 507],
  async handle(call) {
    const { appId, clientToken, deviceId } = call.body;
    await appNamed<IdentityProtocol>(call, appId).ask('sdk.unregister', { clientToken, deviceId });
    return { status: 204 };
  },
});
