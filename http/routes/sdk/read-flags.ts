// The feature flags of the client's person.

import { z } from 'zod';
import type { FlagsProtocol } from '../../../actors/audiences/flags/protocol.ts';
import { route } from '../../call/route.ts';
import { appIdSchema, appNamed, personOfToken, sdkCall, sdkRefusals } from './sdk-shape.ts';
import {
  etagOfAnswer,
  unchangedAnswer,
  unchangedHeaders,
  unlessUnchanged,
} from './unless-unchanged.ts';

const flagsSchema = z
  .record(
    z.string(),
    z.object({
      enabled: z.boolean(),
      variant: z.string().optional().describe('Set if the flag is on and has variants.'),
    }),
  )
  .meta({
    examples: [{ checkout: { enabled: true, variant: 'one-page' }, dark_mode: { enabled: false } }],
  });

export const readFlags = route({
  method: 'GET',
  path: '/v1/sdk/flags',
  summary: "Read a subscriber's feature flags",
  description:
    'Every flag of the app, by key, evaluated for this person. Send the client token in `Authorization: Bearer`.',
  ...sdkCall,
  reads: ['flag', 'subscriber'],
  clientToken: true,
  query: z.object({ appId: appIdSchema }),
  requestHeaders: unchangedHeaders,
  responses: {
    200: { description: 'By key.', schema: flagsSchema, headers: etagOfAnswer },
    ...unchangedAnswer,
  },
  refusals: [...sdkRefusals, 400, 401],
  async handle(call) {
    const { appId } = call.query;
    const { subscriberId } = await personOfToken(call, appId);
    const ref = { id: subscriberId };
    const flags = await appNamed<FlagsProtocol>(call, appId).ask('flags.evaluate', { ref });
    return unlessUnchanged(call, flags);
  },
});
