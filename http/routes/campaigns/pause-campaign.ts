// Holds a campaign where it is, mid-flight or before its next occurrence.

import { key, type Route, route } from '../../route.ts';
import { campaignSchema, campaignView } from './campaign-shape.ts';
import { askOfCampaign } from './named-campaign.ts';

export const pauseCampaign = routeAt('/v1/campaigns/:id/pause', 'Pause a campaign');
export const pauseCampaignOfApp = routeAt(
  '/v1/apps/:appId/campaigns/:id/pause',
  'Pause a campaign of an app',
);

function routeAt(path: string, summary: string): Route {
  return route({
    method: 'POST',
    path,
    summary,
    description:
      'Pauses a scheduled or sending campaign; any other state is a 409. Messages already handed to a provider still go out. The request has no body.',
    tag: 'Campaigns',
    access: key('send'),
    lane: 'standard',
    params: { id: 'Campaign id.' },
    responses: { 200: { description: 'The updated campaign.', schema: campaignSchema } },
    refusals: [404, 409],
    async handle(call) {
      return { status: 200, body: campaignView(await askOfCampaign(call, 'campaign.pause', {})) };
    },
  });
}
