// Lists the segments of an app, and whether one person matches each.

import { z } from 'zod';
import type { SegmentsProtocol } from '../../../actors/audiences/segments/protocol.ts';
import { pagesBy } from '../../call/answer/page.ts';
import { key, route } from '../../call/route.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
import { countedPage, listQuery } from '../../call/schemas/schemas.ts';
import { personParam } from '../audience/subscriber-view.ts';
import { personNamed } from '../person-named.ts';

const membershipSchema = z
  .object({
    id: z.string().describe('Segment id.'),
    name: z.string(),
    matches: z.boolean().describe('Whether the person is in the segment now.'),
  })
  .meta({
    id: 'SegmentMembership',
    examples: [{ id: exampleIds.segment, name: 'Pro customers', matches: true }],
  });

export const listSubscriberSegments = route({
  method: 'GET',
  path: '/v1/apps/:appId/subscribers/:id/segments',
  summary: "List a subscriber's segments",
  tag: 'Segments',
  access: key('read'),
  reads: ['segment', 'subscriber', 'device', 'event'],
  params: { id: personParam },
  query: z.object(listQuery),
  responses: {
    200: {
      description:
        'All segments of the app, each with whether the person matches it now. `GET …/segments/:id/explain` says why.',
      schema: countedPage(membershipSchema),
    },
  },
  async handle(call) {
    const ref = personNamed(call.param('id'));
    const segments = call.to<SegmentsProtocol>(call.app());
    const items = await segments.ask('segments.of_person', { ref });
    return { status: 200, body: pagesBy('seg')(items, call.query) };
  },
});
