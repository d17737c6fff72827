// How each channel does: what became of the sends to devices.

import { z } from 'zod';
import type { InsightsProtocol } from '../../../actors/insight/insights/protocol.ts';
import { present } from '../../present.ts';
import { key, route } from '../../route.ts';
import { appIdQuery, askNamedApp, daysQuery } from './insight-shape.ts';

export const readChannelHealth = route({
  method: 'GET',
  path: '/v1/insights/channel-health',
  summary: 'Read channel health',
  description:
    "What became of sends to devices, by channel, in the last `days` days of the app's calendar, today being one of them. Every lane counts. A send to a device counts once, by its newest receipt: one that was delivered and bounced later is bounced, and one that failed and was delivered by a redrive is delivered. Only channels that have any are told; what was suppressed for want of a device is of no channel.",
  tag: 'Insights',
  access: key('read'),
  lane: 'standard',
  query: z.object({ appId: appIdQuery, days: daysQuery }),
  responses: {
    200: {
      description: 'By channel.',
      schema: z
        .object({
          channels: z.record(
            z.string(),
            z.object({
              delivered: z.int().describe('The provider took it, and has not taken that back.'),
              bounced: z.int().describe('The provider refused it for good, at once or later.'),
              suppressed: z.int().describe('It was not sent, so as not to.'),
              failed: z.int().describe('Every retry was exhausted.'),
              bounceRate: z
                .number()
                .describe(
                  'Bounced among delivered and bounced, from 0 to 1; 0 where there are none.',
                ),
            }),
          ),
        })
        .meta({
          examples: [
            {
              channels: {
                sms: { delivered: 970, bounced: 30, suppressed: 12, failed: 1, bounceRate: 0.03 },
              },
            },
          ],
        }),
    },
  },
  refusals: [404],
  async handle(call) {
    const { appId, days } = call.query;
    const { channels } = await askNamedApp(call, appId, (app) =>
      call.to<InsightsProtocol>(app).ask('insight.channel_health', present({ days })),
    );
    const shown = channels.map(({ channel, ...counts }) => {
      const { delivered, bounced } = counts;
      return [channel, { ...counts, bounceRate: bounced / (delivered + bounced || 1) }] as const;
    });
    return { status: 200, body: { channels: Object.fromEntries(shown) } };
  },
});
