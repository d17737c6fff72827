// Reads how often each link of a campaign was clicked.

import { z } from 'zod';
import type { CampaignsProtocol } from '../../../actors/programs/campaigns/protocol.ts';
import { key, route } from '../../call/route.ts';

const count = z.int().min(0);
const counts = {
  clicks: count.describe('`clicked` events with this URL.'),
  people: count.describe('People who clicked it, each counted once.'),
};

const campaignLinksSchema = z
  .object({
    items: z
      .array(z.object({ url: z.string(), ...counts }))
      .describe('Most clicks first, at most 100.'),
    others: z
      .object(counts)
      .describe('Links beyond 100, counted together; `people` counts each person once.'),
  })
  .meta({
    id: 'CampaignLinks',
    examples: [
      {
        items: [
          { url: 'https://shop.example/sale', clicks: 61, people: 48 },
          { url: 'https://shop.example/terms', clicks: 4, people: 4 },
        ],
        others: { clicks: 0, people: 0 },
      },
    ],
  });

export const readCampaignLinks = route({
  method: 'GET',
  path: '/v1/apps/:appId/campaigns/:id/links',
  summary: "Read a campaign's link clicks",
  description:
    'Live and exact. Counts `clicked` events of people who were sent the campaign, by the URL in `props.url`: the links of emails, and those that your app reports. Clicks count as long as the stats count them. A URL that differs per person counts as a separate link.',
  tag: 'Campaigns',
  access: key('read'),
  reads: ['outcome'],
  params: { id: 'Campaign id.' },
  responses: { 200: { description: 'The links.', schema: campaignLinksSchema } },
  async handle(call) {
    const { items, others } = await call
      .to<CampaignsProtocol>(call.app())
      .ask('campaign.links', { id: call.param('id') });
    return { status: 200, body: { items: [...items], others } };
  },
});
