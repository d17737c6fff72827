// How many people completed a series of events.

import { z } from 'zod';
import {
  funnelStepsMax,
  funnelStepsMin,
  type InsightsProtocol,
} from '../../../actors/insight/insights/protocol.ts';
import { integerRange } from '../../../actors/integer-range.ts';
import { limits } from '../../../actors/limits.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { eventNameSchema } from '../../call/schemas/event-name.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
import { appIdInput, appIdOnlyQuery, namedTwice } from '../named-app.ts';
import { filterSchema } from '../segments/segment-shape.ts';
import { askNamedApp, daysWords } from './insight-shape.ts';

const withinHoursMax = limits.eventsRetentionDays * 24;

const funnelBody = z
  .object({
    appId: appIdInput,
    steps: z
      .array(z.object({ event: eventNameSchema }))
      .min(funnelStepsMin)
      .max(funnelStepsMax)
      .describe('Event names in order. A name may appear more than once.'),
    days: z.int().min(1).optional().describe(daysWords),
    withinHours: integerRange(1, withinHoursMax)
      .optional()
      .describe(
        'Maximum time from the first step to the last, in hours. Default: the whole time range.',
      ),
    filter: filterSchema.optional().describe('Only people who match now.'),
  })
  .meta({
    examples: [
      {
        appId: exampleIds.app,
        steps: [{ event: 'product_viewed' }, { event: 'checkout_started' }, { event: 'purchase' }],
        days: 30,
        withinHours: 72,
        filter: { tag: 'plan', eq: 'pro' },
      },
    ],
  });

const ratio = z.number().min(0).max(1).nullable();

export const readFunnel = route({
  method: 'POST',
  path: '/v1/insights/funnel',
  summary: 'Read a funnel',
  description: `How many people did the first step in the last \`days\` × 24 hours, how many then did the second, and so on. Each step must be strictly later than the previous one, and all must be within \`withinHours\` of the first. A person may start more than once; any start can lead to completion. People are counted once per step.`,
  tag: 'Insights',
  access: key('read'),
  reads: ['event'],
  query: appIdOnlyQuery,
  body: funnelBody,
  responses: {
    200: {
      description: 'The steps, in order.',
      schema: z
        .object({
          steps: z.array(
            z.object({
              event: z.string(),
              count: z.int().describe('People who reached this step.'),
              conversionFromPrevious: ratio.describe(
                'Share of the people who reached the previous step; `null` for the first step, or if nobody reached the previous one.',
              ),
              conversionFromFirst: ratio.describe(
                'Share of the people who did the first step; `null` if nobody did.',
              ),
              medianSecondsFromPrevious: z
                .number()
                .nullable()
                .describe(
                  "Median time since the previous step, from each person's first time at this step; `null` for the first step, or if nobody reached it.",
                ),
            }),
          ),
        })
        .meta({
          examples: [
            {
              steps: [
                {
                  event: 'product_viewed',
                  count: 400,
                  conversionFromPrevious: null,
                  conversionFromFirst: 1,
                  medianSecondsFromPrevious: null,
                },
                {
                  event: 'purchase',
                  count: 100,
                  conversionFromPrevious: 0.25,
                  conversionFromFirst: 0.25,
                  medianSecondsFromPrevious: 5_400,
                },
              ],
            },
          ],
        }),
    },
  },
  refusals: [404],
  async handle(call) {
    const { steps, days, withinHours, filter } = call.body;
    const appId = namedTwice(call);
    const question = {
      steps: steps.map(({ event }) => event),
      ...present({ days, withinHours, filter }),
    };
    const found = await askNamedApp(call, appId, (app) =>
      call.to<InsightsProtocol>(app).ask('insight.funnel', question),
    );
    const shareOf = (count: number, whole: number | undefined) =>
      whole === undefined || whole === 0 ? null : count / whole;
    return {
      status: 200,
      body: {
        steps: found.steps.map(({ event, count, medianMs }, step) => ({
          event,
          count,
          conversionFromPrevious: shareOf(count, found.steps[step - 1]?.count),
          conversionFromFirst: shareOf(count, found.steps[0]?.count),
          medianSecondsFromPrevious: medianMs === null ? null : medianMs / 1000,
        })),
      },
    };
  },
});
