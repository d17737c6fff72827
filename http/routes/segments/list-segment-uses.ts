// Lists what uses a segment.

import { z } from 'zod';
import type { SegmentsProtocol } from '../../../actors/audiences/segments/protocol.ts';
import { limits } from '../../../actors/limits.ts';
import { key, route } from '../../call/route.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';

const usesSchema = z
  .object({
    items: z
      .array(
        z.object({
          kind: z.enum(['campaign', 'journey']),
          id: z.string(),
          name: z.string(),
          state: z.string().describe("The campaign's state; `active` or `inactive` for a journey."),
        }),
      )
      .describe(`At most ${limits.usesListed}.`),
    total: z.int().min(0).describe('How many there are in all.'),
  })
  .meta({
    id: 'SegmentUses',
    examples: [
      {
        items: [{ kind: 'journey', id: exampleIds.journey, name: 'Win back', state: 'active' }],
        total: 1,
      },
    ],
  });

export const listSegmentUses = route({
  method: 'GET',
  path: '/v1/apps/:appId/segments/:id/uses',
  summary: 'List the uses of a segment',
  description:
    'Campaigns that have not ended and are sent to this segment, and journeys that it triggers. As long as there are any, the segment cannot be deleted. Flags and in-app messages have their own filters.',
  tag: 'Segments',
  access: key('read'),
  reads: ['segment', 'campaign', 'journey'],
  params: { id: 'Segment id.' },
  responses: { 200: { description: 'The uses.', schema: usesSchema } },
  async handle(call) {
    const uses = await call
      .to<SegmentsProtocol>(call.app())
      .ask('segment.uses', { id: call.param('id') });
    return { status: 200, body: uses };
  },
});
