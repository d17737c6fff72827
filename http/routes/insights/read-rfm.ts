// RFM: people by recency, frequency and monetary value of an event.

import { z } from 'zod';
import { type InsightsProtocol, quintiles } from '../../../actors/insight/insights/protocol.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { eventNameSchema } from '../../call/schemas/event-name.ts';
import { exampleInstant } from '../../call/schemas/example-ids.ts';
import { instant, instantSchema } from '../../call/schemas/schemas.ts';
import { appIdQuery, askNamedApp, daysQuery } from './insight-shape.ts';

const propCharsMax = 128;
const quintile = z.int().min(1).max(quintiles);

export const readRfm = route({
  method: 'GET',
  path: '/v1/insights/rfm',
  summary: 'Read RFM scores',
  description: `Everyone who did the event in the last \`days\` × 24 hours, in a five-by-five table: by quintile of how recently and how often they did it. The edge of quintile i is the value at rank ⌈i·n/5⌉ of n people in ascending order. People with equal values are in the same quintile, so with many equal values quintiles differ in size, and some may be empty.`,
  tag: 'Insights',
  access: key('read'),
  reads: ['event'],
  query: z.object({
    appId: appIdQuery,
    days: daysQuery,
    event: eventNameSchema.optional().describe('The event that counts. Default: any activity.'),
    valueProp: z
      .string()
      .min(1)
      .max(propCharsMax)
      .optional()
      .describe(
        'A numeric field of `props` to sum up. Each value is rounded to the nearest millionth; values beyond ±10¹² and values that are not numbers are ignored.',
      ),
  }),
  responses: {
    200: {
      description: 'The table, row by row.',
      schema: z
        .object({
          people: z.int(),
          edges: z
            .object({
              recency: z.array(instantSchema),
              frequency: z.array(z.int()),
            })
            .describe(
              'The highest value of each quintile except the last; empty if there are no people.',
            ),
          cells: z.array(
            z.object({
              recency: quintile.describe('5 is the most recent.'),
              frequency: quintile.describe('5 is the most frequent.'),
              people: z.int(),
              value: z.number().optional().describe('The sum of `valueProp`.'),
            }),
          ),
        })
        .meta({
          examples: [
            {
              people: 420,
              edges: {
                recency: [0, 1, 2, 3].map((day) => exampleInstant(day * 86_400)),
                frequency: [1, 2, 4, 9],
              },
              cells: [{ recency: 5, frequency: 5, people: 31, value: 4_210.5 }],
            },
          ],
        }),
    },
  },
  refusals: [404],
  async handle(call) {
    const { appId, ...asked } = call.query;
    const { people, recencyEdges, frequencyEdges, cells } = await askNamedApp(call, appId, (app) =>
      call.to<InsightsProtocol>(app).ask('insight.rfm', present(asked)),
    );
    const edges = { recency: recencyEdges.map(instant), frequency: frequencyEdges };
    return { status: 200, body: { people, edges, cells } };
  },
});
