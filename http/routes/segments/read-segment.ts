// Reads one segment.

import type { SegmentsProtocol } from '../../../actors/audiences/segments/protocol.ts';
import { key, route } from '../../call/route.ts';
import { segmentSchema, segmentView } from './segment-shape.ts';

export const readSegment = route({
  method: 'GET',
  path: '/v1/apps/:appId/segments/:id',
  summary: 'Read a segment',
  tag: 'Segments',
  access: key('read'),
  reads: ['segment'],
  lane: 'standard',
  params: { id: 'Segment id.' },
  responses: { 200: { description: 'The segment.', schema: segmentSchema } },
  refusals: [404],
  async handle(call) {
    const segment = await call
      .to<SegmentsProtocol>(call.app())
      .ask('segment.read', { id: call.param('id') });
    return { status: 200, body: segmentView(segment) };
  },
});
