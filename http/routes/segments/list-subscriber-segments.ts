// Lists the segments of an app, and whether one person matches each.

import { z } from 'zod';
import type { SegmentsProtocol } from '../../../actors/audiences/segments/protocol.ts';
import { parseId } from '../../../engine/base/id.ts';
import { namedPageOf } from '../../call/answer/page.ts';
import { present } from '../../call/answer/present.ts';
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
  lane: 'standard',
  params: { id: personParam },
  query: z.object(listQuery),
  responses: {
    200: {
      description:
        'All segments of the app, each with whether the person matches it now. `GET …/segments/:id/explain` says why.',
      schema: countedPage(membershipSchema),
    },
  },
  refusals: [404],
  async handle(call) {
    const ref = personNamed(call.param('id'));
    const segments = call.to<SegmentsProtocol>(call.app());
    const items = await segments.ask('segments.of_person', { ref });
    const isId = (cursor: string) => parseId('seg', cursor) !== undefined;
    return { status: 200, body: namedPageOf(items, present(call.query), isId) };
  },
});
