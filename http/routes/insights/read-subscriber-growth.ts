// New people and totals, by bucket.

import { z } from 'zod';
import {
  growthDaysMax,
  growthHourDaysMax,
  type InsightsProtocol,
} from '../../../actors/insight/insights/protocol.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { exampleInstant } from '../../call/schemas/example-ids.ts';
import { instant, instantSchema } from '../../call/schemas/schemas.ts';
import { appIdQuery, askNamedApp, intervalQuery, wholeNumber } from './insight-shape.ts';

export const readSubscriberGrowth = route({
  method: 'GET',
  path: '/v1/insights/subscriber-growth',
  summary: 'Read subscriber growth',
  description:
    "When the current subscribers were created: how many in each bucket, and the running total at the end of the bucket, over the last `days` calendar days in the app's time zone, including today. Erased subscribers are not counted.",
  tag: 'Insights',
  access: key('read'),
  reads: ['subscriber', 'app'],
  query: z.object({
    appId: appIdQuery,
    days: wholeNumber
      .optional()
      .describe(
        `Days to look back. Default 30; at most ${growthDaysMax}, or ${growthHourDaysMax} with hourly buckets. Subscribers are kept longer than events.`,
      ),
    interval: intervalQuery,
  }),
  responses: {
    200: {
      description: 'Buckets, oldest first.',
      schema: z
        .object({
          buckets: z.array(
            z.object({
              at: instantSchema.describe('Start of the bucket.'),
              new: z.int().describe('Subscribers created in the bucket.'),
              total: z.int().describe('Total subscribers at the end of the bucket.'),
            }),
          ),
        })
        .meta({ examples: [{ buckets: [{ at: exampleInstant(), new: 12, total: 420 }] }] }),
    },
  },
  refusals: [404],
  async handle(call) {
    const { appId, days, interval } = call.query;
    const found = await askNamedApp(call, appId, (app) =>
      call.to<InsightsProtocol>(app).ask('insight.growth', { ...present({ days }), interval }),
    );
    const buckets = found.starts.map((startMs, bucket) => ({
      at: instant(startMs),
      new: found.new[bucket] ?? 0,
      total: found.total[bucket] ?? 0,
    }));
    return { status: 200, body: { buckets } };
  },
});
