// Creates, reads, changes, deletes and lists campaigns. A change is merged first and the result is
// checked as a whole (`validation.ts`). Source: contract, section 6.

import { accepted, type Context, type Decision, refused } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { newId } from '../../../engine/base/id.ts';
import { forgetCopies } from '../../../storage/tables/content-copy.ts';
import { validateFilter } from '../../audiences/segments/find-segment.ts';
import { channelIds } from '../../channels/channel-ids.ts';
import { readMessage } from '../../content/messages/read-message.ts';
import { copiedName } from '../../copied-name.ts';
import { fault, notFound } from '../../faults.ts';
import { limits } from '../../limits.ts';
import { isNamed, numberedPage } from '../../list-order.ts';
import type { CountedPage } from '../../people/audience/protocol.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import { withFieldWarnings } from '../field-warnings.ts';
import { isFinished } from './campaigns.ts';
import { type CampaignsEntry, savedEntry } from './entries.ts';
import { type CampaignVerb, transition } from './lifecycle.ts';
import type { CampaignsMemory, CampaignsView } from './memory.ts';
import { countedFrom, nextOf } from './next-start.ts';
import type { CampaignChange, CampaignsProtocol } from './protocol.ts';
import type { CampaignRecord, CampaignSpec } from './records.ts';
import { type CampaignReferences, campaignFault, givenScheduleFault } from './validation.ts';

type AuthorKind =
  | 'create'
  | 'duplicate'
  | 'read'
  | 'update'
  | 'archive'
  | 'unarchive'
  | 'delete'
  | 'list';
type AuthorProtocol = Pick<CampaignsProtocol, `campaign.${AuthorKind}`>;

/** Fields that a call may omit and every campaign has. */
type Defaulted = 'name' | 'messageId' | 'schedule' | 'ifLate';
type Unfinished = Omit<CampaignRecord, Defaulted> & Partial<Pick<CampaignRecord, Defaulted>>;

export const campaignAuthorDecisions: Decisions<AuthorProtocol, CampaignsMemory> = {
  'campaign.create': (state, { input, doubts }, context) =>
    withApp(state, context, (app) => {
      const fresh = freshDraft(app, context);
      return 'fault' in fresh
        ? refused(fresh.fault)
        : write(app, withFieldWarnings<Unfinished>(fresh, doubts), { input, removed: [] }, context);
    }),

  'campaign.duplicate': (state, { id, name }, context) =>
    withCampaign(state, id, context, (record, app) => {
      const fresh = freshDraft(app, context);
      if ('fault' in fresh) return refused(fresh.fault);
      const named = { ...specOf(record), name: name ?? copiedName(record.name), ...fresh };
      const wrong = campaignFault(named, referencesOf(app, context));
      if (wrong === undefined) return saved(named, context);
      return refused(fault('wrong_state', `this campaign cannot be duplicated: ${wrong.message}`));
    }),

  'campaign.read': (state, { id }, context) =>
    withCampaign(state, id, context, (record) => accepted(record)),

  'campaign.update': (state, { id, change, doubts }, context) =>
    changeCampaign(state, id, change, context, (record, app) => {
      const before = withFieldWarnings({ ...record, updatedMs: context.nowMs }, doubts);
      return write(app, before, change, context);
    }),

  'campaign.archive': (state, { id }, context) =>
    moveCampaign(state, id, 'archive', context, (record) =>
      record.archivedMs === undefined
        ? saved(
            { ...record, archivedMs: context.nowMs, updatedMs: afterEnd(record, context) },
            context,
          )
        : accepted(record),
    ),

  'campaign.unarchive': (state, { id }, context) =>
    withCampaign(state, id, context, (record) => {
      const { archivedMs, ...rest } = record;
      if (archivedMs === undefined) return accepted(record);
      return saved({ ...rest, updatedMs: afterEnd(record, context) }, context);
    }),

  'campaign.delete': (state, { id }, context) =>
    moveCampaign(state, id, 'delete', context, (record) => {
      const entry: CampaignsEntry = { kind: 'campaign.deleted', owner: context.owner, id };
      return accepted(null, { entries: [entry], documents: forgetCopies(record.id, context) });
    }),

  'campaign.list': (state, asked, context) =>
    withApp(state, context, ({ campaigns }): Decision<CountedPage<CampaignRecord>> => {
      const { state: only, archived, q, createdFromMs = 0, createdToMs = Infinity } = asked;
      const page = numberedPage('campaigns', context.owner, campaigns.records(), asked, {
        number: ({ number }) => number,
        isWanted: (one) =>
          (only === undefined || one.state === only) &&
          (archived === 'all' || (one.archivedMs !== undefined) === (archived === 'only')) &&
          one.createdMs >= createdFromMs &&
          one.createdMs < createdToMs &&
          isNamed(one.name, q),
      });
      return 'fault' in page ? refused(page.fault) : accepted(page);
    }),
};

/** The guard may change while the campaign runs: whoever knows better turns it off and resumes. */
function isOfGuard({ input, removed }: CampaignChange): boolean {
  return input.guard !== undefined && Object.keys(input).length === 1 && removed.length === 0;
}

function changeCampaign(
  state: CampaignsMemory,
  id: string,
  change: CampaignChange,
  context: Context,
  decide: (record: CampaignRecord, app: CampaignsView) => Decision<CampaignRecord>,
): Decision<CampaignRecord> {
  const record = state.apps.get(context.owner)?.campaigns.get(id);
  if (record === undefined || record.state === 'draft' || isFinished(record) || !isOfGuard(change))
    return moveCampaign(state, id, 'change', context, decide);
  return saved(withGuard(record, change.input.guard, afterEnd(record, context)), context);
}

function withGuard(
  record: CampaignRecord,
  guard: CampaignRecord['guard'],
  updatedMs: Millis,
): CampaignRecord {
  const { guard: _before, ...rest } = record;
  return inOrder({ ...rest, ...(guard === undefined ? {} : { guard }), updatedMs });
}

/** A draft without its choices, or why there is no room for it. */
function freshDraft(
  { campaigns }: CampaignsView,
  { owner, nowMs, rng }: Context,
): Pick<CampaignRecord, 'id' | 'number' | 'state' | 'createdMs' | 'updatedMs'> | { fault: Fault } {
  if (campaigns.size >= limits.campaignsMax) {
    const problem = `an app has at most ${limits.campaignsMax} campaigns; delete a finished one first`;
    return { fault: fault('limit_reached', problem) };
  }
  return {
    id: newId('cmp', owner, nowMs, rng),
    number: campaigns.nextNumber,
    state: 'draft',
    createdMs: nowMs,
    updatedMs: nowMs,
  };
}

/** What its author chose, without what became of it. */
function specOf(record: CampaignRecord): CampaignSpec {
  const { id: _id, number: _number, state: _state, stateReason: _why, ...rest } = record;
  const { pausedFrom: _from, nextMs: _due, ttlMs: _life, copy: _copy, ...more } = rest;
  const {
    activatedMs: _sent,
    occurrences: _many,
    createdMs: _made,
    updatedMs: _at,
    ...last
  } = more;
  const { firstMs: _anchor, startedMs: _first, endedMs: _last, archivedMs: _put, ...own } = last;
  const { guarded: _stop, undoMs: _until, ...spec } = own;
  return spec;
}

/** Runs `decide` on a campaign of this app, or refuses with `not_found`. */
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

/** As `withCampaign`; refuses a verb that the campaign's state does not allow. */
export function moveCampaign<R>(
  state: CampaignsMemory,
  id: string,
  verb: CampaignVerb,
  context: Context,
  decide: (record: CampaignRecord, app: CampaignsView) => Decision<R>,
): Decision<R> {
  return withCampaign(state, id, context, (record, app) => {
    const isUnderWay = app.sending.of(id).some(({ endedMs }) => endedMs === null);
    const after = transition({ ...record, isUnderWay }, verb, context.wallMs);
    return 'fault' in after ? refused(after.fault) : decide(record, app);
  });
}

export function saved(
  campaign: CampaignRecord,
  { owner }: Context,
  replacesPlan = false,
): Decision<CampaignRecord> {
  return accepted(campaign, { entries: [savedEntry(owner, campaign, replacesPlan)] });
}

/** Only the save that ends a campaign, or that its guard causes, has one instant for both. */
function afterEnd({ endedMs = 0, guarded }: CampaignRecord, { nowMs }: Context): Millis {
  return Math.max(nowMs, endedMs + 1, (guarded?.atMs ?? 0) + 1);
}

export function referencesOf(
  { segments, topics }: CampaignsView,
  context: Context,
): CampaignReferences {
  return {
    content: (messageId) => readMessage(messageId, context)?.content,
    hasSegment: (segmentId) => segments.has(segmentId),
    hasTopic: (key) => topics.has(key),
  };
}

/** Merges a change, checks the result and saves it. */
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
      : givenScheduleFault(given.schedule, context.wallMs)) ??
    campaignFault(record, referencesOf(app, context));
  if (wrong !== undefined) return refused(wrong);
  const isTimed = given.schedule !== undefined || removed.includes('schedule');
  const timed = isTimed ? rescheduled(record, context.wallMs) : record;
  if ('fault' in timed) return refused(timed.fault);
  return saved(timed, context, app.sending.of(record.id).length > 0);
}

/** A campaign that runs already, with the next start of a schedule that it was given. */
function rescheduled(
  campaign: CampaignRecord,
  wallMs: Millis,
): CampaignRecord | { readonly fault: Fault } {
  if (campaign.state === 'draft') return campaign;
  if (campaign.schedule.type !== 'recurring') {
    const problem =
      'expected recurring, because the campaign is already recurring; unschedule it to use another type';
    return { fault: fieldFault('schedule.type', problem) };
  }
  const counted = countedFrom(campaign, wallMs);
  const nextMs = nextOf(counted, wallMs);
  if (nextMs !== undefined) return { ...counted, nextMs };
  return { fault: fieldFault('schedule.endAt', 'leaves no occurrence from now on') };
}

/** A copy without the fields that a change removes; `write` then applies defaults. */
function without(record: Unfinished, removed: readonly (keyof CampaignSpec)[]): Unfinished {
  const gone: ReadonlySet<string> = new Set(removed);
  const kept = Object.entries(record).filter(([member]) => !gone.has(member));
  return Object.fromEntries(kept) as unknown as Unfinished;
}

/** Sorts channels as the catalog does and drops fields that equal their default. */
function inOrder(record: CampaignRecord): CampaignRecord {
  const { channels, fallbackChannels, optimalTime, holdoutShare, guard, ...rest } = record;
  const isOwnGuard = guard === null || Object.keys(guard ?? {}).length > 0;
  const ordered = (chosen: typeof channels = []) => channelIds.filter((id) => chosen.includes(id));
  return {
    ...rest,
    ...(channels === undefined ? {} : { channels: ordered(channels) }),
    ...(fallbackChannels === undefined ? {} : { fallbackChannels: ordered(fallbackChannels) }),
    ...(optimalTime === true ? { optimalTime } : {}),
    ...(holdoutShare === undefined || holdoutShare === 0 ? {} : { holdoutShare }),
    ...(guard === undefined || !isOwnGuard ? {} : { guard }),
  };
}
