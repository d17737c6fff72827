// Who came, bucket by bucket, and how many there were.

import { z } from 'zod';
import {
  growthDaysMax,
  growthHourDaysMax,
  type InsightsProtocol,
} from '../../../actors/insight/insights/protocol.ts';
import { exampleInstant } from '../../example-ids.ts';
import { present } from '../../present.ts';
import { key, route } from '../../route.ts';
import { instant, instantSchema } from '../../schemas.ts';
import { appIdQuery, askNamedApp, intervalQuery, wholeNumber } from './insight-shape.ts';

export const readSubscriberGrowth = route({
  method: 'GET',
  path: '/v1/insights/subscriber-growth',
  summary: 'Read subscriber growth',
  description:
    "Of the subscribers who are there now, when they were created: how many in each bucket, and how many there were at its end. In the last `days` days of the app's calendar, today being one of them. Somebody who is erased is in no bucket any more.",
  tag: 'Insights',
  access: key('read'),
  lane: 'standard',
  query: z.object({
    appId: appIdQuery,
    days: wholeNumber
      .optional()
      .describe(
        `Days to look back, 30 where it is left out; at most ${growthDaysMax}, and ${growthHourDaysMax} by the hour. People are kept for longer than events.`,
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
              at: instantSchema.describe('When the bucket begins.'),
              new: z.int().describe('Who came in it.'),
              total: z.int().describe('Who was there at its end.'),
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
