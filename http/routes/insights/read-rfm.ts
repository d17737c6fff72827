// People by how recently and how often they did something, and what it came to.

import { z } from 'zod';
import { nameCharsMax } from '../../../actors/events/names.ts';
import { type InsightsProtocol, quintiles } from '../../../actors/insight/insights/protocol.ts';
import { exampleInstant } from '../../example-ids.ts';
import { present } from '../../present.ts';
import { key, route } from '../../route.ts';
import { instant, instantSchema } from '../../schemas.ts';
import { appIdQuery, askNamedApp, daysQuery } from './insight-shape.ts';

const propCharsMax = 128;
const quintile = z.int().min(1).max(quintiles);

export const readRfm = route({
  method: 'GET',
  path: '/v1/insights/rfm',
  summary: 'Read recency and frequency',
  description: `Everybody who did the event in the last \`days\` × 24 hours, in a table of five by five: by quintile of when they last did it, and of how often. An edge is the greatest value of its quintile, at rank ⌈i·n/5⌉ of n people in ascending order; people with the same value are in the same quintile, so with many equal values quintiles differ in size, and some may be empty.`,
  tag: 'Insights',
  access: key('read'),
  lane: 'standard',
  query: z.object({
    appId: appIdQuery,
    days: daysQuery,
    event: z
      .string()
      .min(1)
      .max(nameCharsMax)
      .optional()
      .describe('What counts; anything that a person did where it is left out.'),
    valueProp: z
      .string()
      .min(1)
      .max(propCharsMax)
      .optional()
      .describe(
        'A member of `props` whose numbers are summed up, each to the nearest millionth and none beyond 10¹²; other values count nothing.',
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
            .describe('The greatest value of each quintile but the last; none of nobody.'),
          cells: z.array(
            z.object({
              recency: quintile.describe('5 is the most recent.'),
              frequency: quintile.describe('5 is the most often.'),
              people: z.int(),
              value: z.number().optional().describe('What their `valueProp` came to.'),
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
