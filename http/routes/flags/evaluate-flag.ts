// Evaluates a feature flag for one person, with the reason, for support.

import { z } from 'zod';
import type { FlagsProtocol } from '../../../actors/audiences/flags/protocol.ts';
import { key, route } from '../../call/route.ts';
import { ofPersonNamed, personParam } from '../audience/subscriber-view.ts';
import { personNamed } from '../person-named.ts';

export const evaluateFlag = route({
  method: 'GET',
  path: '/v1/apps/:appId/flags/:key/evaluate',
  summary: 'Explain a feature flag',
  tag: 'Feature flags',
  access: key('read'),
  reads: ['flag', 'subscriber'],
  params: { key: 'Flag key, or flag id.' },
  query: z.object({ subscriberId: z.string().min(1).max(512).describe(personParam) }),
  responses: {
    200: {
      description: 'What the person gets now, and why.',
      schema: z
        .object({
          enabled: z.boolean(),
          variant: z.string().optional().describe('Set if the flag is on and has variants.'),
          reason: z
            .enum(['off', 'filter', 'rollout', 'on'])
            .describe(
              "`off`: the flag is off for everyone. `filter`: the person does not match. `rollout`: the person's position is not below `rolloutPercent`.",
            ),
          conditions: z
            .array(
              z.object({
                path: z.string(),
                condition: z.record(z.string(), z.unknown()),
                holds: z.boolean(),
              }),
            )
            .describe('Each condition of the filter, in the order they are written.'),
          place: z.number().describe("The person's rollout position, from 0 to below 100."),
          rolloutPercent: z.number(),
        })
        .meta({
          examples: [
            {
              enabled: true,
              variant: 'one-page',
              reason: 'on',
              conditions: [{ path: 'filter', condition: { tag: 'plan', eq: 'pro' }, holds: true }],
              place: 17.204,
              rolloutPercent: 25,
            },
          ],
        }),
    },
  },
  async handle(call) {
    const { subscriberId } = call.query;
    const ref = personNamed(subscriberId);
    const question = { flag: call.param('key'), ref };
    const explained = await ofPersonNamed(
      call.to<FlagsProtocol>(call.app()).ask('flag.explain', question),
      subscriberId,
    );
    return { status: 200, body: explained };
  },
});
