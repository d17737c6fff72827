// The wire shape of a segment. The schema accepts any object as a filter and only describes the
// kinds. The actor checks filters and names a problem's place
// (`actors/audiences/segments/parse-filter.ts`), because it knows how long the app keeps events.

import { z } from 'zod';
import type { SegmentRecord } from '../../../actors/audiences/segments/protocol.ts';
import { segmentEtag } from '../../../actors/audiences/segments/segment-etag.ts';
import { limits } from '../../../actors/limits.ts';
import { exampleEtag, exampleIds, exampleInstant } from '../../call/schemas/example-ids.ts';
import { etagSchema, instant, instantSchema, nameSchema } from '../../call/schemas/schemas.ts';
import { filterKinds } from './filter-description.ts';

const exampleFilter = {
  all: [
    { tag: 'plan', eq: 'pro' },
    { any: [{ event: 'order', withinDays: 30 }, { activeWithinDays: 7 }] },
    { channel: 'email' },
  ],
};

export const filterSchema = z
  .record(z.string(), z.unknown())
  .describe(
    `A group, \`{all: […]}\` or \`{any: […]}\`, nested to ${limits.filterLevelsMax} levels, or one condition: \`{tag, eq | ne | exists | in}\`, \`{event, withinDays, atLeast?}\`, \`{event, notWithinDays}\`, \`{activeWithinDays}\`, \`{inactiveForDays}\`, \`{channel, exists?}\`. Windows are whole days, 1 to ${limits.windowDaysMax}, exact to the millisecond. Any other field inside a filter is a 400 that names it: an ignored one would widen the audience. Values are compared without type conversion, in NFC.`,
  )
  .meta({ id: 'Filter', anyOf: filterKinds, examples: [exampleFilter] });

export const segmentBody = z
  .object({ name: nameSchema, filter: filterSchema })
  .meta({ examples: [{ name: 'Active customers', filter: exampleFilter }] });

export const segmentPatch = z
  .object({ name: nameSchema.optional(), filter: filterSchema.optional() })
  .meta({ examples: [{ name: 'Active customers of the month' }] });

export const segmentSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    filter: filterSchema,
    etag: etagSchema,
    createdAt: instantSchema,
    updatedAt: instantSchema,
  })
  .meta({
    id: 'Segment',
    examples: [
      {
        id: exampleIds.segment,
        name: 'Active customers',
        filter: exampleFilter,
        etag: exampleEtag,
        createdAt: exampleInstant(),
        updatedAt: exampleInstant(),
      },
    ],
  });

/** How many match, of how many people, and the count's duration. */
export const countSchema = z.object({
  count: z.int(),
  total: z.int().describe('People in the app.'),
  tookMs: z.number().describe('Milliseconds the evaluation took on the server.'),
});

export function segmentView(segment: SegmentRecord) {
  const { id, name, filter, createdMs, updatedMs } = segment;
  return {
    id,
    name,
    filter: filter as unknown as Record<string, unknown>,
    etag: segmentEtag(segment),
    createdAt: instant(createdMs),
    updatedAt: instant(updatedMs),
  };
}
