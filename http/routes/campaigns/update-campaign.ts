// Changes a campaign that is a draft.

import type { CampaignsProtocol } from '../../../actors/programs/campaigns/protocol.ts';
import { key, route } from '../../route.ts';
import { campaignChange, campaignPatch, campaignSchema, campaignView } from './campaign-shape.ts';

export const updateCampaign = route({
  method: 'PATCH',
  path: '/v1/apps/:appId/campaigns/:id',
  summary: 'Change a campaign',
  description:
    'A draft only, as anything else is on its way: 409. Members that are given replace, each wholesale; `null` removes one. What results is judged like a new campaign.',
  tag: 'Campaigns',
  access: key('write'),
  lane: 'standard',
  params: { id: 'Id of the campaign.' },
  body: campaignPatch,
  responses: { 200: { description: 'The campaign as it is now.', schema: campaignSchema } },
  refusals: [404, 409],
  async handle(call) {
    const body = { id: call.param('id'), change: campaignChange(call.body) };
    const campaign = await call.to<CampaignsProtocol>(call.app()).ask('campaign.update', body);
    return { status: 200, body: campaignView(campaign) };
  },
});
