// Compares the statistics of several campaigns, also of several apps of the org.

import { z } from 'zod';
import { limits } from '../../../actors/limits.ts';
import type {
  CampaignStats,
  CampaignsProtocol,
} from '../../../actors/programs/campaigns/protocol.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import { FaultError, fieldFault } from '../../../engine/base/fault.ts';
import { exampleIds } from '../../example-ids.ts';
import { key, route } from '../../route.ts';
import { exampleOf } from '../../schemas.ts';
import { campaignStatsSchema, campaignStatsView } from './campaign-stats-shape.ts';
import { appOfCampaign, byItsId } from './named-campaign.ts';

const { campaignsComparedMax } = limits;

export const compareCampaigns = route({
  method: 'GET',
  path: '/v1/campaigns/stats',
  summary: 'Compare campaigns',
  description: 'If any id is unknown, the response is a 404. Duplicate ids count once.',
  tag: 'Campaigns',
  access: key('read'),
  lane: 'standard',
  query: z.object({
    ids: z
      .string()
      .describe(`Campaign ids, separated by commas; at most ${campaignsComparedMax}.`)
      .meta({ examples: [exampleIds.campaign] }),
  }),
  responses: {
    200: {
      description: 'The stats of each campaign, in the order of `ids`.',
      schema: z
        .object({ items: z.array(campaignStatsSchema) })
        .meta({ examples: [{ items: [exampleOf(campaignStatsSchema)] }] }),
    },
  },
  refusals: [404],
  async handle(call) {
    const ids = idsOf(call.query.ids);
    const byApp = new Map<Ordinal, string[]>();
    for (const id of ids) {
      const app = appOfCampaign(call, id);
      byApp.set(app, [...(byApp.get(app) ?? []), id]);
    }
    const answers = await byItsId(() =>
      Promise.all(
        [...byApp].map(([app, ids]) =>
          call.to<CampaignsProtocol>(app).ask('campaign.stats', { ids }),
        ),
      ),
    );
    const found = new Map(answers.flat().map((stats) => [stats.campaignId, stats] as const));
    const inOrder = ids.map((id) => found.get(id)).filter((one): one is CampaignStats => !!one);
    return { status: 200, body: { items: inOrder.map(campaignStatsView) } };
  },
});

function idsOf(text: string): readonly string[] {
  const ids = [...new Set(text.split(',').map((id) => id.trim()))].filter((id) => id !== '');
  if (ids.length >= 1 && ids.length <= campaignsComparedMax) return ids;
  throw new FaultError(
    fieldFault(
      'ids',
      `expected 1 to ${campaignsComparedMax} campaign ids, separated by commas; got ${ids.length}`,
    ),
  );
}
