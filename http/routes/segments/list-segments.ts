// Lists the segments of an app.

import { z } from 'zod';
import type { SegmentsProtocol } from '../../../actors/audiences/segments/protocol.ts';
import { parseId } from '../../../engine/base/id.ts';
import { namedPageOf } from '../../call/answer/page.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { countedPage, listQuery } from '../../call/schemas/schemas.ts';
import { segmentSchema, segmentView } from './segment-shape.ts';

export const listSegments = route({
  method: 'GET',
  path: '/v1/apps/:appId/segments',
  summary: 'List segments',
  tag: 'Segments',
  access: key('read'),
  reads: ['segment'],
  lane: 'standard',
  query: z.object(listQuery),
  responses: {
    200: { description: 'Segments.', schema: countedPage(segmentSchema) },
  },
  refusals: [404],
  async handle(call) {
    const segments = await call.to<SegmentsProtocol>(call.app()).ask('segment.list', {});
    const isId = (cursor: string) => parseId('seg', cursor) !== undefined;
    const page = namedPageOf(segments, present(call.query), isId);
    return { status: 200, body: { ...page, items: page.items.map(segmentView) } };
  },
});
