// Sends that failed after every retry, and whether a redrive delivered them.

import { z } from 'zod';
import type { InsightsProtocol } from '../../../actors/insight/insights/protocol.ts';
import { limits } from '../../../actors/limits.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { exampleInstant } from '../../call/schemas/example-ids.ts';
import { instant, instantSchema } from '../../call/schemas/schemas.ts';
import { appIdQuery, askNamedApp, daysQuery, wholeNumber } from './insight-shape.ts';

const lanes = ['transactional', 'campaign', 'journey'] as const;

export const readDeliveryFailures = route({
  method: 'GET',
  path: '/v1/insights/delivery-failures',
  summary: 'Read delivery failures',
  description:
    "Sends to devices that failed after every retry, by reason, lane and channel, over the last `days` calendar days in the app's time zone, including today. Sorted by open failures, most first. Open failures (`count` minus `recovered`) are the dead letters that a redrive would send again; the same sends count as failed in campaign stats.",
  tag: 'Insights',
  access: key('read'),
  reads: ['outcome', 'dead-letter'],
  query: z.object({
    appId: appIdQuery,
    days: daysQuery,
    limit: wholeNumber
      .max(limits.pageMax)
      .default(limits.pageDefault)
      .describe(`Number of items, 1 to ${limits.pageMax}.`),
  }),
  responses: {
    200: {
      description: 'Most open failures first.',
      schema: z
        .object({
          items: z.array(
            z.object({
              reason: z.string(),
              lane: z.enum(lanes),
              channel: z.string(),
              count: z.int().describe('Sends to devices that failed.'),
              recovered: z.int().describe('Failures that a redrive has delivered since.'),
              lastAt: instantSchema.describe('When the last one failed.'),
            }),
          ),
        })
        .meta({
          examples: [
            {
              items: [
                {
                  reason: 'http_503',
                  lane: 'transactional',
                  channel: 'sms',
                  count: 12,
                  recovered: 9,
                  lastAt: exampleInstant(),
                },
              ],
            },
          ],
        }),
    },
  },
  refusals: [404],
  async handle(call) {
    const { appId, days, limit } = call.query;
    const { items } = await askNamedApp(call, appId, (app) =>
      call.to<InsightsProtocol>(app).ask('insight.failures', { ...present({ days }), limit }),
    );
    const shown = items.map(({ lastAtMs, ...item }) => ({ ...item, lastAt: instant(lastAtMs) }));
    return { status: 200, body: { items: shown } };
  },
});
