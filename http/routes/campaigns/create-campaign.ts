// Makes a campaign, as a draft.

import type { CampaignsProtocol } from '../../../actors/programs/campaigns/protocol.ts';
import { key, route } from '../../route.ts';
import { campaignBody, campaignInput, campaignSchema, campaignView } from './campaign-shape.ts';

export const createCampaign = route({
  method: 'POST',
  path: '/v1/apps/:id/campaigns',
  summary: 'Create a campaign',
  description:
    'A draft: nothing leaves before `POST /v1/campaigns/{id}/send`. What could not be sent is refused now, by the name of its member.',
  tag: 'Campaigns',
  access: key('write'),
  lane: 'standard',
  params: { id: 'Id of the app.' },
  body: campaignBody,
  responses: { 201: { description: 'The campaign, a draft.', schema: campaignSchema } },
  refusals: [404, 409],
  async handle(call) {
    const made = await call
      .to<CampaignsProtocol>(call.app())
      .ask('campaign.create', { input: campaignInput(call.body) });
    return { status: 201, body: campaignView(made) };
  },
});
