// Renames a segment or replaces its filter.

import type { SegmentsProtocol } from '../../../actors/audiences/segments/protocol.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { segmentPatch, segmentSchema, segmentView } from './segment-shape.ts';

export const updateSegment = route({
  method: 'PATCH',
  path: '/v1/apps/:appId/segments/:id',
  summary: 'Update a segment',
  tag: 'Segments',
  access: key('write'),
  changes: ['segment'],
  lane: 'standard',
  edits: 'segment.update',
  params: { id: 'Segment id.' },
  body: segmentPatch,
  responses: { 200: { description: 'The updated segment.', schema: segmentSchema } },
  refusals: [404],
  async handle(call) {
    const { name, filter } = call.body;
    const change = { id: call.param('id'), ...present({ name, filter }) };
    const segment = await call.to<SegmentsProtocol>(call.app()).ask('segment.update', change);
    return { status: 200, body: segmentView(segment) };
  },
});
