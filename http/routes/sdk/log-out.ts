// Logs a client out: its token ends, and this device no longer gets the person's messages.

import { z } from 'zod';
import type { IdentityProtocol } from '../../../actors/people/identity/protocol.ts';
import { present } from '../../call/answer/present.ts';
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

const logoutBody = z
  .object({
    appId: appIdSchema,
    clientToken: clientTokenSchema,
    deviceId: z
      .string()
      .max(64)
      .nullish()
      .describe('Also deletes this device of the person, as `POST /v1/sdk/unregister` does.'),
  })
  .meta({
    examples: [
      { appId: exampleIds.app, clientToken: exampleClientToken, deviceId: exampleIds.device },
    ],
  });

export const logOutClient = route({
  method: 'POST',
  path: '/v1/sdk/logout',
  summary: 'Log out a subscriber',
  description:
    'Ends the session of this client token: every later call with it is a 401. Sessions of the same person on other devices continue. To log in again, the person needs an `identityHash` if the app has `identityVerification: "first-use"` or `"required"`.',
  ...sdkCall,
  changes: ['subscriber'],
  body: logoutBody,
  responses: { 204: { description: 'Logged out.' } },
  refusals: [...sdkRefusals, 401, 403, 507],
  async handle(call) {
    const { appId, clientToken, deviceId } = call.body;
    await appNamed<IdentityProtocol>(call, appId).ask('sdk.logout', {
      clientToken,
      ...present({ deviceId: deviceId ?? undefined }),
    });
    return { status: 204 };
  },
});
