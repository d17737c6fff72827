// At which hours of the week people are reached, open and click, by their own clocks.

import { z } from 'zod';
import type { InsightsProtocol } from '../../../actors/insight/insights/protocol.ts';
import { present } from '../../present.ts';
import { key, route } from '../../route.ts';
import { appIdQuery, askNamedApp, daysQuery } from './insight-shape.ts';

export const readEngagementHeatmap = route({
  method: 'GET',
  path: '/v1/insights/engagement-heatmap',
  summary: 'Read the engagement heatmap',
  description:
    "How often people were reached, opened and clicked in each hour of the week, by their own clocks, in the last `days` days of the app's calendar, today being one of them. The clock of somebody is that of the time zone they have now, else the app's. All 168 hours are there, Monday's first one first. A delivery that bounced later is none.",
  tag: 'Insights',
  access: key('read'),
  lane: 'standard',
  query: z.object({ appId: appIdQuery, days: daysQuery }),
  responses: {
    200: {
      description: 'Every hour of the week.',
      schema: z
        .object({
          cells: z.array(
            z.object({
              weekday: z.int().min(0).max(6).describe('0 for Monday.'),
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
