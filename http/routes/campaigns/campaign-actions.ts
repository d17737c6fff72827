// Routes about one campaign, each at two paths: by its id alone, and below its app.

import { z } from 'zod';
import { integerRange } from '../../../actors/integer-range.ts';
import { limits } from '../../../actors/limits.ts';
import { secondMs } from '../../../engine/base/brand.ts';
import { FaultError, fieldFault } from '../../../engine/base/fault.ts';
import { present } from '../../call/answer/present.ts';
import { key, type Nouns, type Route, route } from '../../call/route.ts';
import { duplicateBody, duplicateNamed } from '../resource.ts';
import { campaignSchema, campaignView } from './campaign-shape.ts';
import { askOfCampaign } from './named-campaign.ts';

type BothRoutes = readonly [byId: Route, ofApp: Route];

/** The same route at `/v1/campaigns/:id/<tail>` and at `/v1/apps/:appId/campaigns/:id/<tail>`. */
export function campaignRoutes<
  Query extends z.ZodType = z.ZodUndefined,
  Body extends z.ZodType = z.ZodUndefined,
>(
  tail: string,
  { summary, creates, ...declaration }: Omit<Route<Query, Body>, 'path' | 'tag' | 'lane'> & Nouns,
): BothRoutes {
  const below = (start: string, summary: string) =>
    route<Query, Body>({
      ...declaration,
      ...(creates && { creates: { ...creates, read: `${start}/campaigns/:id` } }),
      path: `${start}/campaigns/:id/${tail}`,
      summary,
      tag: 'Campaigns',
    });
  return [below('/v1', `${summary} by id`), below('/v1/apps/:appId', summary)];
}

/** The response is the changed campaign. */
function campaignAction<Body extends z.ZodType = z.ZodUndefined>(
  action: 'send' | 'unschedule' | 'pause' | 'resume' | 'cancel' | 'archive' | 'unarchive',
  declaration: Pick<Route<z.ZodUndefined, Body>, 'summary' | 'description' | 'body'>,
  asked: (body: z.output<Body>) => object = () => ({}),
): BothRoutes {
  return campaignRoutes<z.ZodUndefined, Body>(action, {
    ...declaration,
    method: 'POST',
    access: key(action.endsWith('archive') ? 'write' : 'send'),
    changes: ['campaign'],
    params: { id: 'Campaign id.' },
    edits: `campaign.${action}`,
    ...(declaration.body === undefined ? {} : { optionalBody: true }),
    responses: { 200: { description: 'The updated campaign.', schema: campaignSchema } },
    refusals: [409],
    async handle(call) {
      const campaign = await askOfCampaign(call, `campaign.${action}`, asked(call.body));
      return { status: 200, body: campaignView(campaign) };
    },
  });
}

export const [duplicateCampaign, duplicateCampaignOfApp] = campaignRoutes('duplicate', {
  method: 'POST',
  summary: 'Duplicate a campaign',
  description:
    'Creates a draft with the same message, audience, channels, schedule and other fields. The campaign may be in any state, even archived. A schedule that has passed is copied as it is: change it before you send. The body is optional.',
  access: key('write'),
  changes: ['campaign'],
  params: { id: 'Campaign id.' },
  body: duplicateBody,
  optionalBody: true,
  creates: { kind: 'campaign.duplicate', prefix: 'cmp' },
  responses: { 201: { description: 'The new draft.', schema: campaignSchema } },
  refusals: [409],
  async handle(call) {
    const made = await askOfCampaign(call, 'campaign.duplicate', duplicateNamed(call.body));
    return { status: 201, body: campaignView(made) };
  },
});

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
    confirmWarnings: z
      .boolean()
      .nullish()
      .describe('Sends even if `warnings` lists misspelled fields; without it, that is a 409.'),
    delaySeconds: integerRange(0, limits.sendDelaySecondsMax)
      .optional()
      .describe(
        'The campaign starts sending after this many seconds. Until then it is `scheduled`, and `unschedule` undoes the send. Default 0: immediately.',
      ),
    tolerance: integerRange(0, limits.campaignToleranceMax)
      .optional()
      .describe(
        'With `dryRunId`: how many people may have joined or left the audience since. Default 0.',
      ),
  })
  .meta({ examples: [{}] });

/** A second call never sends twice: only a draft can be sent. */
export const [sendCampaign, sendCampaignOfApp] = campaignAction(
  'send',
  {
    summary: 'Send a campaign',
    description:
      'Sends a draft. The state becomes `sending`, or `scheduled` if the schedule is in the future or recurring, or with `delaySeconds`. Any other state is a 409, so a repeated request cannot send twice. The body is optional.',
    body: sendBody,
  },
  ({ dryRunId, tolerance, confirmWarnings, delaySeconds = 0 }) => {
    if (tolerance !== undefined && dryRunId === undefined)
      throw new FaultError(fieldFault('dryRunId', 'is missing; tolerance needs it'));
    const delayMs = delaySeconds === 0 ? undefined : delaySeconds * secondMs;
    return present({ dryRunId, tolerance, confirmWarnings: confirmWarnings ?? undefined, delayMs });
  },
);

export const [pauseCampaign, pauseCampaignOfApp] = campaignAction('pause', {
  summary: 'Pause a campaign',
  description:
    'Pauses a scheduled or sending campaign; any other state is a 409. Messages already handed to a provider still go out. The request has no body.',
});

export const [resumeCampaign, resumeCampaignOfApp] = campaignAction('resume', {
  summary: 'Resume a campaign',
  description:
    'Returns the campaign to the state it was paused in. Nobody is skipped, and nobody gets the message twice. The request has no body.',
});

export const [cancelCampaign, cancelCampaignOfApp] = campaignAction('cancel', {
  summary: 'Cancel a campaign',
  description:
    'Stops all further sends. Canceling a canceled campaign again returns 200; a completed or failed campaign is a 409. The request has no body.',
});

export const [archiveCampaign, archiveCampaignOfApp] = campaignAction('archive', {
  summary: 'Archive a campaign',
  description:
    'Removes a draft, completed, canceled or failed campaign from lists, unless they ask for archived ones. Its stats stay, and late opens and clicks still count. Archiving it again returns 200. A scheduled, sending or paused campaign is a 409; so is sending an archived draft. The request has no body.',
});

export const [unarchiveCampaign, unarchiveCampaignOfApp] = campaignAction('unarchive', {
  summary: 'Unarchive a campaign',
  description:
    'Returns an archived campaign to lists. A campaign that is not archived returns 200 as well. The request has no body.',
});

export const [unscheduleCampaign, unscheduleCampaignOfApp] = campaignAction('unschedule', {
  summary: 'Unschedule a campaign',
  description:
    'Takes a `scheduled` campaign back to `draft`, to change it and send it again. A recurring campaign can also be unscheduled between two occurrences: the stats of its past occurrences stay, and the next `send` continues their numbers. Any other state is a 409, also while an occurrence is being sent. The request has no body.',
});
