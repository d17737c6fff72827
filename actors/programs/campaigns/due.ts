// What a campaign does by time, or because it has nothing left to do: start occurrences, release
// held people, decide experiments, start fallbacks, end. Every instant follows from memory, so no
// timer can be missed; after a downtime the same question finds what came due meanwhile.

import {
  accepted,
  type Context,
  type Decision,
  type Entry,
} from '../../../engine/actor/message.ts';
import { type Bytes, type Millis, minuteMs, type Ordinal } from '../../../engine/base/brand.ts';
import { isDeferral } from '../../sending/dispatch/entries.ts';
import type { CredentialRules } from '../../sending/outbox/open-credentials.ts';
import { begin, canBegin, lateMs } from './begin.ts';
import { isFinished } from './campaigns.ts';
import { type CampaignsEntry, savedEntry } from './entries.ts';
import { guardedCampaign, guardSays, guardStop } from './guarding.ts';
import type { CampaignsView } from './memory.ts';
import { nextOf } from './next-start.ts';
import { type Occurrence, planOf } from './occurrence.ts';
import { experimentEndsMs, throttledUntilMs } from './pace.ts';
import type { CampaignGuarded } from './protocol.ts';
import type { CampaignPlan, CampaignRecord } from './records.ts';
import { attributedMs } from './sending.ts';
import { warmUpUntilMs } from './warming.ts';
import { winnerOf } from './winner.ts';

export function due(
  app: CampaignsView,
  rules: CredentialRules,
  campaign: CampaignRecord,
  context: Context,
  room: Bytes,
): Decision<null> {
  const { owner, nowMs, wallMs } = context;
  const entries: Entry[] = [];
  const stop = guardStop(app, campaign);
  if (stop !== undefined) return guarded(app, guardedCampaign(campaign, stop, nowMs), owner);
  if (isActive(campaign) && (campaign.nextMs ?? Infinity) <= wallMs) {
    const late = whenLate(campaign, context);
    // Neither skip nor hold what may not be late: the clock may be wrong.
    if (late !== undefined && context.ages.isUnsure(campaign.nextMs ?? wallMs))
      return accepted(null);
    if (late !== undefined) return accepted(null, { entries: [savedEntry(owner, late)] });
    const begun = begin(app, rules, campaign, context, room);
    if (begun !== 'waiting') {
      const { entries, documents } = begun;
      return accepted(null, { entries, documents });
    }
  }
  const occurrences = app.sending.of(campaign.id);
  for (const occurrence of occurrences) {
    const entry = dueOf(campaign, occurrence, nowMs);
    if (entry === undefined) continue;
    const { number } = occurrence;
    const whole = { ...entry, owner, campaignId: campaign.id, occurrence: number, atMs: nowMs };
    entries.push(whole as CampaignsEntry);
  }
  const ending = entries.filter(({ kind }) => kind === 'campaign.occurrence_ended').length;
  // In one decision: who hears of the last occurrence's end finds the campaign completed.
  if (isOver(campaign, occurrences, ending)) {
    const over = { ...campaign, state: 'completed', updatedMs: nowMs, endedMs: nowMs } as const;
    entries.push(savedEntry(owner, over));
  }
  return accepted(null, { entries });
}

/**
 * The first `max` campaigns of an app that are due now, and when the next will be. `behindMs`: how
 * far the wall clock is behind.
 */
export function dueOfApp(
  app: CampaignsView,
  nowMs: Millis,
  max: number,
  behindMs: Millis = 0,
): { readonly due: readonly CampaignRecord[]; readonly nextMs: Millis | undefined } {
  const due: CampaignRecord[] = [];
  let nextMs = Number.POSITIVE_INFINITY;
  for (const campaign of dueCampaigns(app)) {
    const dueMs = dueMsOf(app, campaign, nowMs, behindMs);
    if (dueMs <= nowMs && due.push(campaign) === max) return { due, nextMs: nowMs };
    nextMs = Math.min(nextMs, dueMs);
  }
  return { due, nextMs: nextMs === Number.POSITIVE_INFINITY ? undefined : nextMs };
}

/** Tells the front to mail the owners, once the pause is durable. */
function guarded(app: CampaignsView, campaign: CampaignRecord, owner: Ordinal): Decision<null> {
  const { org, id: appId } = app.record;
  const { text = '' } = guardSays(campaign) ?? {};
  const { id: campaignId } = campaign;
  const message: CampaignGuarded = { kind: 'campaign.guarded', org, appId, campaignId, text };
  const effects = [{ port: 'front' as const, message }];
  return accepted(null, { entries: [savedEntry(owner, campaign)], effects });
}

function isActive({ state }: CampaignRecord): boolean {
  return state === 'scheduled' || state === 'sending';
}

/** Unfinished campaigns, and finished ones that still count opens and clicks. */
function* dueCampaigns({ campaigns, sending }: CampaignsView): Generator<CampaignRecord> {
  yield* campaigns.unfinishedRecords();
  for (const id of sending.campaignIds()) {
    const campaign = campaigns.get(id);
    if (campaign !== undefined && isFinished(campaign)) yield campaign;
  }
}

function dueMsOf(
  app: CampaignsView,
  campaign: CampaignRecord,
  nowMs: Millis,
  behindMs: Millis,
): Millis {
  // Its schedule goes by the wall clock.
  const nextMs = campaign.nextMs === undefined ? undefined : campaign.nextMs + behindMs;
  if (guardStop(app, campaign) !== undefined) return 0;
  let next = Number.POSITIVE_INFINITY;
  if (isActive(campaign) && nextMs !== undefined)
    if (nextMs > nowMs || canBegin(app, campaign)) next = nextMs;
  const occurrences = app.sending.of(campaign.id);
  for (const occurrence of occurrences)
    next = Math.min(next, occurrenceDueMs(app, campaign, occurrence, occurrences, nowMs));
  return isOver(campaign, occurrences, 0) ? 0 : next;
}

function occurrenceDueMs(
  app: CampaignsView,
  campaign: CampaignRecord,
  occurrence: Occurrence,
  all: readonly Occurrence[],
  nowMs: Millis,
): Millis {
  if (occurrence.endedMs !== null) return occurrence.endedMs + attributedMs;
  if (campaign.state !== 'sending') return Number.POSITIVE_INFINITY;
  const plan = planOf(campaign, occurrence);
  const step = stepOf(plan, occurrence, nowMs);
  if (step !== undefined) return 0;
  let next = Number.POSITIVE_INFINITY;
  for (const lane of occurrence.lanes) next = Math.min(next, lane.nextReleaseMs ?? next);
  if (awaitsWinner(plan, occurrence)) next = Math.min(next, experimentEndsMs(plan, occurrence));
  if (occurrence.stage === 'waiting') next = Math.min(next, later(occurrence.fallbackMs, nowMs));
  const isThrottled = occurrence.lanes.some(({ left }) => left > 0);
  if (isThrottled) next = Math.min(next, throttledUntilMs(campaign, all, nowMs) ?? next);
  return Math.min(next, warmUpUntilMs(app, occurrence, nowMs) ?? next);
}

/** Infinity for a past instant, since something else is awaited by then. */
function later(atMs: Millis | null, nowMs: Millis): Millis {
  return atMs === null || atMs <= nowMs ? Number.POSITIVE_INFINITY : atMs;
}

type Step =
  | { readonly kind: 'campaign.answered_for_good' }
  | { readonly kind: 'campaign.won'; readonly variant: string }
  | { readonly kind: 'campaign.released' }
  | { readonly kind: 'campaign.fallback_awaited'; readonly untilMs: Millis }
  | { readonly kind: 'campaign.fallback_began' }
  | { readonly kind: 'campaign.occurrence_ended' };

function dueOf(campaign: CampaignRecord, occurrence: Occurrence, nowMs: Millis): Step | undefined {
  if (occurrence.endedMs !== null)
    return occurrence.endedMs + attributedMs <= nowMs
      ? { kind: 'campaign.answered_for_good' }
      : undefined;
  if (campaign.state !== 'sending') return undefined;
  return stepOf(planOf(campaign, occurrence), occurrence, nowMs);
}

/** The next step of an open occurrence, if its time has come. Each step may cause the next. */
function stepOf(campaign: CampaignPlan, occurrence: Occurrence, nowMs: Millis): Step | undefined {
  const { stage, lanes, fallbackMs } = occurrence;
  if (awaitsWinner(campaign, occurrence) && experimentEndsMs(campaign, occurrence) <= nowMs)
    return { kind: 'campaign.won', variant: winnerOf(campaign, occurrence.tally) };
  if (lanes.some(({ nextReleaseMs }) => (nextReleaseMs ?? Infinity) <= nowMs))
    return { kind: 'campaign.released' };
  const { fallbackAfterMinutes } = campaign;
  if (stage === 'primary' && fallbackAfterMinutes !== undefined)
    return hasPassed(occurrence)
      ? { kind: 'campaign.fallback_awaited', untilMs: nowMs + fallbackAfterMinutes * minuteMs }
      : undefined;
  if (stage === 'waiting')
    return (fallbackMs ?? 0) <= nowMs && occurrence.unitsLeft === 0
      ? { kind: 'campaign.fallback_began' }
      : undefined;
  return occurrence.isIdle ? { kind: 'campaign.occurrence_ended' } : undefined;
}

/** Whether everyone had their turn, apart from people held by policy. */
function hasPassed({ lanes }: Occurrence): boolean {
  return lanes.every(
    (lane) => lane.left === 0 && lane.parked().every(({ reason }) => isDeferral(reason)),
  );
}

function awaitsWinner({ experiment }: CampaignPlan, { winner }: Occurrence): boolean {
  return experiment !== undefined && winner === null;
}

/**
 * Whether a campaign is done, once `ending` of its occurrences have ended. A schedule may end while
 * paused, before its first occurrence.
 */
function isOver(
  campaign: CampaignRecord,
  occurrences: readonly Occurrence[],
  ending: number,
): boolean {
  const open = occurrences.filter(({ endedMs }) => endedMs === null).length;
  return isActive(campaign) && campaign.nextMs === undefined && open === ending;
}

/** The campaign after a start missed by hours; `undefined` if it starts anyway. */
function whenLate(
  campaign: CampaignRecord,
  { nowMs, wallMs }: Pick<Context, 'nowMs' | 'wallMs'>,
): CampaignRecord | undefined {
  const { nextMs = wallMs, ifLate, state, schedule } = campaign;
  if (wallMs - nextMs <= lateMs || ifLate === 'send') return undefined;
  const { nextMs: _missed, undoMs: _until, ...rest } = campaign;
  const changed = { ...rest, updatedMs: nowMs };
  if (ifLate === 'hold')
    return {
      ...changed,
      nextMs,
      state: 'paused',
      stateReason: 'late',
      pausedFrom: state === 'sending' ? 'sending' : 'scheduled',
    };
  const following = nextOf(campaign, wallMs);
  if (following !== undefined)
    return { ...changed, nextMs: following, stateReason: 'skipped_late' };
  // Its last occurrence was missed.
  if (schedule.type === 'recurring' && state === 'sending') return changed;
  return { ...changed, state: 'completed', stateReason: 'skipped_late', endedMs: nowMs };
}
