// Starts a dry run: what a send would do, person by person, without sending.

import { key } from '../../call/route.ts';
import { campaignRoutes } from './campaign-actions.ts';
import { dryRunSchema, dryRunView } from './dry-run-shape.ts';
import { askOfCampaign } from './named-campaign.ts';

export const [dryRunCampaign, dryRunCampaignOfApp] = campaignRoutes('dry-run', {
  method: 'POST',
  summary: 'Dry run a campaign',
  description:
    'Evaluates the whole current audience with the same code that sends: who would get the message now and on which channels, who would get it later, who would not get it, and why. Nothing is sent or counted. Pass the `dryRunId` to `send` to send exactly what you reviewed.',
  access: key('read'),
  changes: ['dry-run'],
  params: { id: 'Campaign id.' },
  responses: { 200: { description: 'The result of the dry run.', schema: dryRunSchema } },
  refusals: [409],
  async handle(call) {
    const run = await askOfCampaign(call, 'campaign.dry_run', {});
    return { status: 200, body: dryRunView(run) };
  },
});
