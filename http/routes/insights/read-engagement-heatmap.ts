// The hours of the week at which people are reached, open and click, by their local time.

import { z } from 'zod';
import type { InsightsProtocol } from '../../../actors/insight/insights/protocol.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { appIdQuery, askNamedApp, daysQuery } from './insight-shape.ts';

export const readEngagementHeatmap = route({
  method: 'GET',
  path: '/v1/insights/engagement-heatmap',
  summary: 'Read the engagement heatmap',
  description:
    "Deliveries, opens and clicks in each hour of the week, in people's local time, over the last `days` calendar days in the app's time zone, including today. Local time is the person's current time zone, or else the app's. All 168 hours are listed, starting with Monday's first. Deliveries that bounced later and test sends are not counted.",
  tag: 'Insights',
  access: key('read'),
  reads: ['event', 'app'],
  query: z.object({ appId: appIdQuery, days: daysQuery }),
  responses: {
    200: {
      description: 'Every hour of the week.',
      schema: z
        .object({
          cells: z.array(
            z.object({
              weekday: z.int().min(0).max(6).describe('0 is Monday.'),
              hour: z.int().min(0).max(23),
              delivered: z.int().describe('Sends to devices.'),
              opened: z.int(),
              clicked: z.int(),
            }),
          ),
        })
        .meta({
          examples: [{ cells: [{ weekday: 0, hour: 9, delivered: 310, opened: 42, clicked: 7 }] }],
        }),
    },
  },
  refusals: [404],
  async handle(call) {
    const { appId, days } = call.query;
    const { cells } = await askNamedApp(call, appId, (app) =>
      call.to<InsightsProtocol>(app).ask('insight.heatmap', present({ days })),
    );
    return { status: 200, body: { cells } };
  },
});
