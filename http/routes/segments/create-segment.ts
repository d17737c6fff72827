// Creates a segment: a saved filter.

import type { SegmentsProtocol } from '../../../actors/audiences/segments/protocol.ts';
import { limits } from '../../../actors/limits.ts';
import { key, route } from '../../call/route.ts';
import { segmentBody, segmentSchema, segmentView } from './segment-shape.ts';

export const createSegment = route({
  method: 'POST',
  path: '/v1/apps/:appId/segments',
  summary: 'Create a segment',
  description: `A segment is evaluated live wherever it is used. Nothing is precomputed or sampled. At most ${limits.segmentsMax.toLocaleString('en')} in an app.`,
  tag: 'Segments',
  access: key('write'),
  changes: ['segment'],
  lane: 'standard',
  body: segmentBody,
  creates: { kind: 'segment.create', prefix: 'seg', read: '/v1/apps/:appId/segments/:id' },
  responses: { 201: { description: 'The segment.', schema: segmentSchema } },
  refusals: [404, 409],
  async handle(call) {
    const { name, filter } = call.body;
    const segment = await call
      .to<SegmentsProtocol>(call.app())
      .ask('segment.create', { name, filter });
    return { status: 201, body: segmentView(segment) };
  },
});
