// Decisions that send, pause, resume and cancel campaigns. `lifecycle.ts` says which of them a
// state allows; `author.ts` has the others.

import { accepted, type Context, type Decision, refused } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { Bitset } from '../../../engine/base/bitset.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import type { Fault } from '../../../engine/base/fault.ts';
import type { EveryArea } from '../../area.ts';
import { fault, notFound } from '../../faults.ts';
import type { Page } from '../../people/audience/protocol.ts';
import type { CredentialRules } from '../../sending/outbox/open-credentials.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import { roomForCopies, type StoredSums } from '../../tenants/usage/stored-by-org.ts';
import { fieldWarningsFault } from '../field-warnings.ts';
import {
  campaignAuthorDecisions,
  moveCampaign,
  referencesOf,
  saved,
  withCampaign,
} from './author.ts';
import { audienceNow, begin, endedEntries } from './begin.ts';
import { changedSince, dryRunPeople, sweepDryRun } from './dry-run.ts';
import { due } from './due.ts';
import { savedEntry } from './entries.ts';
import { advised } from './fallback-caps.ts';
import type { CampaignLinks } from './link-tally.ts';
import type { CampaignsMemory, CampaignsView } from './memory.ts';
import { countedFrom, nextOf } from './next-start.ts';
import type { AdvisedCampaign, CampaignsProtocol } from './protocol.ts';
import { recipientsPage } from './recipients.ts';
import type { CampaignRecord } from './records.ts';
import { beginDryRun, endDryRun, rehearseSlice, stillCounting } from './rehearse.ts';
import { statsOf } from './stats.ts';
import { campaignFault } from './validation.ts';

function paged<Found extends Page<unknown>>(
  page: Found | { readonly fault: Fault },
): Decision<Found> {
  return 'fault' in page ? refused(page.fault) : accepted(page);
}

const noLinks: CampaignLinks = { items: [], others: { clicks: 0, people: 0 } };

/** `plan`: the operator's settings for channels. */
export interface CampaignsRules {
  readonly plan: CredentialRules;
  readonly everyArea: Pick<EveryArea<never>, 'stored'>;
}

export function campaignsDecisions({
  plan: rules,
  everyArea,
}: CampaignsRules): Omit<
  Decisions<CampaignsProtocol & CampaignsInside, CampaignsMemory>,
  'campaign.dry_run'
> {
  return {
    ...campaignAuthorDecisions,
    ...advisingDecisions,
    ...stateDecisions(rules),
    ...readDecisions(rules, everyArea.stored.sums),
  };
}

const author = campaignAuthorDecisions;

/** Those of the author whose answer may be a draft. */
const advisingDecisions: Decisions<AdvisedProtocol, CampaignsMemory> = {
  'campaign.create': (state, body, context) =>
    withAdvice(state, author['campaign.create'](state, body, context), context),

  'campaign.duplicate': (state, body, context) =>
    withAdvice(state, author['campaign.duplicate'](state, body, context), context),

  'campaign.read': (state, body, context) =>
    withAdvice(state, author['campaign.read'](state, body, context), context),

  'campaign.update': (state, body, context) =>
    withAdvice(state, author['campaign.update'](state, body, context), context),

  'campaign.archive': (state, body, context) =>
    withAdvice(state, author['campaign.archive'](state, body, context), context),

  'campaign.unarchive': (state, body, context) =>
    withAdvice(state, author['campaign.unarchive'](state, body, context), context),

  'campaign.list': (state, body, context) =>
    withApp(state, context, (app) => {
      const listed = author['campaign.list'](state, body, context);
      if (listed.outcome === 'refused') return listed;
      const items = listed.reply.items.map((one) => advised(app, one));
      return { ...listed, reply: { ...listed.reply, items } };
    }),
};

/** The decision with advice in its answer; what it stores has none. */
function withAdvice(
  { apps }: CampaignsMemory,
  decision: Decision<CampaignRecord>,
  { owner }: Context,
): Decision<AdvisedCampaign> {
  const app = apps.get(owner);
  return app === undefined || decision.outcome === 'refused'
    ? decision
    : { ...decision, reply: advised(app, decision.reply) };
}

type AdvisedProtocol = Pick<
  CampaignsProtocol,
  `campaign.${'create' | 'duplicate' | 'read' | 'update' | 'archive' | 'unarchive' | 'list'}`
>;

type StateProtocol = Pick<
  CampaignsProtocol,
  'campaign.send' | 'campaign.unschedule' | 'campaign.pause' | 'campaign.resume' | 'campaign.cancel'
>;

function stateDecisions(rules: CredentialRules): Decisions<StateProtocol, CampaignsMemory> {
  return {
    'campaign.send': (state, asked, context) =>
      moveCampaign(state, asked.id, 'send', context, (record, app) => {
        const { dryRunId, tolerance = 0, confirmWarnings, delayMs = 0 } = asked;
        const doubtful = fieldWarningsFault(record, confirmWarnings);
        if (doubtful !== undefined) return refused(doubtful);
        if (dryRunId !== undefined) {
          const audience = audienceNow(app, record, app.traits, context.nowMs);
          if (audience === 'waiting') return refused(stillCounting);
          const { documents } = context;
          const found = audience === 'gone' ? new Bitset(0) : audience;
          const other = changedSince(record, dryRunId, tolerance, found, documents);
          if (other !== undefined) return refused(other);
        }
        // A message may have changed since the draft was checked.
        const wrong = campaignFault(record, referencesOf(app, context));
        if (wrong !== undefined)
          return refused(fault('wrong_state', `this campaign cannot be sent: ${wrong.message}`));
        return send(app, record, rules, delayMs, context);
      }),

    'campaign.unschedule': (state, { id }, context) =>
      moveCampaign(state, id, 'unschedule', context, (record) => {
        const { nextMs: _due, undoMs: _until, pausedFrom: _from, ...rest } = record;
        const { activatedMs: _sent, firstMs: _first, guarded: _stop, ...more } = rest;
        const { stateReason: _why, ...draft } = more;
        return withAdvice(state, changed(draft, { state: 'draft' }, context), context);
      }),

    'campaign.pause': (state, { id }, context) =>
      moveCampaign(state, id, 'pause', context, (record) => {
        const pausedFrom = record.state === 'scheduled' ? 'scheduled' : 'sending';
        const { undoMs: _until, ...rest } = record;
        return changed(rest, { state: 'paused', pausedFrom }, context);
      }),

    'campaign.resume': (state, { id }, context) =>
      moveCampaign(state, id, 'resume', context, (record) => {
        const nextMs = resumedAt(record, context.wallMs);
        const { pausedFrom: to = 'sending', nextMs: _before, stateReason: _why, ...rest } = record;
        const { guarded: _stop, ...kept } = rest;
        const next = nextMs === undefined ? kept : { ...kept, nextMs };
        return changed(next, { state: to }, context);
      }),

    'campaign.cancel': (state, { id }, context) =>
      moveCampaign(state, id, 'cancel', context, (record, app) => {
        const { owner, nowMs } = context;
        if (record.state === 'canceled') return accepted(record);
        const { nextMs: _due, undoMs: _until, pausedFrom: _from, ...more } = record;
        const { guarded: _stop, stateReason: _why, ...rest } = more;
        const canceled = { ...rest, state: 'canceled', updatedMs: nowMs, endedMs: nowMs } as const;
        const ended = endedEntries(app, owner, id, nowMs);
        return accepted(canceled, { entries: [savedEntry(owner, canceled), ...ended] });
      }),
  };
}

function readDecisions(
  rules: CredentialRules,
  sums: StoredSums,
): Omit<
  Decisions<CampaignsProtocol & CampaignsInside, CampaignsMemory>,
  'campaign.dry_run' | keyof StateProtocol | keyof typeof campaignAuthorDecisions
> {
  return {
    'campaign.stats': (state, { ids }, context) =>
      withApp(state, context, (app) => {
        const records = ids.map((id) => app.campaigns.get(id));
        const unknown = ids.find((_, place) => records[place] === undefined);
        const which = ids.length === 1 ? 'campaign' : `campaign ${unknown}`;
        if (unknown !== undefined) return refused(notFound(which));
        const known = records.filter((record) => record !== undefined);
        return accepted(known.map((record) => statsOf(app, record, context.nowMs)));
      }),

    'campaign.recipients': (state, asked, context) =>
      withCampaign(state, asked.id, context, (record, app) =>
        paged(recipientsPage(app, record, asked, context)),
      ),

    'campaign.links': (state, { id }, context) =>
      withCampaign(state, id, context, (record, app) =>
        accepted(app.sending.linksOf(record.id)?.links ?? noLinks),
      ),

    'campaign.export': (state, page, context) =>
      withApp(state, context, (app) => {
        const listed = campaignAuthorDecisions['campaign.list'](
          state,
          { ...page, archived: 'all', kind: 'campaign.list' },
          context,
        );
        if (listed.outcome === 'refused') return listed;
        const { items, nextCursor } = listed.reply;
        const withStats = items.map((one) => [one, statsOf(app, one, context.nowMs)] as const);
        return accepted({ items: withStats, nextCursor });
      }),

    'dry_run.begin': (state, { id, times }, context) =>
      withCampaign(state, id, context, (record, app) =>
        beginDryRun(state, app, record, times, context),
      ),

    'dry_run.slice': (state, slice, context) =>
      withCampaign(state, slice.id, context, (record, app) =>
        rehearseSlice(app, rules, record, slice, context),
      ),

    'dry_run.end': (state, run, context) =>
      withCampaign(state, run.id, context, (record) => endDryRun(record, run, context)),

    'dry_run.people': (state, asked, context) =>
      withCampaign(state, asked.id, context, (record) => dryRunPeople(record, asked, context)),

    'dry_run.sweep': (_state, { dryRunId }, context) => {
      const { entries, writes } = sweepDryRun(dryRunId, context);
      return accepted(null, { entries, documents: writes });
    },

    'campaign.due': (state, { id }, context) =>
      withApp(state, context, (app) => {
        const campaign = app.campaigns.get(id);
        if (campaign === undefined) return accepted(null);
        const room = roomForCopies(state, sums, app.record.org, context.nowMs);
        return due(app, rules, campaign, context, room);
      }),
  };
}

export interface CampaignsInside {
  'campaign.due': { body: Caller & { id: string }; reply: null };
  'dry_run.sweep': { body: Caller & { dryRunId: string }; reply: null };
}

/** Sends a draft: starts or schedules it, after `delayMs` at the earliest. */
function send(
  app: CampaignsView,
  draft: CampaignRecord,
  rules: CredentialRules,
  delayMs: Millis,
  context: Context,
): Decision<CampaignRecord> {
  const { owner, nowMs, wallMs } = context;
  const sent = countedFrom({ ...draft, activatedMs: wallMs }, wallMs);
  const { schedule } = draft;
  const atMs = schedule.type === 'at' ? schedule.atMs : wallMs;
  const isRecurring = schedule.type === 'recurring';
  const plannedMs = isRecurring ? nextOf(sent, wallMs - 1) : Math.max(atMs, wallMs);
  if (plannedMs === undefined)
    return refused(
      fault('wrong_state', 'this campaign has no occurrence left: its schedule has ended'),
    );
  const nextMs = Math.max(plannedMs, wallMs + delayMs);
  const undo = nextMs > plannedMs ? { undoMs: nextMs } : {};
  const isAhead = nextMs > wallMs || isRecurring;
  if (!isAhead) {
    const begun = begin(app, rules, sent, context);
    if (begun !== 'waiting') {
      const { entries, documents } = begun;
      return accepted(begun.campaign, { entries, documents });
    }
  }
  const state = isAhead ? 'scheduled' : 'sending';
  const next: CampaignRecord = { ...sent, state, nextMs, ...undo, updatedMs: nowMs };
  return accepted(next, { entries: [savedEntry(owner, next)] });
}

/**
 * When a resumed campaign starts next. If its time has passed: now, but a recurring campaign that
 * was not late waits for its next occurrence.
 */
function resumedAt(record: CampaignRecord, wallMs: Millis): Millis | undefined {
  const { nextMs, schedule, stateReason } = record;
  if (nextMs === undefined || nextMs > wallMs) return nextMs;
  return schedule.type === 'recurring' && stateReason !== 'late' ? nextOf(record, wallMs) : wallMs;
}

function changed(
  record: CampaignRecord,
  change: Partial<CampaignRecord>,
  context: Context,
): Decision<CampaignRecord> {
  return saved({ ...record, ...change, updatedMs: context.nowMs }, context);
}
