// Exports an app's campaigns with their funnels, as one streamed file. A page and its statistics
// come in one reply, since a campaign may be deleted between two.

import { z } from 'zod';
import { csvLine } from '../../../actors/audiences/export/csv.ts';
import type {
  CampaignStats,
  CampaignsProtocol,
} from '../../../actors/programs/campaigns/protocol.ts';
import { type RateName, rateNames } from '../../../actors/programs/campaigns/rates.ts';
import type { CampaignRecord } from '../../../actors/programs/campaigns/records.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import type { Call } from '../../call/call.ts';
import { key, route } from '../../call/route.ts';
import { instant } from '../../call/schemas/schemas.ts';
import { appIdInput, namedApp, ofNamedApp } from '../named-app.ts';

const columns = [
  'id',
  'name',
  'state',
  'createdAt',
  'startedAt',
  'endedAt',
  'audience',
  'holdout',
  'sent',
  'delivered',
  'opened',
  'clicked',
  'bounced',
  'suppressed',
  'failed',
  'converted',
  'fallbackEligible',
  'fallbackSent',
  'holdoutConverted',
  'treated',
  'treatedConverted',
  'lift',
  'liftLow',
  'liftHigh',
  'unsubscribed',
  'complained',
  ...rateNames.flatMap((name) => [
    `${name}OfSent` as const,
    `${name}OfSentLow` as const,
    `${name}OfSentHigh` as const,
  ]),
] as const;

const pageRows = 100;

export const exportCampaigns = route({
  method: 'GET',
  path: '/v1/campaigns/export',
  summary: 'Export campaigns',
  description: `Streams every campaign of an app, with its stats summed over all occurrences, oldest first. Each rate names its denominator ("openedOfSent") and is followed by the bounds of its 95% interval, like \`rates\` in the stats. The file is RFC 4180 CSV in UTF-8 with a header line. Cells that a spreadsheet would run as a formula start with an apostrophe.`,
  tag: 'Campaigns',
  access: key('read'),
  reads: ['campaign', 'outcome'],
  query: z.object({ appId: appIdInput }),
  responses: {
    200: {
      description: 'The export file.',
      contentType: 'text/csv',
      headers: { 'content-disposition': 'A file name with the app id and the date.' },
    },
  },
  refusals: [404],
  async handle(call) {
    const { appId } = call.query;
    const app = namedApp(call, appId);
    const day = new Date(call.edge.clock.now()).toISOString().slice(0, 10);
    const first = await pageOf(call, app).catch((error: unknown) => {
      throw ofNamedApp(error, appId);
    });
    return {
      status: 200,
      headers: [
        ['content-type', 'text/csv; charset=utf-8; header=present'],
        ['content-disposition', `attachment; filename="campaigns-${day}.csv"`],
        ['cache-control', 'no-store'],
      ],
      stream: lines(first, (cursor) => pageOf(call, app, cursor)),
    };
  },
});

interface ExportedPage {
  readonly text: string;
  readonly nextCursor: string | null;
}

async function pageOf(
  call: Call<unknown, unknown>,
  app: Ordinal,
  cursor?: string,
): Promise<ExportedPage> {
  const asked = cursor === undefined ? { limit: pageRows } : { limit: pageRows, cursor };
  const { items, nextCursor } = await call.to<CampaignsProtocol>(app).ask('campaign.export', asked);
  return { text: items.map(lineOf).join(''), nextCursor };
}

async function* lines(
  first: ExportedPage,
  read: (cursor: string) => Promise<ExportedPage>,
): AsyncGenerator<string> {
  yield csvLine(columns);
  for (let page = first; ; page = await read(page.nextCursor)) {
    if (page.text !== '') yield page.text;
    if (page.nextCursor === null) return;
  }
}

function lineOf([campaign, stats]: readonly [CampaignRecord, CampaignStats]): string {
  const { id, name, state, createdMs, startedMs, endedMs } = campaign;
  const { eligible: fallbackEligible, sent: fallbackSent } = stats.fallback;
  const { holdout, treated, lift } = stats;
  const cells = {
    ...{ ...stats, id, name, state, fallbackEligible, fallbackSent },
    holdout: holdout.size,
    holdoutConverted: holdout.converted ?? '',
    treated: treated?.size ?? '',
    treatedConverted: treated?.converted ?? '',
    lift: lift?.difference ?? '',
    liftLow: lift?.low ?? '',
    liftHigh: lift?.high ?? '',
    ...rateCells(stats),
    createdAt: instant(createdMs),
    startedAt: startedMs === undefined ? '' : instant(startedMs),
    endedAt: endedMs === undefined ? '' : instant(endedMs),
  };
  return csvLine(columns.map((column) => String(cells[column])));
}

function rateCells({ rates }: CampaignStats) {
  const cells = rateNames.flatMap((name) => {
    const rate = rates?.[name];
    return [
      [`${name}OfSent`, rate?.share ?? ''],
      [`${name}OfSentLow`, rate?.low ?? ''],
      [`${name}OfSentHigh`, rate?.high ?? ''],
    ];
  });
  return Object.fromEntries(cells) as Readonly<
    Record<`${RateName}OfSent${'' | 'Low' | 'High'}`, number | ''>
  >;
}
