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
      'Stops all further sends. Canceling a canceled campaign again returns 200; a completed or failed campaign is a 409. The request has no body.',
    tag: 'Campaigns',
    access: key('send'),
    lane: 'standard',
    params: { id: 'Campaign id.' },
    responses: { 200: { description: 'The updated campaign.', schema: campaignSchema } },
    refusals: [404, 409],
    async handle(call) {
      return { status: 200, body: campaignView(await askOfCampaign(call, 'campaign.cancel', {})) };
    },
  });
}
