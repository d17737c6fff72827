// What the texts of a campaign cost, for the people of a dry run.

import type { CampaignCostProtocol } from '../../../actors/programs/campaigns/cost-protocol.ts';
import { key, route } from '../../call/route.ts';
import { campaignCostSchema, textCostView } from './cost-shape.ts';

export const readCampaignCost = route({
  method: 'GET',
  path: '/v1/apps/:appId/campaigns/:id/dry-run/:dryRunId/cost',
  summary: 'Read the cost of texts',
  description:
    'Renders the text of each person of the dry run, counts its segments, and multiplies them by the prices of the relay that sends texts first (`price` of a gateway), or by `textPrices` of the settings where it has none. If another relay takes over, its prices apply. Campaigns without texts have none.',
  tag: 'Campaigns',
  access: key('read'),
  reads: ['dry-run', 'message', 'relay'],
  params: { id: 'Campaign id.', dryRunId: 'Dry run id.' },
  responses: { 200: { description: 'Segments and costs.', schema: campaignCostSchema } },
  async handle(call) {
    const actor = call.to<CampaignCostProtocol>(call.app());
    const asked = { id: call.param('id'), dryRunId: call.param('dryRunId') };
    const { primary, fallback, ...rest } = await actor.ask('campaign.cost', asked);
    const body = {
      ...rest,
      primary: textCostView(primary),
      fallback: fallback === null ? null : textCostView(fallback),
    };
    return { status: 200, body };
  },
});
