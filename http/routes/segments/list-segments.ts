// Lists the segments of an app.

import { z } from 'zod';
import type { SegmentsProtocol } from '../../../actors/audiences/segments/protocol.ts';
import { parseId } from '../../../engine/base/id.ts';
import { pageOf } from '../../page.ts';
import { key, route } from '../../route.ts';
import { pageQuery, pageWithExample } from '../../schemas.ts';
import { segmentSchema, segmentView } from './segment-shape.ts';

export const listSegments = route({
  method: 'GET',
  path: '/v1/apps/:appId/segments',
  summary: 'List segments',
  tag: 'Segments',
  access: key('read'),
  lane: 'standard',
  query: z.object(pageQuery),
  responses: {
    200: { description: 'Segments, oldest first.', schema: pageWithExample(segmentSchema) },
  },
  refusals: [404],
  async handle(call) {
    const segments = await call.to<SegmentsProtocol>(call.app()).ask('segment.list', {});
    const isId = (cursor: string) => parseId('seg', cursor) !== undefined;
    const { items, nextCursor } = pageOf(segments, call.query, ({ id }) => id, isId);
    return { status: 200, body: { items: items.map(segmentView), nextCursor } };
  },
});
