// Forgets a saved filter.

import type { SegmentsProtocol } from '../../../actors/audiences/segments/protocol.ts';
import { key, route } from '../../route.ts';

export const deleteSegment = route({
  method: 'DELETE',
  path: '/v1/apps/:appId/segments/:id',
  summary: 'Delete a segment',
  description:
    'A segment that somebody follows, or that a campaign that is not over is for, is a 409 that names it.',
  tag: 'Segments',
  access: key('write'),
  lane: 'standard',
  params: { id: 'Id of the segment.' },
  responses: { 204: { description: 'Deleted.' } },
  refusals: [404, 409],
  async handle(call) {
    await call.to<SegmentsProtocol>(call.app()).ask('segment.delete', { id: call.param('id') });
    return { status: 204 };
  },
});
