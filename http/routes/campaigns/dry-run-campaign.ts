// What a send would do, person by person, without sending.

import { key, type Route, route } from '../../route.ts';
import { dryRunSchema, dryRunView } from './dry-run-shape.ts';
import { askOfCampaign } from './named-campaign.ts';

export const dryRunCampaign = routeAt('/v1/campaigns/:id/dry-run', 'Dry run a campaign');
export const dryRunCampaignOfApp = routeAt(
  '/v1/apps/:appId/campaigns/:id/dry-run',
  'Dry run a campaign of an app',
);

function routeAt(path: string, summary: string): Route {
  return route({
    method: 'POST',
    path,
    summary,
    description:
      'Evaluates the whole current audience with the same code that sends: who would be sent the message now and on which channels, who later, who not at all, and why. Nothing is sent or counted. Pass the `dryRunId` to `send` to send exactly what you reviewed.',
    tag: 'Campaigns',
    access: key('read'),
    lane: 'standard',
    params: { id: 'Campaign id.' },
    responses: { 200: { description: 'The result of the dry run.', schema: dryRunSchema } },
    refusals: [404, 409],
    async handle(call) {
      const run = await askOfCampaign(call, 'campaign.dry_run', {});
      return { status: 200, body: dryRunView(run) };
    },
  });
}
