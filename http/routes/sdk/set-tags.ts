// Sets tags of the client's person. Returns nothing: a page must not read what the tenant's server
// knows about someone.

import { z } from 'zod';
import type { IdentityProtocol } from '../../../actors/people/identity/protocol.ts';
import { parseId } from '../../../engine/base/id.ts';
import { withRoom } from '../../call/admission/held-room.ts';
import { present } from '../../call/answer/present.ts';
import { route } from '../../call/route.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
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
  summary: 'Set tags from the SDK',
  description:
    'One address may bring 100 new tag and event names per app and hour, then 429. An app has at most 1,000 tags that only clients without an API key have used.',
  ...sdkCall,
  changes: ['subscriber', 'tag-name'],
  body: tagsBody,
  responses: { 204: { description: 'Stored.' } },
  refusals: [...sdkRefusals, 401, 507],
  async handle(call) {
    const { appId, clientToken, tags } = call.body;
    const app = parseId('app', appId)?.ordinal ?? 0; // an invalid id is refused by name below
    const identity = appNamed<IdentityProtocol>(call, appId);
    const wanted = { names: Object.keys(tags).length };
    await withRoom(call, app, wanted, ({ names }) =>
      identity.ask('sdk.tag', present({ clientToken, tags, names })),
    );
    return { status: 204 };
  },
});
