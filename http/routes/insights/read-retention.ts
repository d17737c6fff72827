// Of the people who came in each period, how many were active in it and in each later one.

import { z } from 'zod';
import { nameCharsMax } from '../../../actors/events/names.ts';
import {
  type InsightsProtocol,
  periods as periodNames,
} from '../../../actors/insight/insights/protocol.ts';
import { exampleInstant } from '../../example-ids.ts';
import { present } from '../../present.ts';
import { key, route } from '../../route.ts';
import { instant, instantSchema } from '../../schemas.ts';
import { appIdQuery, askNamedApp, wholeNumber } from './insight-shape.ts';

export const readRetention = route({
  method: 'GET',
  path: '/v1/insights/retention',
  summary: 'Read retention by cohort',
  description: `People by the day, week or month in which they were created, and how many of them were active in that period and in each later one up to now. By the calendar of the app's time zone; weeks begin on Monday, and the current period is the last.`,
  tag: 'Insights',
  access: key('read'),
  lane: 'standard',
  query: z.object({
    appId: appIdQuery,
    event: z
      .string()
      .min(1)
      .max(nameCharsMax)
      .optional()
      .describe('What counts as active; anything that a person did where it is left out.'),
    interval: z.enum(periodNames).default('week').describe('What cohorts are made by.'),
    periods: wholeNumber
      .optional()
      .describe(
        'How many, at most as many as the app keeps events for (a month counts 31 days); 14 days, 8 weeks or 6 months, or as many, where it is left out.',
      ),
  }),
  responses: {
    200: {
      description: 'Cohorts, oldest first.',
      schema: z
        .object({
          interval: z.enum(periodNames),
          cohorts: z.array(
            z.object({
              at: instantSchema.describe('When the period of the cohort begins.'),
              people: z.int().describe('Who came in it and is there now.'),
              periods: z
                .array(
                  z.object({
                    at: instantSchema.describe('When the period begins.'),
                    active: z.int().describe('Who of them was active in it.'),
                    share: z
                      .number()
                      .nullable()
                      .describe('`active` of `people`; `null` of nobody.'),
                  }),
                )
                .describe('The period in which they came, and each one since.'),
            }),
          ),
        })
        .meta({
          examples: [
            {
              interval: 'week',
              cohorts: [
                {
                  at: exampleInstant(),
                  people: 40,
                  periods: [
                    { at: exampleInstant(), active: 40, share: 1 },
                    { at: exampleInstant(604_800), active: 10, share: 0.25 },
                  ],
                },
              ],
            },
          ],
        }),
    },
  },
  refusals: [404],
  async handle(call) {
    const { appId, event, interval, periods } = call.query;
    const { starts, cohorts } = await askNamedApp(call, appId, (app) =>
      call
        .to<InsightsProtocol>(app)
        .ask('insight.retention', { ...present({ event, periods }), interval }),
    );
    const instants = starts.map(instant);
    const body = cohorts.map(({ people, active }, cohort) => ({
      at: instants[cohort],
      people,
      periods: active.map((count, later) => ({
        at: instants[cohort + later],
        active: count,
        share: people === 0 ? null : count / people,
      })),
    }));
    return { status: 200, body: { interval, cohorts: body } };
  },
});
