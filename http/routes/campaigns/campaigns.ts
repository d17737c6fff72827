// The campaigns of an app.

import { z } from 'zod';
import { limits } from '../../../actors/limits.ts';
import type { CampaignsProtocol } from '../../../actors/programs/campaigns/protocol.ts';
import { campaignStates } from '../../../actors/programs/campaigns/records.ts';
import { present } from '../../call/answer/present.ts';
import { key, type Route, route } from '../../call/route.ts';
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
import { askOfCampaign } from './named-campaign.ts';

const campaigns = new Resource({
  path: '/v1/apps/:appId/campaigns',
  params: { id: 'Campaign id.' },
  tag: 'Campaigns',
  noun: 'campaign',
  a: 'a campaign',
  prefix: 'cmp',
  schema: campaignSchema,
  view: campaignView,
  actor: (call) => call.to<CampaignsProtocol>(call.app()),
  named: (call) => ({ id: call.param('id') }),
});

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

export const readCampaignOfApp = routeAt('/v1/apps/:appId/campaigns/:id', 'Read a campaign');
export const readCampaign = routeAt('/v1/campaigns/:id', 'Read a campaign by id');

function routeAt(path: string, summary: string): Route {
  return route({
    method: 'GET',
    path,
    summary,
    tag: 'Campaigns',
    access: key('read'),
    reads: ['campaign'],
    params: { id: 'Campaign id.' },
    responses: { 200: { description: 'The campaign.', schema: campaignSchema } },
    async handle(call) {
      return { status: 200, body: campaignView(await askOfCampaign(call, 'campaign.read', {})) };
    },
  });
}

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
