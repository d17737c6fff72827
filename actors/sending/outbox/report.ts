// Settles outcomes that dispatchers report: receipts on the send's row, retries, channel health,
// and their effects on people and dead letters.

import {
  accepted,
  type Context,
  type Decision,
  type DocumentWrite,
  type Entry,
} from '../../../engine/actor/message.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import { type SendOutcomeRow, type SendRow, sends } from '../../../storage/tables/send.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { Outcome } from '../../channels/port/outcome.ts';
import type { AccountsReads } from '../../tenants/accounts/reads.ts';
import { MailTally } from '../mailboxes/tally.ts';
import { othersSlowed } from './account-calls.ts';
import { isActivity, outcomeForActivity } from './activity-push.ts';
import type { ProviderHealth } from './circuit.ts';
import { DeviceSends } from './device-sends.ts';
import type { Job, Target } from './job.ts';
import type { AttemptReport, OutboxEntry } from './protocol.ts';
import { healthAfter, healthAfterProbe, pauseEnds, withoutProbes } from './provider-health.ts';
import { readableSend } from './readable-send.ts';
import type { SendsReads, SendsView } from './reads.ts';
import type { LateStatus, Origin, Receipt, Settlement } from './records.ts';
import { type RelayRules, relaysNow, streamOf, whenDayEnds } from './relay-rules.ts';
import { isTakenElsewhere } from './relay-turns.ts';
import { ResultPolls } from './result-polls.ts';
import { sendKey } from './send-key.ts';
import { isInterrupted, settle } from './settle.ts';
import {
  type LetterChange,
  type SettlementContext,
  SettlementEffects,
  unchanged,
} from './settlement-effects.ts';
import { channelResumeTimer, sendWakeTimer } from './timers.ts';

type SettledItem = Extract<OutboxEntry, { kind: 'attempts.settled' }>['items'][number];

type Tried = Pick<Target, 'deviceId' | 'channel'>;

/** A send whose callback arrived after its end. */
export interface LateReport {
  readonly person: PersonOrdinal;
  readonly origin?: Omit<Origin, 'copy'>;
  /** Of a failed marketing send: its dead letter's instant; whether it still counts as failed. */
  readonly failedMs?: Millis;
  readonly isFailed?: boolean;
  /** Its relay had accepted it, and reports now. */
  readonly wasAccepted?: boolean;
}

/** The writes of a batch of settlements; each record is read and written once. */
export class SettlementBatch {
  readonly #items = new Map<ChannelId, SettledItem[]>();
  readonly #timers: Entry[] = [];
  readonly #app: SendsView;
  readonly #context: SettlementContext;
  readonly #sends = new Map<string, SendRow>();
  readonly effects: SettlementEffects;
  readonly #polls: ResultPolls;
  /** What later callbacks of devices will need. */
  readonly deviceSends: DeviceSends;

  constructor(app: SendsView, context: SettlementContext) {
    this.#app = app;
    this.#context = context;
    this.effects = new SettlementEffects(app, context);
    this.deviceSends = new DeviceSends(app, context);
    this.#polls = new ResultPolls(context);
  }

  get isEmpty(): boolean {
    return this.#items.size === 0;
  }

  /** A record that cannot be read is left out: an attempt that never ends would hold credit. */
  add(job: Job, index: number, settlement: Settlement, outcome?: Outcome): void {
    const target = job.targets[index] as Target;
    const isTest =
      settlement.next === 'done' && this.#receive(job, target, settlement.receipt)?.test === true;
    this.#addItem(target.channel, {
      sendId: job.sendId,
      target: index,
      deviceId: target.deviceId,
      settlement: isTest
        ? { next: 'done', receipt: { ...settlement.receipt, test: true } }
        : settlement,
      ...(job.origin === undefined ? {} : { origin: job.origin }),
      ...(target.deadLetter === undefined ? {} : { isRedriven: true as const }),
    });
    if (settlement.next === 'waiting') {
      this.#timers.push(sendWakeTimer(this.#context.owner, job.sendId, settlement.dueMs));
    }
    if (settlement.next !== 'done') return;
    this.deviceSends.ended(job.sendId, target, settlement.receipt, job.origin);
    if (outcome?.outcome === 'accepted') this.#polls.sent(target.channel);
    this.effects.ofOutcome(job.person, target, outcome);
  }

  /**
   * After the end of a send: the receipt becomes the device's newest, and a delivery recovers a
   * failure's dead letter.
   */
  endLate(
    sendId: string,
    tried: Tried,
    { person, origin, failedMs, isFailed, wasAccepted }: LateReport,
    status: LateStatus,
    reason?: string,
  ): void {
    const { deviceId, channel } = tried;
    const row = this.rowOf(sendId);
    const before = row?.outcomes.findLast((one) => one.deviceId === deviceId);
    const receipt: Receipt = {
      person,
      status,
      attempts: before?.attempts ?? 1,
      ...(reason === undefined ? {} : { reason }),
      ...(row?.test === undefined ? {} : { test: row.test }),
    };
    if (row !== undefined) {
      // The letter lies at the instant of the first failure.
      const failed = row.outcomes.find(
        (one) => one.deviceId === deviceId && one.status === 'failed',
      );
      const change = failed === undefined ? unchanged : this.effects.ofLate(sendId, failed, status);
      this.#addReceipt(sendId, row, outcomeRow(tried, receipt, this.#context.nowMs), change);
    } else if (failedMs !== undefined) {
      this.effects.ofLate(sendId, { deviceId, atMs: failedMs }, status);
      this.deviceSends.endedLate(sendId, deviceId, status);
    }
    this.#addItem(channel, {
      sendId,
      target: 0,
      deviceId,
      settlement: { next: 'done', receipt },
      isLate: true,
      ...(isFailed === true ? { isRedriven: true } : {}),
      ...(wasAccepted === true ? { wasAccepted: true } : {}),
      ...(origin === undefined ? {} : { origin }),
    });
  }

  /** A later callback gave a graver reason for the bounce. */
  reword(sendId: string, deviceId: string, from: string, reason: string): void {
    const row = this.rowOf(sendId);
    if (row === undefined) return;
    const outcomes = row.outcomes.map((one) =>
      one.deviceId === deviceId && one.status === 'bounced' && one.reason === from
        ? { ...one, reason }
        : one,
    );
    this.#sends.set(sendId, { ...row, outcomes });
  }

  /** A send's row with the changes of this batch. */
  rowOf(sendId: string): SendRow | undefined {
    const { documents, owner } = this.#context;
    return this.#sends.get(sendId) ?? readableSend(documents, owner, sendId);
  }

  documents(): readonly DocumentWrite[] {
    const rows = [...this.#sends].map(([id, row]) => ({
      table: sends,
      key: sendKey(this.#context.owner, id) ?? [],
      value: row,
    }));
    return [
      ...rows,
      ...this.effects.documents(),
      ...this.deviceSends.documents(),
      ...this.#polls.documents(),
    ];
  }

  /** Adds the receipt to the send's row, if it has one. Returns the row before. */
  #receive(job: Job, target: Target, receipt: Receipt): SendRow | undefined {
    const { sendId, origin } = job;
    if (origin !== undefined) {
      this.effects.ofReceipt(sendId, target, receipt, origin);
      return undefined;
    }
    const row = this.rowOf(sendId);
    if (row === undefined) return undefined; // swept by retention, or unreadable
    const told = row.test === true ? { ...receipt, test: row.test } : receipt;
    const change = this.effects.ofReceipt(sendId, target, told);
    const { nowMs } = this.#context;
    this.#addReceipt(sendId, row, outcomeRow(target, receipt, nowMs, target.tries), change);
    return row;
  }

  #addReceipt(
    sendId: string,
    row: SendRow,
    outcome: SendOutcomeRow,
    { open, recovered }: LetterChange,
  ): void {
    this.#sends.set(sendId, {
      ...row,
      outcomes: [...row.outcomes, outcome],
      deadLettersOpen: row.deadLettersOpen + open,
      deadLettersRecovered: row.deadLettersRecovered + recovered,
    });
  }

  #addItem(channel: ChannelId, item: SettledItem): void {
    const items = this.#items.get(channel);
    if (items === undefined) this.#items.set(channel, [item]);
    else items.push(item);
  }

  /** One `attempts.settled` per channel, then effects and timers. `health`: per channel. */
  entries(health: ReadonlyMap<ChannelId, ProviderHealth> | null): Entry[] {
    const { owner, nowMs: atMs } = this.#context;
    const settled: OutboxEntry[] = [];
    const resumes: Entry[] = [];
    for (const [channel, items] of this.#items) {
      const standing = health?.get(channel) ?? null;
      settled.push({
        kind: 'attempts.settled',
        owner,
        channel,
        atMs,
        standing,
        firstEvent: 0,
        items,
      });
      resumes.push(...resumeOf(this.#app, channel, standing, atMs));
    }
    const after = [...this.effects.entries(), ...this.#timers, ...this.#polls.timers()];
    return [...settled, ...after, ...resumes];
  }
}

/** The timer that resumes a channel, if it has to pause for longer than before. */
export function resumeOf(
  app: Pick<AccountsReads, 'record'> & SendsReads,
  channel: ChannelId,
  health: ProviderHealth | null,
  atMs: Millis,
): Entry[] {
  const before = app.outbox.channels.get(channel);
  if (health === null) return [];
  const { ordinal } = app.record;
  return pauseEnds(before, health, atMs).map((endMs) =>
    channelResumeTimer(ordinal, channel, endMs),
  );
}

function outcomeRow(
  { deviceId, channel }: Pick<Target, 'deviceId' | 'channel'>,
  { status, reason, detail, providerMessageId, attempts }: Receipt,
  atMs: Millis,
  tries?: SendOutcomeRow['tries'],
): SendOutcomeRow {
  return {
    deviceId,
    channel,
    status,
    ...(reason === undefined ? {} : { reason }),
    ...(detail === undefined ? {} : { detail }),
    ...(providerMessageId === undefined ? {} : { providerMessageId }),
    atMs,
    attempts,
    ...(tries === undefined ? {} : { tries }),
  };
}

/** Decides a dispatcher's report. Ignores targets that are not in flight. */
export function report(
  app: SendsView,
  rules: RelayRules,
  channel: ChannelId,
  reports: readonly AttemptReport[],
  context: Context,
): Decision<null> {
  const batch = new SettlementBatch(app, context);
  const mails = new MailTally();
  let health: ProviderHealth = app.outbox.health(channel);
  if (reports.some(({ outcome }) => isInterrupted(outcome))) health = withoutProbes(health);
  for (const { sendId, target, attempt, outcome: reported, rotations, probes, mail } of reports) {
    const job = app.outbox.jobs.get(sendId);
    const state = job?.targets[target];
    if (job === undefined || state?.state !== 'started' || state.attempts !== attempt) continue;
    const outcome = isActivity(state)
      ? outcomeForActivity(context.documents, state, reported, rotations)
      : reported;
    health = healthAfter(health, channel, outcome, context);
    if (probes !== undefined) health = healthAfterProbe(health, probes, outcome, context);
    const relays = relaysNow(app, rules, channel, health, context.nowMs);
    const elsewhere = relays !== undefined && isTakenElsewhere(relays, streamOf(job), outcome);
    batch.add(job, target, settle(job, state, outcome, health, context, elsewhere), outcome);
    if (mail !== undefined && outcome !== undefined) mails.reported(mail, streamOf(job), outcome);
  }
  if (batch.isEmpty) return accepted(null);
  const others = othersSlowed(app, channel, health, context.nowMs);
  const relays = relaysNow(app, rules, channel, health, context.nowMs);
  const entries = [
    ...batch.entries(new Map([[channel, health]])),
    ...mails.entries(app, context),
    ...others,
    ...whenDayEnds(app.record.ordinal, relays),
  ];
  return accepted(null, { entries, documents: batch.documents() });
}
