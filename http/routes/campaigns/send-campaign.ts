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
        'Id of a dry run. The campaign is sent only if its audience still matches the dry run and the campaign has not been changed since.',
      ),
    tolerance: integerRange(0, limits.campaignToleranceMax)
      .optional()
      .describe(
        'With `dryRunId`: how many people may have joined or left the audience since. Default 0.',
      ),
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
      'Sends a draft. The state becomes `sending`, or `scheduled` if the schedule is in the future or recurring. Any other state is a 409, so a repeated request cannot send twice. The body is optional.',
    tag: 'Campaigns',
    access: key('send'),
    lane: 'standard',
    params: { id: 'Campaign id.' },
    body: sendBody,
    optionalBody: true,
    responses: { 200: { description: 'The updated campaign.', schema: campaignSchema } },
    refusals: [404, 409],
    async handle(call) {
      const { dryRunId, tolerance } = call.body;
      if (tolerance !== undefined && dryRunId === undefined)
        throw new FaultError(fieldFault('dryRunId', 'is missing; tolerance needs it'));
      const sent = await askOfCampaign(call, 'campaign.send', present({ dryRunId, tolerance }));
      return { status: 200, body: campaignView(sent) };
    },
  });
}
