// The campaigns of an app. Most routes about one stand at two paths: by its id alone, and below its
// app.

import { z } from 'zod';
import { integerRange } from '../../../actors/integer-range.ts';
import { limits } from '../../../actors/limits.ts';
import type { CampaignsProtocol } from '../../../actors/programs/campaigns/protocol.ts';
import { campaignStates } from '../../../actors/programs/campaigns/records.ts';
import { secondMs } from '../../../engine/base/brand.ts';
import { FaultError, fieldFault } from '../../../engine/base/fault.ts';
import { present } from '../../call/answer/present.ts';
import type { Call } from '../../call/call.ts';
import { key, type Route } from '../../call/route.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
import { instantInput, listQuery } from '../../call/schemas/schemas.ts';
import { fieldWarningsOf } from '../field-warnings.ts';
import { Resource } from '../resource.ts';
import {
  advisedFields,
  campaignBody,
  campaignChange,
  campaignInput,
  campaignPatch,
  campaignSchema,
  campaignView,
  narrowingFields,
} from './campaign-shape.ts';
import { campaignActor } from './named-campaign.ts';

const shared = {
  params: { id: 'Campaign id.' },
  tag: 'Campaigns',
  noun: 'campaign',
  prefix: 'cmp',
  schema: campaignSchema,
  view: campaignView,
  actor: campaignActor,
  named: (call: Call<unknown, unknown>) => ({ id: call.param('id') }),
} as const;

const campaigns = new Resource({
  ...shared,
  path: '/v1/apps/:appId/campaigns',
  a: 'a campaign',
});

const campaignsById = new Resource({
  ...shared,
  path: '/v1/campaigns',
  a: 'a campaign by id',
  the: 'campaign',
});

/** The same verb for a campaign by its id alone, and below its app. */
function both(verb: (at: typeof campaigns) => Route): readonly [byId: Route, ofApp: Route] {
  return [verb(campaignsById), verb(campaigns)];
}

/** The first one needs a message and nothing else, so that it runs in any app. */
const examples = [
  {
    name: 'Spring sale',
    messageId: exampleIds.message,
    filter: { activeWithinDays: 30 },
    channels: ['email', 'webpush'],
    throttle: { perMinute: 3_000 },
    goal: { event: 'order', withinHours: 48 },
  },
  ...((campaignBody.meta()?.['examples'] as readonly object[] | undefined) ?? []),
];
// The same schema, not a copy: what else is known of it goes by its identity.
const body = campaignBody.register(z.globalRegistry, { ...campaignBody.meta(), examples });

export const createCampaign = campaigns.create({
  description: `Creates a draft. Nothing is sent until \`POST /v1/campaigns/{id}/send\`. A campaign that could not be sent is rejected now, with an error that names the field. At most ${limits.campaignsMax.toLocaleString('en')} in an app, ended ones included.`,
  body,
  answer: 'The campaign, as a draft.',
  asks: 'campaign.create',
  says: (call) => ({
    input: campaignInput(call.body),
    ...fieldWarningsOf(call, narrowingFields, advisedFields),
  }),
});

export const listCampaigns = campaigns.list({
  query: z.object({
    state: z.enum(campaignStates).optional().describe('Only campaigns in this state.'),
    archived: z
      .enum(['true', 'false', 'all'])
      .optional()
      .describe('`true` for archived campaigns only, `all` for both. Default `false`.'),
    createdFrom: instantInput.optional().describe('Only campaigns created at or after this time.'),
    createdTo: instantInput.optional().describe('Only campaigns created before this time.'),
    ...listQuery,
  }),
  async handle(call) {
    const { archived, createdFrom, createdTo, ...asked } = call.query;
    const put = { true: 'only', all: 'all', false: undefined } as const;
    const page = await call.to<CampaignsProtocol>(call.app()).ask(
      'campaign.list',
      present({
        ...asked,
        archived: put[archived ?? 'false'],
        createdFromMs: createdFrom,
        createdToMs: createdTo,
      }),
    );
    return { status: 200, body: { ...page, items: page.items.map(campaignView) } };
  },
});

export const [readCampaign, readCampaignOfApp] = both((at) => at.read({ asks: 'campaign.read' }));

export const updateCampaign = campaigns.update({
  description:
    'Updates a draft, or a recurring campaign while none of its occurrences is being sent: the change is for the next occurrences, and past ones keep their variants and goal in the stats. Anything else is a 409; `unschedule` takes a scheduled campaign back to a draft. Fields you send are replaced as a whole; `null` removes a field. The result is validated like a new campaign.',
  body: campaignPatch,
  refusals: [409],
  asks: 'campaign.update',
  says: (call) => ({
    change: campaignChange(call.body),
    ...fieldWarningsOf(call, narrowingFields, advisedFields),
  }),
});

export const deleteCampaign = campaigns.remove({
  description:
    'Deletes a campaign that is a draft, completed, canceled or failed. Any other state is a 409; cancel it first. Its stats are deleted too; the events of people are kept.',
  refusals: [409],
  asks: 'campaign.delete',
});

export const [duplicateCampaign, duplicateCampaignOfApp] = both((at) =>
  at.duplicate({
    description:
      'Creates a draft with the same message, audience, channels, schedule and other fields. The campaign may be in any state, even archived. A schedule that has passed is copied as it is: change it before you send. The body is optional.',
    answer: 'The new draft.',
    asks: 'campaign.duplicate',
  }),
);

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
export const [sendCampaign, sendCampaignOfApp] = both((at) =>
  at.action('send', {
    description:
      'Sends a draft. The state becomes `sending`, or `scheduled` if the schedule is in the future or recurring, or with `delaySeconds`. Any other state is a 409, so a repeated request cannot send twice. The body is optional.',
    access: key('send'),
    body: sendBody,
    optionalBody: true,
    asks: 'campaign.send',
    says({ body: { dryRunId, tolerance, confirmWarnings, delaySeconds = 0 } }) {
      if (tolerance !== undefined && dryRunId === undefined)
        throw new FaultError(fieldFault('dryRunId', 'is missing; tolerance needs it'));
      const delayMs = delaySeconds === 0 ? undefined : delaySeconds * secondMs;
      return present({
        dryRunId,
        tolerance,
        confirmWarnings: confirmWarnings ?? undefined,
        delayMs,
      });
    },
  }),
);

export const [pauseCampaign, pauseCampaignOfApp] = both((at) =>
  at.action('pause', {
    description:
      'Pauses a scheduled or sending campaign; any other state is a 409. Messages already handed to a provider still go out. The request has no body.',
    access: key('send'),
    asks: 'campaign.pause',
  }),
);

export const [resumeCampaign, resumeCampaignOfApp] = both((at) =>
  at.action('resume', {
    description:
      'Returns the campaign to the state it was paused in. Nobody is skipped, and nobody gets the message twice. The request has no body.',
    access: key('send'),
    asks: 'campaign.resume',
  }),
);

export const [cancelCampaign, cancelCampaignOfApp] = both((at) =>
  at.action('cancel', {
    description:
      'Stops all further sends. Canceling a canceled campaign again returns 200; a completed or failed campaign is a 409. The request has no body.',
    access: key('send'),
    asks: 'campaign.cancel',
  }),
);

export const [archiveCampaign, archiveCampaignOfApp] = both((at) =>
  at.action('archive', {
    description:
      'Removes a draft, completed, canceled or failed campaign from lists, unless they ask for archived ones. Its stats stay, and late opens and clicks still count. Archiving it again returns 200. A scheduled, sending or paused campaign is a 409; so is sending an archived draft. The request has no body.',
    asks: 'campaign.archive',
  }),
);

export const [unarchiveCampaign, unarchiveCampaignOfApp] = both((at) =>
  at.action('unarchive', {
    description:
      'Returns an archived campaign to lists. A campaign that is not archived returns 200 as well. The request has no body.',
    asks: 'campaign.unarchive',
  }),
);

export const [unscheduleCampaign, unscheduleCampaignOfApp] = both((at) =>
  at.action('unschedule', {
    description:
      'Takes a `scheduled` campaign back to `draft`, to change it and send it again. A recurring campaign can also be unscheduled between two occurrences: the stats of its past occurrences stay, and the next `send` continues their numbers. Any other state is a 409, also while an occurrence is being sent. The request has no body.',
    access: key('send'),
    asks: 'campaign.unschedule',
  }),
);
