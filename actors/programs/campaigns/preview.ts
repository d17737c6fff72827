// What a campaign sends: the copy of an occurrence where one has begun, however its message was
// edited since, else the message as it is. The pool renders it, like a preview of the message.

import { accepted, type Context, type Decision, refused } from '../../../engine/actor/message.ts';
import type { Decisions, MessageOf } from '../../../engine/actor/protocol.ts';
import type { Fault } from '../../../engine/base/fault.ts';
import { contentCopies } from '../../../storage/tables/content-copy.ts';
import { previewRead } from '../../content/messages/pool-read.ts';
import { previewFacts } from '../../content/messages/preview-facts.ts';
import { readMessage } from '../../content/messages/read-message.ts';
import type { MessageContent } from '../../content/shape/message-schema.ts';
import { fault, notFound, unknownPart } from '../../faults.ts';
import { askActor, type PoolQuestion, readFor } from '../../pool-question.ts';
import { withCampaign } from './author.ts';
import { variantCopyKey } from './copies.ts';
import type { CampaignsMemory, CampaignsView } from './memory.ts';
import { planOf } from './occurrence.ts';
import type { CampaignPreviewFacts, CampaignPreviewProtocol } from './preview-protocol.ts';
import type { CampaignPlan, CampaignRecord } from './records.ts';

type Asked = MessageOf<CampaignPreviewProtocol, 'campaign.preview'>;
type Wanted = Pick<Asked, 'variant' | 'occurrence' | 'to' | 'person'>;

export const answerCampaignPreview: PoolQuestion<Asked> = (host, app, asked, answer) => {
  const { language, variables, channels } = asked;
  const question = { ...asked, kind: 'campaign.preview_facts' } as const;
  askActor<CampaignPreviewFacts>(host, app, question, answer, (found) => {
    const { facts, isCopy, occurrence } = found;
    const languages = Object.keys(facts.content.localizations ?? {});
    const view = { language, variables, channels: channels ?? found.channels };
    readFor(host, app, previewRead, { ...facts, ...view }, answer, (preview) =>
      answer({ ok: true, value: { ...preview, isCopy, occurrence, languages } }),
    );
  });
};

/** The host answers `campaign.preview` itself. */
export const campaignPreviewDecisions: Decisions<
  Pick<CampaignPreviewProtocol, 'campaign.preview_facts'>,
  CampaignsMemory
> = {
  'campaign.preview_facts': (state, { id, ...wanted }, context) =>
    withCampaign(state, id, context, (record, app) => previewedFacts(app, record, wanted, context)),
};

function previewedFacts(
  app: CampaignsView,
  campaign: CampaignRecord,
  { variant, occurrence: asked, ...recipient }: Wanted,
  context: Context,
): Decision<CampaignPreviewFacts> {
  const found = sentPlan(app, campaign, asked);
  if ('fault' in found) return refused(found.fault);
  const { plan, occurrence } = found;
  const ids = (plan.variants ?? []).map(({ id }) => id);
  const unknown =
    variant === undefined ? undefined : unknownPart('variant', variant, ids, 'this campaign');
  if (unknown !== undefined) return refused(unknown);
  const shown = variant ?? ids[0];
  const content = contentOf(plan, shown, occurrence !== null, context);
  if (content === undefined)
    return refused(occurrence === null ? notFound('message') : notFound('copy of the message'));
  const { id, name } = campaign;
  const from = { campaign: { id, name }, ...(shown === undefined ? {} : { variant: shown }) };
  const facts = previewFacts(app, content, recipient, context, from);
  if (facts.outcome === 'refused') return facts;
  const { channels, fallbackChannels = [] } = plan;
  return accepted({
    facts: facts.reply,
    isCopy: occurrence !== null,
    occurrence,
    ...(channels === undefined ? {} : { channels: [...channels, ...fallbackChannels] }),
  });
}

/** The occurrence asked for, else the newest; `null` before the first. */
function sentPlan(
  { sending }: Pick<CampaignsView, 'sending'>,
  campaign: CampaignRecord,
  asked: number | undefined,
): { readonly plan: CampaignPlan; readonly occurrence: number | null } | { readonly fault: Fault } {
  const { id, occurrences = 0 } = campaign;
  const number = asked ?? occurrences;
  if (number === 0) return { plan: campaign, occurrence: null };
  const found = sending.find(id, number);
  if (found !== undefined) return { plan: planOf(campaign, found), occurrence: number };
  if (number < 1 || number > occurrences)
    return { fault: { ...notFound('occurrence: occurrence'), field: 'occurrence' } };
  // The newest sent what the campaign copied last; of the others no copy is known.
  if (number === occurrences) return { plan: campaign, occurrence: number };
  const kept = 'what an occurrence sent is kept for 30 days after its end';
  return { fault: fault('wrong_state', kept) };
}

function contentOf(
  plan: CampaignPlan,
  variant: string | undefined,
  hasBegun: boolean,
  context: Context,
): MessageContent | undefined {
  if (hasBegun) {
    const copy = context.documents.get(contentCopies, [variantCopyKey(plan, variant)]);
    return copy?.content as MessageContent | undefined;
  }
  const own = plan.variants?.find(({ id }) => id === variant)?.messageId;
  return readMessage(own ?? plan.messageId, context)?.content;
}
