// What a restore does to sends that were pending when its backup was cut. The restore raised the
// store's epoch; the log still tells of the old one, and as long as they differ nothing is granted.
// The first turn after the start writes `partition.restored`, which closes the gap, and with `none`
// holds every open send: held sends never start, and get their receipts (`failed`,
// `unknown_outcome`: dead letters that an operator may redrive) in bounded turns. With
// `transactional` it does that to marketing alone. Campaigns that were under way, or may have begun
// since the cut, wait for their author. What a reader would get wrong: the entry names no sends.
// Which are held follows from where it stands in the log.

import { accepted, type Entry, type Tell } from '../../engine/actor/message.ts';
import type { Applies, Decisions } from '../../engine/actor/protocol.ts';
import type { Millis, Ordinal } from '../../engine/base/brand.ts';
import type { Erasure } from '../../storage/erasures.ts';
import type { ResendMode } from '../../storage/meta.ts';
import type { CampaignsEntry } from '../programs/campaigns/entries.ts';
import type { CampaignRecord } from '../programs/campaigns/records.ts';
import type { Job } from '../sending/transactional/job.ts';
import type { Settlement } from '../sending/transactional/protocol.ts';
import { SettlementBatch } from '../sending/transactional/report.ts';
import type { AppState, PartitionState } from '../state.ts';
import { withApp } from '../tenants/accounts/decide.ts';
import type { Caller } from '../tenants/accounts/protocol.ts';
import { restoredAbandonTimer } from '../timers.ts';
import { eraseAgain } from './erasure.ts';

/**
 * Sends that one turn looks at, per app; each has at most as many targets as a person has devices.
 */
const sendsPerTurn = 250;

interface Life {
  readonly epoch: number;
  readonly resend: ResendMode;
}

/**
 * What the store says of its last restore: its epoch; memory has acted on it when its own is as
 * high.
 */
export interface Restored extends Life {
  /**
   * Who was erased, by the list that is kept apart from backups. Asked once, when the restore is
   * acted on.
   */
  erased(): readonly Erasure[];
}

interface RestoredProtocol {
  'restored.begin': { body: Caller & Life; reply: null };
  'restored.abandon': { body: Caller; reply: null };
}

export type RestoredEntry = Entry &
  Life & {
    readonly kind: 'partition.restored';
    /** When it was acted on; older logs do not say. */
    readonly atMs?: Millis;
  };

/** True from a restore until a turn has acted on it; nothing leaves before. */
export function isRestorePending(state: PartitionState, restored: Restored | undefined): boolean {
  return restored !== undefined && restored.epoch > state.epoch;
}

/**
 * The messages that act on a restore, for the head of the first turn; none when there was none, or
 * it has been done. Whom it brought back is erased first, so that a crash before the end does all
 * of it again.
 */
export function restoredTells(
  state: PartitionState,
  restored: Restored | undefined,
): readonly Tell[] {
  if (restored === undefined || !isRestorePending(state, restored)) return [];
  const { epoch, resend } = restored;
  const here = restored.erased().filter(({ app }) => state.apps.has(app));
  const begin = { to: 0, message: { kind: 'restored.begin', by: -1, epoch, resend } };
  return [...eraseAgain(here), begin];
}

/** The decisions after a restore; both only ever come from inside. */
export const restoredDecisions: Decisions<RestoredProtocol, PartitionState> = {
  'restored.begin': (state, { epoch, resend }, context) => {
    if (epoch <= state.epoch) return accepted(null);
    const entry: RestoredEntry = {
      kind: 'partition.restored',
      owner: 0,
      epoch,
      resend,
      atMs: context.nowMs,
    };
    const entries: Entry[] = [entry];
    if (resend !== 'all') {
      // By timers, not tells: they are in the same block, so no crash can leave a send held without
      // its receipt.
      for (const [owner, app] of state.apps) {
        if (app.outbox.jobs.size > 0) entries.push(restoredAbandonTimer(owner, context.nowMs));
        for (const { record } of app.campaigns.unfinished())
          if (mayHaveLeft(record, context.nowMs))
            entries.push(heldCampaign(owner, record, context.nowMs));
      }
    }
    return accepted(null, { entries });
  },

  'restored.abandon': (state, _message, context) =>
    withApp(state, context, (app) => {
      const jobs = app.outbox.held(sendsPerTurn);
      if (jobs.length === 0) return accepted(null);
      const batch = new SettlementBatch(app, context);
      for (const job of jobs) {
        job.targets.forEach((target, index) => {
          if (target.state !== 'done') batch.add(job, index, unknownOutcome(job, target.attempts));
        });
      }
      const entries = batch.entries(null);
      if (isMoreHeld(app, jobs)) entries.push(restoredAbandonTimer(context.owner, context.nowMs));
      return accepted(null, { entries, documents: batch.documents() });
    }),
};

/** The fold of a restore. */
export const restoredApplies: Applies<RestoredEntry, PartitionState> = {
  'partition.restored': (state, { epoch, resend, atMs = 0 }) => {
    state.epoch = epoch;
    if (resend === 'all') return;
    for (const app of state.apps.values()) {
      app.outbox.hold(resend === 'none' ? 'all' : 'marketing');
      app.sending.hold();
      app.journeys.hold(atMs);
    }
  },
};

function isMoreHeld(app: AppState, jobs: readonly Job[]): boolean {
  return app.outbox.held(jobs.length + 1).length > jobs.length;
}

/** Whether something of a campaign may have left between the cut and the restore. */
function mayHaveLeft({ state, nextMs = Number.POSITIVE_INFINITY }: CampaignRecord, nowMs: Millis) {
  return state === 'sending' || (state === 'scheduled' && nextMs <= nowMs);
}

/** A campaign that was under way goes on when its author says so. */
function heldCampaign(owner: Ordinal, campaign: CampaignRecord, nowMs: Millis): CampaignsEntry {
  const paused: CampaignRecord = {
    ...campaign,
    state: 'paused',
    stateReason: 'restored',
    pausedFrom: campaign.state === 'scheduled' ? 'scheduled' : 'sending',
    updatedMs: nowMs,
  };
  return { kind: 'campaign.saved', owner, campaign: paused };
}

function unknownOutcome({ person }: Job, attempts: number): Settlement {
  const receipt = { person, status: 'failed', reason: 'unknown_outcome', attempts } as const;
  return { next: 'done', receipt };
}
