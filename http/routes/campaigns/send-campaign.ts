// Sends a campaign, now or as it is scheduled. A second call never sends twice: by then it is no
// draft any more.

import { z } from 'zod';
import { integerRange } from '../../../actors/integer-range.ts';
import { limits } from '../../../actors/limits.ts';
import { FaultError, fieldFault } from '../../../engine/base/fault.ts';
import { present } from '../../present.ts';
import { key, type Route, route } from '../../route.ts';
import { campaignSchema, campaignView } from './campaign-shape.ts';
import { askOfCampaign } from './named-campaign.ts';

const sendBody = z
  .object({
    dryRunId: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe(
        'Of a dry run: send only if the audience is still the one that it showed, and the campaign was not changed since.',
      ),
    tolerance: integerRange(0, limits.campaignToleranceMax)
      .optional()
      .describe('With `dryRunId`: how many people may have come or gone since. 0 unless given.'),
  })
  .meta({ examples: [{}] });

export const sendCampaign = routeAt('/v1/campaigns/:id/send', 'Send a campaign');
export const sendCampaignOfApp = routeAt(
  '/v1/apps/:appId/campaigns/:id/send',
  'Send a campaign of an app',
);

function routeAt(path: string, summary: string): Route {
  return route({
    method: 'POST',
    path,
    summary,
    description:
      'A draft only: `sending` at once, or `scheduled` where its schedule lies ahead or recurs. Anything else is a 409, so a call that is repeated cannot send twice. The body may be left out.',
    tag: 'Campaigns',
    access: key('send'),
    lane: 'standard',
    params: { id: 'Id of the campaign.' },
    body: sendBody,
    optionalBody: true,
    responses: { 200: { description: 'The campaign as it is now.', schema: campaignSchema } },
    refusals: [404, 409],
    async handle(call) {
      const { dryRunId, tolerance } = call.body;
      if (tolerance !== undefined && dryRunId === undefined)
        throw new FaultError(fieldFault('dryRunId', 'is missing; tolerance goes with it'));
      const sent = await askOfCampaign(call, 'campaign.send', present({ dryRunId, tolerance }));
      return { status: 200, body: campaignView(sent) };
    },
  });
}
