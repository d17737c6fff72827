// Lists the campaigns of an app.

import { z } from 'zod';
import type { CampaignsProtocol } from '../../../actors/programs/campaigns/protocol.ts';
import { campaignStates } from '../../../actors/programs/campaigns/records.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { countedPage, instantInput, listQuery } from '../../call/schemas/schemas.ts';
import { campaignSchema, campaignView } from './campaign-shape.ts';

export const listCampaigns = route({
  method: 'GET',
  path: '/v1/apps/:appId/campaigns',
  summary: 'List campaigns',
  tag: 'Campaigns',
  access: key('read'),
  reads: ['campaign'],
  lane: 'standard',
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
  responses: {
    200: { description: 'Campaigns.', schema: countedPage(campaignSchema) },
  },
  refusals: [404],
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
