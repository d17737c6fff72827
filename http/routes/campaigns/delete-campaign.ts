// Forgets a campaign that is a draft or over.

import type { CampaignsProtocol } from '../../../actors/programs/campaigns/protocol.ts';
import { key, route } from '../../route.ts';

export const deleteCampaign = route({
  method: 'DELETE',
  path: '/v1/apps/:appId/campaigns/:id',
  summary: 'Delete a campaign',
  description:
    'A draft, or one that is completed, canceled or failed; 409 for any other, which is to be canceled first. Its figures go with it; the events of people stay.',
  tag: 'Campaigns',
  access: key('write'),
  lane: 'standard',
  params: { id: 'Id of the campaign.' },
  responses: { 204: { description: 'Deleted.' } },
  refusals: [404, 409],
  async handle(call) {
    await call.to<CampaignsProtocol>(call.app()).ask('campaign.delete', { id: call.param('id') });
    return { status: 204 };
  },
});
