// Deletes a segment.

import type { SegmentsProtocol } from '../../../actors/audiences/segments/protocol.ts';
import { key, route } from '../../call/route.ts';

export const deleteSegment = route({
  method: 'DELETE',
  path: '/v1/apps/:appId/segments/:id',
  summary: 'Delete a segment',
  description:
    'If the segment is in use, or an unfinished campaign targets it, the response is a 409 that names what uses it.',
  tag: 'Segments',
  access: key('write'),
  changes: ['segment'],
  lane: 'standard',
  edits: 'segment.delete',
  params: { id: 'Segment id.' },
  responses: { 204: { description: 'Deleted.' } },
  refusals: [404, 409],
  async handle(call) {
    await call.to<SegmentsProtocol>(call.app()).ask('segment.delete', { id: call.param('id') });
    return { status: 204 };
  },
});
