// The segments of an app.

import { z } from 'zod';
import type { SegmentsProtocol } from '../../../actors/audiences/segments/protocol.ts';
import { limits } from '../../../actors/limits.ts';
import { pagesBy } from '../../call/answer/page.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
import { Resource } from '../resource.ts';
import {
  countSchema,
  segmentBody,
  segmentPatch,
  segmentSchema,
  segmentView,
} from './segment-shape.ts';

const segments = new Resource({
  path: '/v1/apps/:appId/segments',
  params: { id: 'Segment id.' },
  tag: 'Segments',
  noun: 'segment',
  a: 'a segment',
  prefix: 'seg',
  schema: segmentSchema,
  view: segmentView,
  actor: (call) => call.to<SegmentsProtocol>(call.app()),
  named: (call) => ({ id: call.param('id') }),
});

export const createSegment = segments.create({
  description: `A segment is evaluated live wherever it is used. Nothing is precomputed or sampled. At most ${limits.segmentsMax.toLocaleString('en')} in an app.`,
  body: segmentBody,
  asks: 'segment.create',
  says: ({ body: { name, filter } }) => ({ name, filter }),
});

export const listSegments = segments.list({ all: 'segment.list', page: pagesBy('seg') });

export const readSegment = segments.read({ asks: 'segment.read' });

/** Renames it or replaces its filter. */
export const updateSegment = segments.update({
  body: segmentPatch,
  asks: 'segment.update',
  says: ({ body: { name, filter } }) => present({ name, filter }),
});

export const deleteSegment = segments.remove({
  description:
    'If the segment is in use, or an unfinished campaign targets it, the response is a 409 that names what uses it.',
  refusals: [409],
  asks: 'segment.delete',
});

export const duplicateSegment = segments.duplicate({
  description: 'Creates a segment with the same filter. The body is optional.',
  asks: 'segment.duplicate',
});

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

const usesSchema = z
  .object({
    items: z
      .array(
        z.object({
          kind: z.enum(['campaign', 'journey']),
          id: z.string(),
          name: z.string(),
          state: z.string().describe("The campaign's state; `active` or `inactive` for a journey."),
        }),
      )
      .describe(`At most ${limits.usesListed}.`),
    total: z.int().min(0).describe('How many there are in all.'),
  })
  .meta({
    id: 'SegmentUses',
    examples: [
      {
        items: [{ kind: 'journey', id: exampleIds.journey, name: 'Win back', state: 'active' }],
        total: 1,
      },
    ],
  });

export const listSegmentUses = route({
  method: 'GET',
  path: '/v1/apps/:appId/segments/:id/uses',
  summary: 'List the uses of a segment',
  description:
    'Campaigns that have not ended and are sent to this segment, and journeys that it triggers. As long as there are any, the segment cannot be deleted. Flags and in-app messages have their own filters.',
  tag: 'Segments',
  access: key('read'),
  reads: ['segment', 'campaign', 'journey'],
  params: { id: 'Segment id.' },
  responses: { 200: { description: 'The uses.', schema: usesSchema } },
  async handle(call) {
    const uses = await call
      .to<SegmentsProtocol>(call.app())
      .ask('segment.uses', { id: call.param('id') });
    return { status: 200, body: uses };
  },
});
