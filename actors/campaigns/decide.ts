// Decisions about campaigns on their way: sent, paused, resumed, canceled. Which of them a state allows is the table's to say
// (`lifecycle.ts`); what authors do with a campaign stands in `author.ts`.

import { accepted, type Context, type Decision, refused } from '../../engine/actor/message.ts';
import type { Decisions } from '../../engine/actor/protocol.ts';
import { withApp } from '../accounts/decide.ts';
import { fault, notFound } from '../faults.ts';
import type { PartitionState } from '../state.ts';
import { authorDecisions, knownTo, saved, withCampaign } from './author.ts';
import { isFinished } from './campaigns.ts';
import { campaignFault } from './judge.ts';
import { type CampaignVerb, transition } from './lifecycle.ts';
import type { CampaignStats, CampaignsProtocol, Funnel } from './protocol.ts';
import type { CampaignRecord } from './records.ts';

export const campaignsDecisions: Decisions<CampaignsProtocol, PartitionState> = {
  ...authorDecisions,

  'campaign.send': (state, { id, dryRunId }, context) =>
    withCampaign(state, id, context, (record, app) => {
      const after = transition(record, 'send', context.nowMs);
      if ('fault' in after) return refused(after.fault);
      if (dryRunId !== undefined)
        return refused({ ...notFound('dryRunId: dry run'), field: 'dryRunId' });
      // A message may have changed since the draft was judged.
      const wrong = campaignFault(record, knownTo(app, context));
      if (wrong !== undefined)
        return refused(
          fault('conflict', `this campaign cannot be sent as it is: ${wrong.message}`),
        );
      return moved(record, 'send', context);
    }),

  'campaign.pause': (state, { id }, context) =>
    withCampaign(state, id, context, (record) => moved(record, 'pause', context)),

  'campaign.resume': (state, { id }, context) =>
    withCampaign(state, id, context, (record) => moved(record, 'resume', context)),

  'campaign.cancel': (state, { id }, context) =>
    withCampaign(state, id, context, (record) => moved(record, 'cancel', context)),

  'campaign.stats': (state, { ids }, context) =>
    withApp(state, context, ({ campaigns }) => {
      const records = ids.flatMap((id) => campaigns.get(id) ?? []);
      return records.length === ids.length
        ? accepted(records.map(nothingYet))
        : refused(notFound('campaign'));
    }),
};

/** The campaign in its next state; as it is where it stays. */
function moved(
  record: CampaignRecord,
  verb: CampaignVerb,
  context: Context,
): Decision<CampaignRecord> {
  const { nowMs } = context;
  const after = transition(record, verb, nowMs);
  if ('fault' in after) return refused(after.fault);
  const { to } = after;
  if (to === record.state || to === 'gone') return accepted(record);
  const { pausedFrom, nextMs, ...rest } = record;
  const next: CampaignRecord = { ...rest, state: to, updatedMs: nowMs };
  if (isFinished(next)) return saved({ ...next, endedMs: nowMs }, context);
  const due = nextMs === undefined ? {} : { nextMs };
  const { state, schedule } = record;
  if (to === 'paused' && (state === 'scheduled' || state === 'sending'))
    return saved({ ...next, ...due, pausedFrom: state }, context);
  if (verb === 'send' && to === 'sending') return saved({ ...next, startedMs: nowMs }, context);
  if (verb === 'send' && schedule.type === 'at')
    return saved({ ...next, nextMs: schedule.atMs }, context);
  return saved({ ...next, ...due }, context);
}

const noFunnel: Funnel = {
  sent: 0,
  delivered: 0,
  opened: 0,
  clicked: 0,
  bounced: 0,
  suppressed: 0,
  failed: 0,
  converted: 0,
};

function nothingYet({ id, name, state, stateReason }: CampaignRecord): CampaignStats {
  return {
    ...noFunnel,
    campaignId: id,
    name,
    state,
    ...(stateReason === undefined ? {} : { stateReason }),
    audience: 0,
    holdout: 0,
    devices: { sent: 0, delivered: 0, bounced: 0, failed: 0 },
    byChannel: {},
    byVariant: {},
    occurrences: [],
    fallback: { eligible: 0, sent: 0 },
    suppressedBy: {},
    deferredBy: {},
    progress: null,
  };
}
