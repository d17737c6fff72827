// Makes a second campaign like a first.

import { key } from '../../call/route.ts';
import { duplicateBody, duplicateNamed } from '../duplicate-body.ts';
import { campaignRoutes } from './campaign-routes.ts';
import { campaignSchema, campaignView } from './campaign-shape.ts';
import { askOfCampaign } from './named-campaign.ts';

export const [duplicateCampaign, duplicateCampaignOfApp] = campaignRoutes('duplicate', {
  method: 'POST',
  summary: 'Duplicate a campaign',
  description:
    'Creates a draft with the same message, audience, channels, schedule and other fields. The campaign may be in any state, even archived. A schedule that has passed is copied as it is: change it before you send. The body is optional.',
  access: key('write'),
  changes: ['campaign'],
  params: { id: 'Campaign id.' },
  body: duplicateBody,
  optionalBody: true,
  creates: { kind: 'campaign.duplicate', prefix: 'cmp' },
  responses: { 201: { description: 'The new draft.', schema: campaignSchema } },
  refusals: [404, 409],
  async handle(call) {
    const made = await askOfCampaign(call, 'campaign.duplicate', duplicateNamed(call.body));
    return { status: 201, body: campaignView(made) };
  },
});
