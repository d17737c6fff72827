// Counts the people who match an unsaved filter, and shows some of them.

import { z } from 'zod';
import type { SegmentsProtocol } from '../../../actors/audiences/segments/protocol.ts';
import { limits } from '../../../actors/limits.ts';
import { key, route } from '../../route.ts';
import { shownSubscriberView, subscriberSchema } from '../audience/subscriber-view.ts';
import { countSchema, filterSchema } from './segment-shape.ts';

export const previewSegment = route({
  method: 'POST',
  path: '/v1/apps/:appId/segments/preview',
  summary: 'Preview a segment filter',
  description: 'An exact live count, including everything acknowledged before the request.',
  tag: 'Segments',
  access: key('read'),
  lane: 'standard',
  body: z
    .object({
      filter: filterSchema,
      sample: z
        .int()
        .min(0)
        .max(limits.previewSampleMax)
        .default(0)
        .describe('How many of the matching people to return.'),
    })
    .meta({ examples: [{ filter: { activeWithinDays: 7 }, sample: 2 }] }),
  responses: {
    200: {
      description: 'The count, and some of the matching people.',
      schema: countSchema
        .extend({ sample: z.array(subscriberSchema) })
        .meta({ examples: [{ count: 31, total: 420, tookMs: 0.8, sample: [] }] }),
    },
  },
  refusals: [404],
  async handle(call) {
    const { filter, sample } = call.body;
    const startedMs = call.edge.clock.monotonic();
    const asked = { filter };
    const found = await call
      .to<SegmentsProtocol>(call.app())
      .ask('segment.preview', { asked, sample });
    const tookMs = Math.round((call.edge.clock.monotonic() - startedMs) * 100) / 100;
    const { count, total } = found;
    return {
      status: 200,
      body: { count, total, tookMs, sample: found.sample.map(shownSubscriberView) },
    };
  },
});
