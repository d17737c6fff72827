// Makes a second segment like a first.

import type { SegmentsProtocol } from '../../../actors/audiences/segments/protocol.ts';
import { key, route } from '../../call/route.ts';
import { duplicateBody, duplicateNamed } from '../duplicate-body.ts';
import { segmentSchema, segmentView } from './segment-shape.ts';

export const duplicateSegment = route({
  method: 'POST',
  path: '/v1/apps/:appId/segments/:id/duplicate',
  summary: 'Duplicate a segment',
  description: 'Creates a segment with the same filter. The body is optional.',
  tag: 'Segments',
  access: key('write'),
  changes: ['segment'],
  lane: 'standard',
  params: { id: 'Segment id.' },
  body: duplicateBody,
  optionalBody: true,
  creates: { kind: 'segment.duplicate', prefix: 'seg', read: '/v1/apps/:appId/segments/:id' },
  responses: { 201: { description: 'The new segment.', schema: segmentSchema } },
  refusals: [404, 409],
  async handle(call) {
    const made = await call
      .to<SegmentsProtocol>(call.app())
      .ask('segment.duplicate', { id: call.param('id'), ...duplicateNamed(call.body) });
    return { status: 201, body: segmentView(made) };
  },
});
