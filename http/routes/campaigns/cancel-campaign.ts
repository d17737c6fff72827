// Ends a campaign for good.

import { key, type Route, route } from '../../route.ts';
import { campaignSchema, campaignView } from './campaign-shape.ts';
import { askOfCampaign } from './named-campaign.ts';

export const cancelCampaign = routeAt('/v1/campaigns/:id/cancel', 'Cancel a campaign');
export const cancelCampaignOfApp = routeAt(
  '/v1/apps/:appId/campaigns/:id/cancel',
  'Cancel a campaign of an app',
);

function routeAt(path: string, summary: string): Route {
  return route({
    method: 'POST',
    path,
    summary,
    description:
      'Nothing more leaves. One that is canceled already stays so, with 200; one that is completed or failed is a 409. Takes no body.',
    tag: 'Campaigns',
    access: key('send'),
    lane: 'standard',
    params: { id: 'Id of the campaign.' },
    responses: { 200: { description: 'The campaign as it is now.', schema: campaignSchema } },
    refusals: [404, 409],
    async handle(call) {
      return { status: 200, body: campaignView(await askOfCampaign(call, 'campaign.cancel', {})) };
    },
  });
}
