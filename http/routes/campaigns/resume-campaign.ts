// Lets a paused campaign go on from the exact place.

import { key, type Route, route } from '../../route.ts';
import { campaignSchema, campaignView } from './campaign-shape.ts';
import { askOfCampaign } from './named-campaign.ts';

export const resumeCampaign = routeAt('/v1/campaigns/:id/resume', 'Resume a campaign');
export const resumeCampaignOfApp = routeAt(
  '/v1/apps/:appId/campaigns/:id/resume',
  'Resume a campaign of an app',
);

function routeAt(path: string, summary: string): Route {
  return route({
    method: 'POST',
    path,
    summary,
    description:
      'Returns the campaign to the state it was paused in. Nobody is skipped, and nobody gets the message twice. The request has no body.',
    tag: 'Campaigns',
    access: key('send'),
    lane: 'standard',
    params: { id: 'Campaign id.' },
    responses: { 200: { description: 'The updated campaign.', schema: campaignSchema } },
    refusals: [404, 409],
    async handle(call) {
      return { status: 200, body: campaignView(await askOfCampaign(call, 'campaign.resume', {})) };
    },
  });
}
