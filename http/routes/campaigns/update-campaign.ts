// Changes a draft, or a recurring campaign between two occurrences.

import type { CampaignsProtocol } from '../../../actors/programs/campaigns/protocol.ts';
import { key, route } from '../../call/route.ts';
import { fieldWarningsOf } from '../field-warnings.ts';
import {
  advisedFields,
  campaignChange,
  campaignPatch,
  campaignSchema,
  campaignView,
  narrowingFields,
} from './campaign-shape.ts';

export const updateCampaign = route({
  method: 'PATCH',
  path: '/v1/apps/:appId/campaigns/:id',
  summary: 'Update a campaign',
  description:
    'Updates a draft, or a recurring campaign while none of its occurrences is being sent: the change is for the next occurrences, and past ones keep their variants and goal in the stats. Anything else is a 409; `unschedule` takes a scheduled campaign back to a draft. Fields you send are replaced as a whole; `null` removes a field. The result is validated like a new campaign.',
  tag: 'Campaigns',
  access: key('write'),
  changes: ['campaign'],
  lane: 'standard',
  edits: 'campaign.update',
  params: { id: 'Campaign id.' },
  body: campaignPatch,
  responses: { 200: { description: 'The updated campaign.', schema: campaignSchema } },
  refusals: [404, 409],
  async handle(call) {
    const change = campaignChange(call.body);
    const body = {
      id: call.param('id'),
      change,
      ...fieldWarningsOf(call, narrowingFields, advisedFields),
    };
    const campaign = await call.to<CampaignsProtocol>(call.app()).ask('campaign.update', body);
    return { status: 200, body: campaignView(campaign) };
  },
});
