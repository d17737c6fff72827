// How often events happened, by bucket.

import { z } from 'zod';
import { eventOrigins, nameCharsMax } from '../../../actors/events/ingest/names.ts';
import {
  type InsightsProtocol,
  intervals,
  trendNamesMax,
} from '../../../actors/insight/insights/protocol.ts';
import { FaultError, fieldFault } from '../../../engine/base/fault.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { exampleInstant } from '../../call/schemas/example-ids.ts';
import { instant, instantSchema } from '../../call/schemas/schemas.ts';
import { appIdQuery, askNamedApp, daysQuery, intervalQuery } from './insight-shape.ts';

/** Separated by commas. A name that contains a comma cannot be asked for. */
const namesQuery = z
  .string()
  .transform((text) => [...new Set(text.normalize().split(','))])
  .pipe(
    z
      .array(z.string().min(1, 'expected event names separated by commas').max(nameCharsMax))
      .max(trendNamesMax, `expected at most ${trendNamesMax} names`),
  )
  .optional()
  .describe(
    `Event names, separated by commas, at most ${trendNamesMax}. Default: the ${trendNamesMax} most frequent ones.`,
  );

export const readEventTrends = route({
  method: 'GET',
  path: '/v1/insights/event-trends',
  summary: 'Read event trends',
  description: `How often events happened over the last \`days\` calendar days in the app's time zone, including today, by event time. Every bucket is listed, with 0 where nothing happened. The first and the last bucket may cover only part of their period.`,
  tag: 'Insights',
  access: key('read'),
  reads: ['event', 'app'],
  query: z.object({
    appId: appIdQuery,
    events: namesQuery,
    origin: z
      .enum(eventOrigins)
      .optional()
      .describe(
        "Without `events`: only the most frequent ones that the app itself sent (`app`), or only those about Engage's messages and journeys (`engage`).",
      ),
    days: daysQuery,
    interval: intervalQuery,
  }),
  responses: {
    200: {
      description: 'Buckets, oldest first.',
      schema: z
        .object({
          interval: z.enum(intervals),
          buckets: z.array(
            z.object({
              at: instantSchema.describe('Start of the bucket.'),
              counts: z.record(z.string(), z.int()).describe('Count by event name.'),
            }),
          ),
        })
        .meta({
          examples: [
            {
              interval: 'day',
              buckets: [{ at: exampleInstant(), counts: { purchase: 42, session: 310 } }],
            },
          ],
        }),
    },
  },
  refusals: [404],
  async handle(call) {
    const { appId, events: asked, origin, days, interval } = call.query;
    if (asked !== undefined && origin !== undefined)
      throw new FaultError(fieldFault('origin', 'give events or origin, not both'));
    const { starts, events } = await askNamedApp(call, appId, (app) =>
      call
        .to<InsightsProtocol>(app)
        .ask('insight.trends', { ...present({ events: asked, origin, days }), interval }),
    );
    const buckets = starts.map((startMs, bucket) => ({
      at: instant(startMs),
      counts: Object.fromEntries(events.map(({ name, counts }) => [name, counts[bucket] ?? 0])),
    }));
    return { status: 200, body: { interval, buckets } };
  },
});
