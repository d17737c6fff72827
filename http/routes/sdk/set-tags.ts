// Sets tags of the client's person. Returns nothing: a page must not read what the tenant's server
// knows about someone.

import { z } from 'zod';
import type { IdentityProtocol } from '../../../actors/people/identity/protocol.ts';
import { exampleIds } from '../../example-ids.ts';
import { route } from '../../route.ts';
import { tagsShape } from '../audience/subscriber-shape.ts';
import {
  appIdSchema,
  appNamed,
  clientTokenSchema,
  exampleClientToken,
  sdkCall,
  sdkRefusals,
} from './sdk-shape.ts';

const tagsBody = z
  .object({ appId: appIdSchema, clientToken: clientTokenSchema, tags: tagsShape })
  .meta({
    examples: [
      {
        appId: exampleIds.app,
        clientToken: exampleClientToken,
        tags: { plan: 'pro', trial_until: null },
      },
    ],
  });

export const setTags = route({
  method: 'POST',
  path: '/v1/sdk/tags',
  summary: "Set a client's tags",
  ...sdkCall,
  body: tagsBody,
  responses: { 204: { description: 'Stored.' } },
  refusals: [...sdkRefusals, 401, 507],
  async handle(call) {
    const { appId, clientToken, tags } = call.body;
    await appNamed<IdentityProtocol>(call, appId).ask('sdk.tag', { clientToken, tags });
    return { status: 204 };
  },
});
