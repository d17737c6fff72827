// Campaigns as their authors see them: made, read, changed while they are drafts, deleted, listed.
// A change is merged in first and the whole is judged then (`judge.ts`), so that a draft can never
// become what could not have been made. Source: contract, section 6.

import { accepted, type Context, type Decision, refused } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { fieldFault } from '../../../engine/base/fault.ts';
import { newId } from '../../../engine/base/id.ts';
import { validateFilter } from '../../audiences/segments/find-segment.ts';
import { channelIds } from '../../channels/channel-ids.ts';
import { readMessage } from '../../content/messages/read-message.ts';
import { fault, notFound } from '../../faults.ts';
import { limits } from '../../limits.ts';
import { listCursor, placeOfCursor } from '../../list-cursor.ts';
import type { Page } from '../../people/audience/protocol.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import { forgetCampaignCopies } from './copies.ts';
import type { CampaignsEntry } from './entries.ts';
import { campaignFault, givenScheduleFault, type Known } from './judge.ts';
import { transition } from './lifecycle.ts';
import type { CampaignChange, CampaignsProtocol } from './protocol.ts';
import type { CampaignRecord, CampaignSpec } from './records.ts';
import type { CampaignsMemory, CampaignsView } from './view.ts';

type AuthorKind = 'create' | 'read' | 'update' | 'delete' | 'list';
type AuthorProtocol = Pick<CampaignsProtocol, `campaign.${AuthorKind}`>;

/** Members that a call may leave out, though every campaign has them. */
type Defaulted = 'name' | 'messageId' | 'schedule' | 'ifLate';
type Unfinished = Omit<CampaignRecord, Defaulted> & Partial<Pick<CampaignRecord, Defaulted>>;

export const campaignAuthorDecisions: Decisions<AuthorProtocol, CampaignsMemory> = {
  'campaign.create': (state, { input }, context) =>
    withApp(state, context, (app) => {
      const { campaigns } = app;
      if (campaigns.size >= limits.campaignsMax)
        return refused(
          fault(
            'conflict',
            `an app has at most ${limits.campaignsMax} campaigns; delete a finished one first`,
          ),
        );
      const { owner, nowMs } = context;
      const fresh: Unfinished = {
        id: newId('cmp', owner, nowMs, context.rng),
        number: campaigns.nextNumber,
        state: 'draft',
        createdMs: nowMs,
        updatedMs: nowMs,
      };
      return write(app, fresh, { input, removed: [] }, context);
    }),

  'campaign.read': (state, { id }, context) =>
    withCampaign(state, id, context, (record) => accepted(record)),

  'campaign.update': (state, { id, change }, context) =>
    withCampaign(state, id, context, (record, app) => {
      const { nowMs } = context;
      const after = transition(record, 'change', nowMs);
      if ('fault' in after) return refused(after.fault);
      return write(app, { ...record, updatedMs: nowMs }, change, context);
    }),

  'campaign.delete': (state, { id }, context) =>
    withCampaign(state, id, context, (record) => {
      const after = transition(record, 'delete', context.nowMs);
      if ('fault' in after) return refused(after.fault);
      const entry: CampaignsEntry = { kind: 'campaign.deleted', owner: context.owner, id };
      return accepted(null, { entries: [entry], documents: forgetCampaignCopies(record) });
    }),

  'campaign.list': (state, { state: only, limit, cursor }, context) =>
    withApp(state, context, ({ campaigns }): Decision<Page<CampaignRecord>> => {
      const { owner } = context;
      const after = cursor === undefined ? 0 : placeOfCursor('campaigns', owner, cursor);
      if (after === undefined) return refused(fieldFault('cursor', 'invalid cursor for this list'));
      const items: CampaignRecord[] = [];
      for (const record of campaigns.records()) {
        if (record.number <= after || (only !== undefined && record.state !== only)) continue;
        const last = items.at(-1);
        if (items.length === limit && last !== undefined)
          return accepted({ items, nextCursor: listCursor('campaigns', owner, last.number) });
        items.push(record);
      }
      return accepted({ items, nextCursor: null });
    }),
};

/** Decides about a campaign of this app; one that is not there is refused. */
export function withCampaign<R>(
  state: CampaignsMemory,
  id: string,
  context: Context,
  decide: (record: CampaignRecord, app: CampaignsView) => Decision<R>,
): Decision<R> {
  return withApp(state, context, (app) => {
    const record = app.campaigns.get(id);
    return record === undefined ? refused(notFound('campaign')) : decide(record, app);
  });
}

/** A campaign as it shall stand, with its entry. */
export function saved(campaign: CampaignRecord, { owner }: Context): Decision<CampaignRecord> {
  const entry: CampaignsEntry = { kind: 'campaign.saved', owner, campaign };
  return accepted(campaign, { entries: [entry] });
}

/** What the app has of what a campaign names. */
export function knownTo({ segments }: CampaignsView, context: Context): Known {
  return {
    content: (messageId) => readMessage(messageId, context)?.content,
    hasSegment: (segmentId) => segments.has(segmentId),
  };
}

/** Merges a change in, judges the whole and writes it. */
function write(
  app: CampaignsView,
  before: Unfinished,
  { input, removed }: CampaignChange,
  context: Context,
): Decision<CampaignRecord> {
  const { filter: sentFilter, ...given } = input;
  const judged = sentFilter === undefined ? undefined : validateFilter(app, sentFilter);
  if (judged !== undefined && 'fault' in judged) return refused(judged.fault);
  const filter = judged === undefined ? {} : { filter: judged.filter };
  const merged = without({ ...before, ...given, ...filter }, removed);
  const { name, messageId, schedule = { type: 'now' }, ifLate = 'hold', ...rest } = merged;
  if (messageId === undefined)
    return refused(fieldFault('messageId', 'is missing; expected a string'));
  const record: CampaignRecord = inOrder({
    ...rest,
    name: name ?? readMessage(messageId, context)?.name ?? 'Untitled campaign',
    messageId,
    schedule,
    ifLate,
  });
  const wrong =
    (given.schedule === undefined
      ? undefined
      : givenScheduleFault(given.schedule, context.nowMs)) ??
    campaignFault(record, knownTo(app, context));
  return wrong === undefined ? saved(record, context) : refused(wrong);
}

/**
 * A copy without the members that a change removes; those that every campaign has get their first
 * value again.
 */
function without(record: Unfinished, removed: readonly (keyof CampaignSpec)[]): Unfinished {
  const gone: ReadonlySet<string> = new Set(removed);
  const kept = Object.entries(record).filter(([member]) => !gone.has(member));
  return Object.fromEntries(kept) as unknown as Unfinished;
}

/** Channels in the catalogue's order, and nothing that says no more than its absence would. */
function inOrder(record: CampaignRecord): CampaignRecord {
  const { channels, fallbackChannels, optimalTime, holdoutShare, ...rest } = record;
  const ordered = (chosen: typeof channels = []) => channelIds.filter((id) => chosen.includes(id));
  return {
    ...rest,
    ...(channels === undefined ? {} : { channels: ordered(channels) }),
    ...(fallbackChannels === undefined ? {} : { fallbackChannels: ordered(fallbackChannels) }),
    ...(optimalTime === true ? { optimalTime } : {}),
    ...(holdoutShare === undefined || holdoutShare === 0 ? {} : { holdoutShare }),
  };
}
