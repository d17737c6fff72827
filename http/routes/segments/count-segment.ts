// Counts the people who match a segment now.

import type { SegmentsProtocol } from '../../../actors/audiences/segments/protocol.ts';
import { key, route } from '../../call/route.ts';
import { countSchema } from './segment-shape.ts';

export const countSegment = route({
  method: 'GET',
  path: '/v1/apps/:appId/segments/:id/count',
  summary: 'Count a segment',
  tag: 'Segments',
  access: key('read'),
  reads: ['segment', 'subscriber', 'device', 'event'],
  params: { id: 'Segment id.' },
  responses: {
    200: {
      description: 'How many people match.',
      schema: countSchema.meta({ examples: [{ count: 31, total: 420, tookMs: 0.8 }] }),
    },
  },
  async handle(call) {
    const startedMs = call.edge.clock.monotonic();
    const asked = { id: call.param('id') };
    const { count, total } = await call
      .to<SegmentsProtocol>(call.app())
      .ask('segment.preview', { asked, sample: 0 });
    const tookMs = Math.round((call.edge.clock.monotonic() - startedMs) * 100) / 100;
    return { status: 200, body: { count, total, tookMs } };
  },
});
