// Retention: of each period's new people, how many were active in it and in each later one.

import { z } from 'zod';
import {
  type InsightsProtocol,
  periods as periodNames,
} from '../../../actors/insight/insights/protocol.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { eventNameSchema } from '../../call/schemas/event-name.ts';
import { exampleInstant } from '../../call/schemas/example-ids.ts';
import { instant, instantSchema } from '../../call/schemas/schemas.ts';
import { appIdQuery, askNamedApp, wholeNumber } from './insight-shape.ts';

export const readRetention = route({
  method: 'GET',
  path: '/v1/insights/retention',
  summary: 'Read retention by cohort',
  description: `Groups people into cohorts by the day, week or month they were created in, and counts how many were active in that period and in each later one, up to the current one. Periods follow the calendar of the app's time zone; weeks start on Monday.`,
  tag: 'Insights',
  access: key('read'),
  reads: ['event', 'app'],
  query: z.object({
    appId: appIdQuery,
    event: eventNameSchema
      .optional()
      .describe('The event that counts as active. Default: any activity.'),
    interval: z.enum(periodNames).default('week').describe("The length of a cohort's period."),
    periods: wholeNumber
      .optional()
      .describe(
        "Number of periods, at most the app's events retention (a month counts as 31 days). Default: 14 days, 8 weeks or 6 months, or the retention if it is shorter.",
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
              at: instantSchema.describe("Start of the cohort's period."),
              people: z.int().describe('People created in the period who still exist.'),
              periods: z
                .array(
                  z.object({
                    at: instantSchema.describe('Start of the period.'),
                    active: z.int().describe('People of the cohort who were active in it.'),
                    share: z
                      .number()
                      .nullable()
                      .describe('`active` divided by `people`; `null` if there are no people.'),
                  }),
                )
                .describe("The cohort's own period, then each later one."),
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
