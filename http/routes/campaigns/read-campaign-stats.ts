// Reads the statistics of one campaign.

import { notFound } from '../../../actors/faults.ts';
import type { CampaignsProtocol } from '../../../actors/programs/campaigns/protocol.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { key, route } from '../../call/route.ts';
import { campaignStatsSchema, campaignStatsView } from './campaign-stats-shape.ts';

export const readCampaignStats = route({
  method: 'GET',
  path: '/v1/apps/:appId/campaigns/:id/stats',
  summary: "Read a campaign's stats",
  description:
    'Live and exact: includes everything acknowledged before the request. The top-level numbers count each person once.',
  tag: 'Campaigns',
  access: key('read'),
  reads: ['campaign', 'outcome'],
  params: { id: 'Campaign id.' },
  responses: { 200: { description: 'The stats.', schema: campaignStatsSchema } },
  async handle(call) {
    const ids = [call.param('id')];
    const [stats] = await call.to<CampaignsProtocol>(call.app()).ask('campaign.stats', { ids });
    if (stats === undefined) throw new FaultError(notFound('campaign'));
    return { status: 200, body: campaignStatsView(stats) };
  },
});
