// What a saved filter is on the wire. The schema of a filter takes any object and only describes
// the kinds: its rules, and the place of what is wrong with it, are the actor's
// (`actors/audiences/segments/parse-filter.ts`), which knows how long the app keeps events.

import { z } from 'zod';
import type { SegmentRecord } from '../../../actors/audiences/segments/protocol.ts';
import { limits } from '../../../actors/limits.ts';
import { exampleIds, exampleInstant } from '../../example-ids.ts';
import { instant, instantSchema, nameSchema } from '../../schemas.ts';
import { filterKinds } from './filter-description.ts';

const exampleFilter = {
  all: [
    { tag: 'plan', eq: 'pro' },
    { any: [{ event: 'order', withinDays: 30 }, { activeWithinDays: 7 }] },
    { channel: 'email' },
  ],
};

/** A filter, as it is sent and read back. */
export const filterSchema = z
  .record(z.string(), z.unknown())
  .describe(
    `A group, \`{all: […]}\` or \`{any: […]}\`, nested to ${limits.filterLevelsMax} levels, or one condition: \`{tag, eq | ne | exists | in}\`, \`{event, withinDays, atLeast?}\`, \`{event, notWithinDays}\`, \`{activeWithinDays}\`, \`{inactiveForDays}\`, \`{channel, exists?}\`. Windows are whole days, 1 to ${limits.windowDaysMax}, exact to the millisecond. Values are compared without type conversion.`,
  )
  .meta({ id: 'Filter', anyOf: filterKinds, examples: [exampleFilter] });

/** The body that makes a segment. */
export const segmentBody = z
  .object({ name: nameSchema, filter: filterSchema })
  .meta({ examples: [{ name: 'Active customers', filter: exampleFilter }] });

/** The body that changes one. */
export const segmentPatch = z
  .object({ name: nameSchema.optional(), filter: filterSchema.optional() })
  .meta({ examples: [{ name: 'Active customers of the month' }] });

/** A segment as every answer shows it. */
export const segmentSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    filter: filterSchema,
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
        createdAt: exampleInstant(),
        updatedAt: exampleInstant(),
      },
    ],
  });

/** How many match, of how many people, and how long it took to say so. */
export const countSchema = z.object({
  count: z.int(),
  total: z.int().describe('People in the app.'),
  tookMs: z.number().describe('Milliseconds the evaluation took on the server.'),
});

/** A segment as it goes out. */
export function segmentView({ id, name, filter, createdMs, updatedMs }: SegmentRecord) {
  return {
    id,
    name,
    filter: filter as unknown as Record<string, unknown>,
    createdAt: instant(createdMs),
    updatedAt: instant(updatedMs),
  };
}
