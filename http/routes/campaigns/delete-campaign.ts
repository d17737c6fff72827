// Deletes a campaign that is a draft or over.

import type { CampaignsProtocol } from '../../../actors/programs/campaigns/protocol.ts';
import { key, route } from '../../call/route.ts';

export const deleteCampaign = route({
  method: 'DELETE',
  path: '/v1/apps/:appId/campaigns/:id',
  summary: 'Delete a campaign',
  description:
    'Deletes a campaign that is a draft, completed, canceled or failed. Any other state is a 409; cancel it first. Its stats are deleted too; the events of people are kept.',
  tag: 'Campaigns',
  access: key('write'),
  changes: ['campaign'],
  lane: 'standard',
  edits: 'campaign.delete',
  params: { id: 'Campaign id.' },
  responses: { 204: { description: 'Deleted.' } },
  refusals: [404, 409],
  async handle(call) {
    await call.to<CampaignsProtocol>(call.app()).ask('campaign.delete', { id: call.param('id') });
    return { status: 204 };
  },
});
