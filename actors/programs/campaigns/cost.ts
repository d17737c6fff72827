// What the texts of a campaign cost, by the people of a dry run and the prices of the relay that
// sends first, else those of the app's settings. The pool renders each person's text, because
// segments depend on it.

import { accepted, type Context, type Decision, refused } from '../../../engine/actor/message.ts';
import type { Decisions, MessageOf } from '../../../engine/actor/protocol.ts';
import { dryRuns } from '../../../storage/tables/dry-run.ts';
import { channelIds } from '../../channels/channel-ids.ts';
import { costsOf, pricesIn } from '../../channels/sms/text-prices.ts';
import { readMessage } from '../../content/messages/read-message.ts';
import { utmFor } from '../../content/render/utm.ts';
import { notFound, unknownId } from '../../faults.ts';
import { askActor, type PoolQuestion, readFor } from '../../pool-question.ts';
import { waysOf } from '../../tenants/relays/ways.ts';
import { withCampaign } from './author.ts';
import { sourcesOf } from './bucketing.ts';
import {
  type CampaignCost,
  type CampaignCostProtocol,
  type CostCounted,
  type CostFacts,
  type CostRead,
  costRead,
} from './cost-protocol.ts';
import type { CampaignsMemory, CampaignsView } from './memory.ts';
import type { CampaignRecord } from './records.ts';

type Asked = MessageOf<CampaignCostProtocol, 'campaign.cost'>;

export const answerCost: PoolQuestion<Asked> = (host, app, asked, answer) => {
  const question = { ...asked, kind: 'campaign.cost_facts' } as const;
  askActor<CostFacts>(host, app, question, answer, ({ read, relay, pricesOf, prices }) => {
    readFor(host, app, costRead, read, answer, ({ isEstimate, primary, fallback }) => {
      const priced = (counted: CostCounted['primary']) => pricedBy(prices, counted);
      const value: CampaignCost = {
        relay,
        pricesOf,
        currency: prices?.currency ?? null,
        isEstimate,
        primary: priced(primary),
        fallback: read.isFallback ? priced(fallback) : null,
      };
      answer({ ok: true, value });
    });
  });
};

function pricedBy(
  prices: CostFacts['prices'],
  { texts, unsendable }: CostCounted['primary'],
): CampaignCost['primary'] {
  const sum = (member: 'texts' | 'segments') => texts.reduce((all, one) => all + one[member], 0);
  return { ...costsOf(texts, prices), texts: sum('texts'), segments: sum('segments'), unsendable };
}

/** The host answers `campaign.cost` itself. */
export const costDecisions: Decisions<
  Pick<CampaignCostProtocol, 'campaign.cost_facts'>,
  CampaignsMemory
> = {
  'campaign.cost_facts': (state, { id, dryRunId }, context) =>
    withCampaign(state, id, context, (campaign, app) =>
      costFacts(app, campaign, dryRunId, context),
    ),
};

function costFacts(
  app: CampaignsView,
  campaign: CampaignRecord,
  dryRunId: string,
  context: Context,
): Decision<CostFacts> {
  const { documents, owner, nowMs } = context;
  const run = documents.get(dryRuns, [dryRunId]);
  if (run?.campaignId !== campaign.id) return refused(unknownId('dryRunId', 'dry run', dryRunId));
  const { record, settings } = app;
  const contents: CostRead['contents'][number][] = [];
  for (const { id: variant, messageId } of sourcesOf(campaign)) {
    const content = readMessage(messageId, context)?.content;
    if (content === undefined) return refused(notFound('message'));
    const { id, name } = campaign;
    const from = { channel: 'sms', campaign: { id, name }, ...(variant && { variant }) } as const;
    const utm = utmFor(settings.utm, from, record, nowMs);
    contents.push({ content, ...(variant && { variant }), utm });
  }
  const [first] = waysOf(app, 'sms', 'marketing');
  const shown = first?.shown ?? {};
  const { segmentsMax, encoding } = shown as TextLimits;
  const ofRelay = pricesIn(shown);
  const prices = ofRelay ?? settings.textPrices ?? undefined;
  const without = prices === undefined ? null : 'app';
  const { channels, fallbackChannels = [] } = campaign;
  return accepted({
    relay: first === undefined ? null : { id: first.id, name: first.name },
    pricesOf: ofRelay === undefined ? without : 'relay',
    ...(prices && { prices }),
    read: {
      ...{ app: owner, dryRunId, parts: run.parts, contents, nowMs, segmentsMax },
      sms: channelIds.indexOf('sms'),
      isPrimary: channels?.includes('sms') !== false,
      isFallback: fallbackChannels.includes('sms'),
      sending: { name: record.name, timezone: record.timezone },
      takesGsmOnly: encoding?.only === 'gsm7',
    },
  });
}

/** Of a gateway's configuration. */
interface TextLimits {
  readonly segmentsMax?: number;
  readonly encoding?: { readonly only?: 'gsm7' };
}
