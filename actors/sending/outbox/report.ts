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
import { MailTally } from '../mailboxes/tally.ts';
import { isActivity, outcomeForActivity } from './activity-push.ts';
import type { ProviderHealth } from './circuit.ts';
import { DeviceSends } from './device-sends.ts';
import type { Job, Target } from './job.ts';
import { LearnedHealth, resumeOf } from './learned-health.ts';
import type { AttemptReport, OutboxEntry } from './protocol.ts';
import { readableSend } from './readable-send.ts';
import type { SendsView } from './reads.ts';
import type { LateStatus, Origin, Receipt, Settlement } from './records.ts';
import { type RelayRules, relayNamed, streamOf } from './relay-rules.ts';
import { ResultPolls } from './result-polls.ts';
import { sendKey } from './send-key.ts';
import { isInterrupted, settle } from './settle.ts';
import {
  type LetterChange,
  type SettlementContext,
  SettlementEffects,
  unchanged,
} from './settlement-effects.ts';
import { sendWakeTimer } from './timers.ts';

type SettledItem = Extract<OutboxEntry, { kind: 'attempts.settled' }>['items'][number];

type Tried = Pick<Target, 'deviceId' | 'channel'>;

type Named = Pick<Receipt, 'relay' | 'relayName'>;

/** A send whose callback arrived after its end. */
export interface LateReport {
  readonly person: PersonOrdinal;
  readonly origin?: Omit<Origin, 'copy'>;
  /** Of a failed marketing send: its dead letter's instant; whether it still counts as failed. */
  readonly failedMs?: Millis;
  readonly isFailed?: boolean;
  /** Its relay had accepted it, and reports now. */
  readonly wasAccepted?: boolean;
  /** The relay that reports it. */
  readonly relay?: string;
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
    this.#polls = new ResultPolls(app, context);
  }

  get isEmpty(): boolean {
    return this.#items.size === 0;
  }

  /** A record that cannot be read is left out: an attempt that never ends would hold credit. */
  add(job: Job, index: number, settled: Settlement, outcome?: Outcome): void {
    const target = job.targets[index] as Target;
    const settlement = this.#named(settled);
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
    if (outcome?.outcome === 'accepted') this.#awaits(job, target, settlement.receipt);
    this.effects.ofOutcome(job.person, target, outcome);
  }

  #awaits({ sendId, person }: Job, { deviceId, channel }: Target, receipt: Receipt): void {
    const { relay, providerMessageId: name } = receipt;
    const named = name === undefined ? {} : { name };
    this.#polls.sent(channel);
    if (this.#polls.asksOf(relay))
      this.#polls.accepted({ sendId, deviceId, person, relay, ...named });
  }

  /**
   * After the end of a send: the receipt becomes the device's newest, and a delivery recovers a
   * failure's dead letter.
   */
  endLate(
    sendId: string,
    tried: Tried,
    { person, origin, failedMs, isFailed, wasAccepted, relay }: LateReport,
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
      ...(before?.copies === undefined ? {} : { copies: before.copies }),
      ...(reason === undefined ? {} : { reason }),
      ...this.#relayOf(relay, before),
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

  /** The relay of a late report: the one that tells it, else the one the message left by. */
  #relayOf(relay: string | undefined, before: Named = {}): Named {
    const id = relay ?? before.relay;
    const named = relayNamed(this.#app, id);
    if (named.relayName !== undefined || id !== before.relay) return named;
    const { relayName } = before; // of a relay that is gone
    return relayName === undefined ? named : { ...named, relayName };
  }

  /** With the name that its relay has now. */
  #named(settlement: Settlement): Settlement {
    if (settlement.next !== 'done' || settlement.receipt.relay === undefined) return settlement;
    const { receipt } = settlement;
    return { ...settlement, receipt: { ...receipt, ...relayNamed(this.#app, receipt.relay) } };
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

  /**
   * One `attempts.settled` per channel, then effects and timers. `health`: per channel. `domain`:
   * of the sender of its emails, if a provider was called for some.
   */
  entries(health: ReadonlyMap<ChannelId, ProviderHealth> | null, domain?: string): Entry[] {
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
        ...(domain === undefined ? {} : { domain }),
        firstEvent: 0,
        items,
      });
      resumes.push(...resumeOf(this.#app, channel, standing, atMs));
    }
    const after = [...this.effects.entries(), ...this.#timers, ...this.#polls.timers()];
    return [...settled, ...after, ...resumes];
  }
}

function outcomeRow(
  { deviceId, channel }: Pick<Target, 'deviceId' | 'channel'>,
  { status, reason, detail, providerMessageId, relay, relayName, attempts, copies }: Receipt,
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
    ...(relay === undefined ? {} : { relay }),
    ...(relayName === undefined ? {} : { relayName }),
    atMs,
    attempts,
    ...(copies === undefined ? {} : { copies }),
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
  let domain: string | undefined;
  const health = new LearnedHealth(app, rules, channel, context);
  if (reports.some(({ outcome }) => isInterrupted(outcome))) health.endProbes();
  for (const { sendId, target, attempt, outcome: reported, rotations, probes, mail } of reports) {
    const job = app.outbox.jobs.get(sendId);
    const state = job?.targets[target];
    if (job === undefined || state?.state !== 'started' || state.attempts !== attempt) continue;
    const outcome = isActivity(state)
      ? outcomeForActivity(context.documents, state, reported, rotations)
      : reported;
    const stream = streamOf(job, channel);
    health.learn(outcome, probes);
    const elsewhere = health.isTakenElsewhere(stream, outcome);
    batch.add(job, target, settle(job, state, outcome, health.now, context, elsewhere), outcome);
    if (mail === undefined || outcome === undefined) continue;
    domain = mail.domain;
    mails.reported(mail, stream, outcome);
  }
  if (batch.isEmpty) return accepted(null);
  const entries = [
    ...batch.entries(new Map([[channel, health.standing]]), domain),
    ...mails.entries(app, context),
    ...health.entries(),
  ];
  return accepted(null, { entries, documents: batch.documents() });
}
