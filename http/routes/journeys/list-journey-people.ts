// Lists the people in a journey now, page by page, or all of them as one file.

import { z } from 'zod';
import {
  type JourneyPerson,
  type JourneysProtocol,
  runStates,
} from '../../../actors/programs/journeys/protocol.ts';
import { csvOfList, fileHint } from '../../call/answer/csv-list.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { exampleIds, exampleInstant } from '../../call/schemas/example-ids.ts';
import {
  exampleOf,
  instant,
  instantSchema,
  pageQuery,
  pageSchema,
} from '../../call/schemas/schemas.ts';

const personSchema = z
  .object({
    subscriberId: z.string(),
    externalUserId: z.string().nullable(),
    state: z
      .enum(runStates)
      .describe('`leaving`: the journey was paused since they entered; they exit at `until`.'),
    step: z.string().nullable().describe('The step they wait at; `null` for those who leave.'),
    enrolledAt: instantSchema,
    until: instantSchema.describe('When their wait ends.'),
  })
  .meta({
    id: 'JourneyPerson',
    examples: [
      {
        subscriberId: exampleIds.subscriber,
        externalUserId: 'customer-42',
        state: 'waiting',
        step: 'a day',
        enrolledAt: exampleInstant(),
        until: exampleInstant(86_400),
      },
    ],
  });

const columns = ['subscriberId', 'externalUserId', 'state', 'step', 'enrolledAt', 'until'] as const;

export const listJourneyPeople = route({
  method: 'GET',
  path: '/v1/apps/:appId/journeys/:id/people',
  summary: 'List the people in a journey',
  description: `Everyone in the journey now, in no particular order. People who have finished are in \`GET /v1/apps/:appId/events?journeyId=\` as \`journey_completed\` and \`journey_converted\`. A page may have fewer than \`limit\` while there are more: follow \`nextCursor\`. ${fileHint}`,
  tag: 'Journeys',
  access: key('read'),
  reads: ['enrollment'],
  params: { id: 'Journey id.' },
  query: z.object({
    step: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe('Only people who wait at this step; one that the journey does not have is a 400.'),
    state: z.enum(runStates).optional(),
    format: z.enum(['json', 'csv']).default('json'),
    ...pageQuery,
  }),
  responses: {
    200: {
      description: 'A page of people, or the CSV file.',
      schema: pageSchema(personSchema).meta({
        examples: [{ items: [exampleOf(personSchema)], nextCursor: null }],
      }),
      contentType: 'text/csv',
    },
  },
  async handle(call) {
    const { step, state, format, limit, cursor } = call.query;
    const id = call.param('id');
    const actor = call.to<JourneysProtocol>(call.app());
    const wanted = { id, ...present({ step, state }) };
    const read = (limit: number, cursor?: string) =>
      actor.ask('journey.people', { ...wanted, limit, ...present({ cursor }) });
    if (format === 'csv') return csvOfList(`${id}-people`, columns, read, personView);
    const { items, nextCursor } = await read(limit, cursor);
    return { status: 200, body: { items: items.map(personView), nextCursor } };
  },
});

function personView(one: JourneyPerson): z.output<typeof personSchema> {
  return {
    subscriberId: one.subscriberId,
    externalUserId: one.externalUserId ?? null,
    state: one.state,
    step: one.step ?? null,
    enrolledAt: instant(one.enrolledMs),
    until: instant(one.untilMs),
  };
}
