// Compares the statistics of several campaigns, also of several apps of the org.

import { z } from 'zod';
import { unknownId } from '../../../actors/faults.ts';
import { limits } from '../../../actors/limits.ts';
import type {
  CampaignStats,
  CampaignsProtocol,
} from '../../../actors/programs/campaigns/protocol.ts';
import { bestOfCampaigns } from '../../../actors/programs/campaigns/rates.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import { FaultError, fieldFault } from '../../../engine/base/fault.ts';
import type { Call } from '../../call/call.ts';
import { key, route } from '../../call/route.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
import { exampleOf } from '../../call/schemas/schemas.ts';
import { campaignStatsSchema, campaignStatsView } from './campaign-stats-shape.ts';
import { appOfCampaign } from './named-campaign.ts';

const { campaignsComparedMax } = limits;

const bestId = z.string().nullable();
const bestSchema = z
  .object({
    delivered: bestId,
    opened: bestId,
    clicked: bestId,
    converted: bestId,
    bounced: bestId.describe('For this rate and the three below, the lowest share is the best.'),
    failed: bestId,
    unsubscribed: bestId,
    complained: bestId,
    lift: bestId.describe(
      'The campaign whose interval of `lift` lies above 0 and above the intervals of all others.',
    ),
  })
  .describe(
    "For each rate, the id of the campaign that is significantly better than the others; `null` if there is none. The interval of a difference is Newcombe's for two shares of `sent`, as for `lift`; it assumes that the people of the campaigns are independent.",
  )
  .meta({
    examples: [
      {
        ...{ delivered: null, opened: exampleIds.campaign, clicked: null, converted: null },
        ...{ bounced: null, failed: null, unsubscribed: null, complained: null, lift: null },
      },
    ],
  });

export const compareCampaigns = route({
  method: 'GET',
  path: '/v1/campaigns/stats',
  summary: 'Compare campaigns',
  description:
    'If any id is unknown, the response is a 404. Duplicate ids count once. `best` names a campaign only if its lead is statistically significant: the 95% interval of its difference to each of the others does not include 0.',
  tag: 'Campaigns',
  access: key('read'),
  reads: ['campaign', 'outcome'],
  query: z.object({
    ids: z
      .string()
      .describe(`Campaign ids, separated by commas; at most ${campaignsComparedMax}.`)
      .meta({ examples: [exampleIds.campaign] }),
  }),
  responses: {
    200: {
      description: 'The stats of each campaign, in the order of `ids`.',
      schema: z.object({ items: z.array(campaignStatsSchema), best: bestSchema }).meta({
        examples: [{ items: [exampleOf(campaignStatsSchema)], best: exampleOf(bestSchema) }],
      }),
    },
  },
  refusals: [404],
  async handle(call) {
    const ids = idsOf(call.query.ids);
    const byApp = new Map<Ordinal, string[]>();
    for (const id of ids) {
      const app = appNamedBy(call, id);
      byApp.set(app, [...(byApp.get(app) ?? []), id]);
    }
    const answers = await Promise.all(
      [...byApp].map(([app, ids]) =>
        call
          .to<CampaignsProtocol>(app)
          .ask('campaign.stats', { ids })
          .catch((error: unknown) => {
            throw namedIn(ids, error);
          }),
      ),
    );
    const found = new Map(answers.flat().map((stats) => [stats.campaignId, stats] as const));
    const inOrder = ids.map((id) => found.get(id)).filter((one): one is CampaignStats => !!one);
    const best = bestOfCampaigns(inOrder);
    return { status: 200, body: { items: inOrder.map(campaignStatsView), best } };
  },
});

function appNamedBy(call: Call, id: string): Ordinal {
  try {
    return appOfCampaign(call, id);
  } catch (error) {
    throw namedIn([id], error);
  }
}

/** Says which of the ids was not found; of an app that is not the caller's, the first. */
function namedIn(ids: readonly string[], error: unknown): unknown {
  if (!(error instanceof FaultError) || error.fault.code !== 'not_found') return error;
  const { message } = error.fault;
  const id = ids.find((one) => message.includes(one)) ?? ids[0];
  return new FaultError(unknownId('ids', 'campaign', id ?? ''));
}

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
