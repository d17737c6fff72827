// Reads what became of a campaign over time, for a chart.

import { z } from 'zod';
import {
  campaignEvents,
  type InsightsProtocol,
  seriesBucketsMax,
  seriesIntervals,
} from '../../../actors/insight/insights/protocol.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { exampleInstant } from '../../call/schemas/example-ids.ts';
import { instant, instantInput, instantSchema } from '../../call/schemas/schemas.ts';

const count = z.int().min(0);

const bucketSchema = z.object({
  at: instantSchema.describe('When the bucket starts.'),
  delivered: count.describe('Receipts: one per device.'),
  bounced: count,
  failed: count,
  suppressed: count,
  opened: count.describe('Events of people who were sent the campaign.'),
  clicked: count,
  peopleOpened: count.describe(
    'People whose first open or click within the range is in this bucket; a click counts as an open.',
  ),
  peopleClicked: count,
});

export const readCampaignSeries = route({
  method: 'GET',
  path: '/v1/apps/:appId/campaigns/:id/series',
  summary: "Read a campaign's events over time",
  description: `Counts stored events per bucket, in order and without gaps; hours and days follow the app's time zone. A delivery that bounces later counts as both, so sums may exceed the stats. It goes back as far as the app keeps events. At most ${seriesBucketsMax} buckets. Unsubscriptions are in the stats alone.`,
  tag: 'Campaigns',
  access: key('read'),
  reads: ['outcome'],
  params: { id: 'Campaign id.' },
  query: z.object({
    interval: z.enum(seriesIntervals).default('hour'),
    from: instantInput
      .optional()
      .describe("Default: the campaign's first start, or the oldest events that are kept."),
    to: instantInput
      .optional()
      .describe(`Excluded. Default: now, or ${seriesBucketsMax} buckets after \`from\`.`),
  }),
  responses: {
    200: {
      description: 'The buckets; none before the campaign starts.',
      schema: z.object({ interval: z.enum(seriesIntervals), items: z.array(bucketSchema) }).meta({
        id: 'CampaignSeries',
        examples: [
          {
            interval: 'hour' as const,
            items: [
              {
                at: exampleInstant(),
                delivered: 940,
                bounced: 12,
                failed: 3,
                suppressed: 45,
                opened: 230,
                clicked: 61,
                peopleOpened: 214,
                peopleClicked: 48,
              },
            ],
          },
        ],
      }),
    },
  },
  async handle(call) {
    const { interval, from: fromMs, to: toMs } = call.query;
    const { starts, events, people } = await call
      .to<InsightsProtocol>(call.app())
      .ask('insight.campaign_series', {
        campaignId: call.param('id'),
        interval,
        ...present({ fromMs, toMs }),
      });
    const items = starts.map((startMs, i) => ({
      at: instant(startMs),
      ...Object.fromEntries(campaignEvents.map((name) => [name, events[name][i] ?? 0])),
      peopleOpened: people.opened[i] ?? 0,
      peopleClicked: people.clicked[i] ?? 0,
    }));
    return { status: 200, body: { interval, items } };
  },
});
