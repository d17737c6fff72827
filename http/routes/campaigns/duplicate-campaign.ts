// Makes a second campaign like a first.

import type { CampaignsProtocol } from '../../../actors/programs/campaigns/protocol.ts';
import { key, route } from '../../route.ts';
import { duplicateBody, duplicateNamed } from '../duplicate-body.ts';
import { campaignSchema, campaignView } from './campaign-shape.ts';

export const duplicateCampaign = route({
  method: 'POST',
  path: '/v1/apps/:appId/campaigns/:id/duplicate',
  summary: 'Duplicate a campaign',
  description:
    'Creates a draft with the same message, audience, channels, schedule and other fields. The campaign may be in any state, also archived. A schedule that has passed is copied as it is: change it before you send. The body is optional.',
  tag: 'Campaigns',
  access: key('write'),
  lane: 'standard',
  params: { id: 'Campaign id.' },
  body: duplicateBody,
  optionalBody: true,
  creates: { kind: 'campaign.duplicate', prefix: 'cmp', read: '/v1/apps/:appId/campaigns/:id' },
  responses: { 201: { description: 'The new draft.', schema: campaignSchema } },
  refusals: [404, 409],
  async handle(call) {
    const made = await call
      .to<CampaignsProtocol>(call.app())
      .ask('campaign.duplicate', { id: call.param('id'), ...duplicateNamed(call.body) });
    return { status: 201, body: campaignView(made) };
  },
});
