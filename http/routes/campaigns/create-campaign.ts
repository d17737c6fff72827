// Creates a campaign as a draft.

import { z } from 'zod';
import { limits } from '../../../actors/limits.ts';
import type { CampaignsProtocol } from '../../../actors/programs/campaigns/protocol.ts';
import { key, route } from '../../call/route.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
import { fieldWarningsOf } from '../field-warnings.ts';
import {
  advisedFields,
  campaignBody,
  campaignInput,
  campaignSchema,
  campaignView,
  narrowingFields,
} from './campaign-shape.ts';

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

export const createCampaign = route({
  method: 'POST',
  path: '/v1/apps/:appId/campaigns',
  summary: 'Create a campaign',
  description: `Creates a draft. Nothing is sent until \`POST /v1/campaigns/{id}/send\`. A campaign that could not be sent is rejected now, with an error that names the field. At most ${limits.campaignsMax.toLocaleString('en')} in an app, ended ones included.`,
  tag: 'Campaigns',
  access: key('write'),
  changes: ['campaign'],
  lane: 'standard',
  body,
  creates: { kind: 'campaign.create', prefix: 'cmp', read: '/v1/apps/:appId/campaigns/:id' },
  responses: { 201: { description: 'The campaign, as a draft.', schema: campaignSchema } },
  refusals: [404, 409],
  async handle(call) {
    const made = await call.to<CampaignsProtocol>(call.app()).ask('campaign.create', {
      input: campaignInput(call.body),
      ...fieldWarningsOf(call, narrowingFields, advisedFields),
    });
    return { status: 201, body: campaignView(made) };
  },
});
