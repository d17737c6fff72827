// Explains why a person is in a segment or not: each condition's result, and which one decided.

import { z } from 'zod';
import type { SegmentsProtocol } from '../../../actors/audiences/segments/protocol.ts';
import { key, route } from '../../call/route.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
import { instant, instantSchema } from '../../call/schemas/schemas.ts';
import { ofPersonNamed, personParam } from '../audience/subscriber-view.ts';
import { personNamed } from '../person-named.ts';

export const explainSegment = route({
  method: 'GET',
  path: '/v1/apps/:appId/segments/:id/explain',
  summary: 'Explain a segment',
  tag: 'Segments',
  access: key('read'),
  reads: ['segment', 'subscriber', 'device', 'event', 'suppression'],
  params: { id: 'Segment id.' },
  query: z.object({ subscriberId: z.string().min(1).max(512).describe(personParam) }),
  responses: {
    200: {
      description:
        'Whether the person matches now, with the result of each condition, in the order they are written.',
      schema: z
        .object({
          matches: z.boolean(),
          conditions: z.array(
            z.object({
              path: z.string(),
              condition: z.record(z.string(), z.unknown()),
              holds: z.boolean(),
              value: z
                .unknown()
                .optional()
                .describe("The tag's value; `null` if the person has no such tag."),
              lastAt: instantSchema
                .nullable()
                .optional()
                .describe('When the person was last active.'),
              createdAt: instantSchema
                .optional()
                .describe('When the person was created, for `inactiveForDays`.'),
              devices: z
                .array(
                  z.object({
                    id: z.string(),
                    enabled: z.boolean(),
                    disabledReason: z.string().optional(),
                    optedOut: z.boolean().describe('Whether the address is suppressed.'),
                  }),
                )
                .optional()
                .describe(
                  "For `channel`: the person's devices on it. An enabled device that has not opted out makes the person reachable.",
                ),
              count: z.int().optional().describe('Number of events in the window.'),
            }),
          ),
        })
        .meta({
          examples: [
            {
              matches: false,
              conditions: [
                {
                  path: 'filter.all[0]',
                  condition: { tag: 'plan', eq: 'pro' },
                  holds: true,
                  value: 'pro',
                },
                {
                  path: 'filter.all[1]',
                  condition: { channel: 'email' },
                  holds: false,
                  devices: [{ id: exampleIds.device, enabled: true, optedOut: true }],
                },
              ],
            },
          ],
        }),
    },
  },
  async handle(call) {
    const asked = { id: call.param('id') };
    const { subscriberId } = call.query;
    const ref = personNamed(subscriberId);
    const asking = call.to<SegmentsProtocol>(call.app()).ask('segment.explain', { asked, ref });
    const { matches, conditions } = await ofPersonNamed(asking, subscriberId);
    const body = {
      matches,
      conditions: conditions.map(({ lastMs, createdMs, condition, ...rest }) => ({
        ...rest,
        condition: condition as unknown as Record<string, unknown>,
        ...(lastMs === undefined ? {} : { lastAt: lastMs === null ? null : instant(lastMs) }),
        ...(createdMs === undefined ? {} : { createdAt: instant(createdMs) }),
      })),
    };
    return { status: 200, body };
  },
});
