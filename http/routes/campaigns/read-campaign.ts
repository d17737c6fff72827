// Reads one campaign, by its app and id or by its id alone.

import { key, type Route, route } from '../../call/route.ts';
import { campaignSchema, campaignView } from './campaign-shape.ts';
import { askOfCampaign } from './named-campaign.ts';

export const readCampaignOfApp = routeAt('/v1/apps/:appId/campaigns/:id', 'Read a campaign');
export const readCampaign = routeAt('/v1/campaigns/:id', 'Read a campaign by id');

function routeAt(path: string, summary: string): Route {
  return route({
    method: 'GET',
    path,
    summary,
    tag: 'Campaigns',
    access: key('read'),
    reads: ['campaign'],
    lane: 'standard',
    params: { id: 'Campaign id.' },
    responses: { 200: { description: 'The campaign.', schema: campaignSchema } },
    refusals: [404],
    async handle(call) {
      return { status: 200, body: campaignView(await askOfCampaign(call, 'campaign.read', {})) };
    },
  });
}
