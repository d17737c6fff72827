// Channel health: the outcomes of sends to devices, by channel.

import { z } from 'zod';
import type { InsightsProtocol } from '../../../actors/insight/insights/protocol.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { appIdQuery, askNamedApp, daysQuery } from './insight-shape.ts';

export const readChannelHealth = route({
  method: 'GET',
  path: '/v1/insights/channel-health',
  summary: 'Read channel health',
  description:
    "Results of sends to devices by channel, over the last `days` calendar days in the app's time zone, including today. All lanes count, test sends don't. Each send to a device counts once, by its latest receipt: a send that was delivered and then bounced is bounced; one that failed and was delivered by a redrive is delivered. Only channels with sends are listed. Sends suppressed because the person had no device belong to no channel.",
  tag: 'Insights',
  access: key('read'),
  reads: ['outcome'],
  query: z.object({ appId: appIdQuery, days: daysQuery }),
  responses: {
    200: {
      description: 'By channel.',
      schema: z
        .object({
          channels: z.record(
            z.string(),
            z.object({
              delivered: z
                .int()
                .describe('The provider accepted it, and it has not bounced since.'),
              bounced: z
                .int()
                .describe('The provider rejected it permanently, immediately or later.'),
              suppressed: z.int().describe('It was not sent, on purpose.'),
              failed: z.int().describe('It failed after every retry.'),
              bounceRate: z
                .number()
                .describe(
                  '`bounced` divided by `delivered` plus `bounced`, from 0 to 1; 0 if there are none.',
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
