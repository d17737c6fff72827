// What a send would do, person by person, without sending.

import { key } from '../../route.ts';
import { campaignRoutes } from './campaign-routes.ts';
import { dryRunSchema, dryRunView } from './dry-run-shape.ts';
import { askOfCampaign } from './named-campaign.ts';

export const [dryRunCampaign, dryRunCampaignOfApp] = campaignRoutes('dry-run', {
  method: 'POST',
  summary: 'Dry-run a campaign',
  description:
    'Judges everybody of the audience as it stands now, by the code that sends: who would be sent it now and on which channels, who later, who not at all, and why. Nothing is sent or counted. Give `dryRunId` to `send`, and what was looked at is what is sent.',
  access: key('read'),
  params: { id: 'Id of the campaign.' },
  responses: { 200: { description: 'What it came to.', schema: dryRunSchema } },
  refusals: [404, 409],
  async handle(call) {
    const run = await askOfCampaign(call, 'campaign.dry_run', {});
    return { status: 200, body: dryRunView(run) };
  },
});
