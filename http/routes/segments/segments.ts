// The segments of an app: saved filters.

import type { SegmentsProtocol } from '../../../actors/audiences/segments/protocol.ts';
import { limits } from '../../../actors/limits.ts';
import { pagesBy } from '../../call/answer/page.ts';
import { present } from '../../call/answer/present.ts';
import { Resource } from '../resource.ts';
import { segmentBody, segmentPatch, segmentSchema, segmentView } from './segment-shape.ts';

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
