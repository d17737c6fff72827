// Takes in what a dispatcher reports: receipts on the send's row, devices disabled, opt-outs recorded, retries set,
// and how the channel stands with its provider.

import {
  accepted,
  type Context,
  type Decision,
  type DocumentWrite,
  type Entry,
} from '../../engine/actor/message.ts';
import { newId } from '../../engine/base/id.ts';
import {
  type DeadLetterRow,
  deadLetters,
  type SendOutcomeRow,
  type SendRow,
  sends,
} from '../../storage/tables/send.ts';
import { type SubscriberRow, subscribers } from '../../storage/tables/subscriber.ts';
import { type SuppressionRow, suppressions } from '../../storage/tables/suppression.ts';
import { identityKey, parseIdentityKey } from '../audience/identity.ts';
import type { AudienceEntry } from '../audience/protocol.ts';
import type { Outcome } from '../channels/adapter.ts';
import { type ChannelId, catalog } from '../channels/catalog.ts';
import { limits } from '../limits.ts';
import type { AppState } from '../state.ts';
import { channelResumeTimer, sendWakeTimer } from '../timers.ts';
import type { ChannelQueue, Job, Target } from './outbox.ts';
import type {
  AttemptReport,
  ChannelStanding,
  Receipt,
  Settlement,
  TransactionalEntry,
} from './protocol.ts';
import { readableRow } from './read-row.ts';
import { sendKey } from './send-key.ts';
import { settle } from './settle.ts';

type Settled = Extract<TransactionalEntry, { kind: 'attempts.settled' }>['items'][number];

/** Collects what a batch of settlements writes, of any channels; a record of a send or person is read and written once. */
export class SettlementBatch {
  readonly #items = new Map<ChannelId, Settled[]>();
  readonly #entries: Entry[] = [];
  readonly #app: AppState;
  readonly #context: Pick<Context, 'owner' | 'nowMs' | 'rng' | 'documents'>;
  readonly #sends = new Map<string, SendRow>();
  readonly #people = new Map<number, SubscriberRow>();
  readonly #documents: DocumentWrite[] = [];
  readonly #suppressed = new Set<string>();
  readonly #optOuts: {
    readonly identityKey: string;
    readonly person: number;
    readonly channel: ChannelId;
    readonly reason: string;
  }[] = [];

  constructor(app: AppState, context: Pick<Context, 'owner' | 'nowMs' | 'rng' | 'documents'>) {
    this.#app = app;
    this.#context = context;
  }

  get isEmpty(): boolean {
    return this.#items.size === 0;
  }

  /**
   * Adds one target's settlement and everything it entails. A send or person whose record cannot be read is settled
   * without it: an attempt that never ended would hold its channel's credit for ever.
   */
  add(job: Job, index: number, settlement: Settlement, outcome?: Outcome): void {
    const target = job.targets[index] as Target;
    const { sendId } = job;
    const isTest =
      settlement.next === 'done' && this.#receive(job, target, settlement.receipt)?.test === true;
    const items = this.#items.get(target.channel) ?? [];
    items.push({
      sendId,
      target: index,
      deviceId: target.deviceId,
      settlement: isTest
        ? { next: 'done', receipt: { ...settlement.receipt, test: true } }
        : settlement,
    });
    this.#items.set(target.channel, items);
    if (settlement.next === 'waiting') {
      this.#entries.push(sendWakeTimer(this.#context.owner, sendId, settlement.dueMs));
    }
    if (settlement.next !== 'done') return;
    if (outcome?.outcome === 'dead') this.#disable(job.person, target.deviceId, outcome.reason);
    if (outcome?.outcome === 'opted_out') this.#optOut(job.person, target, outcome.reason);
  }

  /** Every document of the batch, rows once each. */
  documents(): readonly DocumentWrite[] {
    for (const [id, row] of this.#sends) {
      this.#documents.push({
        table: sends,
        key: sendKey(this.#context.owner, id) ?? [],
        value: row,
      });
    }
    for (const [person, row] of this.#people) {
      this.#documents.push({ table: subscribers, key: [person], value: row });
    }
    return this.#documents;
  }

  /** Writes a receipt down; the send's row as it was, which knows what the job does not. */
  #receive(job: Job, target: Target, receipt: Receipt): SendRow | undefined {
    const { owner, nowMs, rng } = this.#context;
    const row = this.#sends.get(job.sendId) ?? this.#readSend(job.sendId);
    if (row === undefined) return undefined; // swept by retention, or unreadable
    const outcome: SendOutcomeRow = {
      deviceId: target.deviceId,
      channel: target.channel,
      status: receipt.status,
      ...(receipt.reason === undefined ? {} : { reason: receipt.reason }),
      ...(receipt.detail === undefined ? {} : { detail: receipt.detail }),
      ...(receipt.providerMessageId === undefined
        ? {}
        : { providerMessageId: receipt.providerMessageId }),
      atMs: nowMs,
      attempts: receipt.attempts,
    };
    let { deadLettersOpen, deadLettersRecovered } = row;
    if (target.deadLetter !== undefined) {
      const letter = readableRow(this.#context.documents, deadLetters, [target.deadLetter]);
      if (letter !== undefined && receipt.status === 'delivered') {
        deadLettersOpen--;
        deadLettersRecovered++;
        this.#writeLetter({ ...letter, recoveredMs: nowMs });
      } else if (letter !== undefined && receipt.status === 'failed') {
        const { redrivenMs: _redriven, detail: _before, ...open } = letter;
        this.#writeLetter({
          ...open,
          reason: receipt.reason ?? receipt.status,
          ...(receipt.detail === undefined ? {} : { detail: receipt.detail }),
          atMs: nowMs,
        });
      } else if (letter !== undefined) {
        // Bounced or suppressed since: sending it again could not land it, so it is open no more.
        deadLettersOpen--;
        this.#documents.push({ table: deadLetters, key: [letter.id], value: undefined });
      }
    } else if (receipt.status === 'failed') {
      deadLettersOpen++;
      this.#writeLetter({
        id: newId('dl', owner, nowMs, rng),
        sendId: job.sendId,
        deviceId: target.deviceId,
        channel: target.channel,
        lane: 'transactional',
        reason: receipt.reason ?? 'unknown',
        attempts: receipt.attempts,
        atMs: nowMs,
        ...(receipt.detail === undefined ? {} : { detail: receipt.detail }),
        ...withSubscriber(this.#person(job.person)),
      });
    }
    this.#sends.set(job.sendId, {
      ...row,
      outcomes: [...row.outcomes, outcome],
      deadLettersOpen,
      deadLettersRecovered,
    });
    return row;
  }

  #disable(person: number, deviceId: string, reason: string): void {
    const { nowMs, owner } = this.#context;
    const row = this.#person(person);
    if (row === undefined) return;
    const devices = row.devices.map((device) =>
      device.id === deviceId
        ? { ...device, enabled: false, disabledReason: reason, updatedMs: nowMs }
        : device,
    );
    this.#people.set(person, { ...row, devices, updatedMs: nowMs });
    const entry: AudienceEntry = { kind: 'subscriber.changed', owner, person, atMs: nowMs };
    this.#entries.push(entry);
  }

  #optOut(person: number, target: Target, reason: string): void {
    const { nowMs } = this.#context;
    const device = this.#person(person)?.devices.find((one) => one.id === target.deviceId);
    const key =
      typeof device?.endpoint === 'string'
        ? identityKey(target.channel, device.endpoint)
        : undefined;
    const named = key === undefined ? undefined : parseIdentityKey(key);
    if (key === undefined || named === undefined) {
      this.#disable(person, target.deviceId, reason); // a push endpoint has no identity to suppress
      return;
    }
    if (this.#app.suppressions.has(key) || this.#suppressed.has(key)) return;
    this.#suppressed.add(key);
    const row: SuppressionRow = { ...named, reason, source: 'callback', createdMs: nowMs };
    this.#documents.push({ table: suppressions, key: [key], value: row });
    this.#optOuts.push({ identityKey: key, person, channel: target.channel, reason });
  }

  #writeLetter(letter: DeadLetterRow): void {
    this.#documents.push({ table: deadLetters, key: [letter.id], value: letter });
  }

  #readSend(id: string): SendRow | undefined {
    const key = sendKey(this.#context.owner, id);
    return key === undefined ? undefined : readableRow(this.#context.documents, sends, key);
  }

  #person(person: number): SubscriberRow | undefined {
    return this.#people.get(person) ?? readableRow(this.#context.documents, subscribers, [person]);
  }

  /**
   * The entries that fold all settlements into memory: one a channel, then what they entail. Receipts are numbered in
   * their order, so nothing else that numbers events may come between. `standings`: how channels stand now; one that
   * has to pause is resumed by a timer.
   */
  entries(standings: ReadonlyMap<ChannelId, ChannelStanding> | null): Entry[] {
    const { owner, nowMs: atMs } = this.#context;
    let firstEvent = this.#app.nextEvent;
    const settled: TransactionalEntry[] = [];
    const resumes: Entry[] = [];
    for (const [channel, items] of this.#items) {
      const standing = standings?.get(channel) ?? null;
      settled.push({ kind: 'attempts.settled', owner, channel, atMs, standing, firstEvent, items });
      for (const { settlement } of items) if (settlement.next === 'done') firstEvent++;
      const pausedMs = this.#app.outbox.channels.get(channel)?.pausedUntilMs ?? 0;
      if (standing !== null && standing.pausedUntilMs > Math.max(pausedMs, atMs))
        resumes.push(channelResumeTimer(owner, channel, standing.pausedUntilMs));
    }
    const optOuts = this.#optOuts.map(({ identityKey, ...who }): AudienceEntry => {
      const { person, channel, reason } = who;
      const unsubscribed = {
        people: [person],
        firstEvent,
        atMs,
        channel,
        source: 'callback',
        reason,
      } as const;
      firstEvent++;
      return { kind: 'suppression.added', owner, identityKey, unsubscribed };
    });
    return [...settled, ...optOuts, ...this.#entries, ...resumes];
  }
}

/** Decides a dispatcher's report. Reports of targets that are not in flight (any more) are ignored. */
export function report(
  app: AppState,
  channel: ChannelId,
  reports: readonly AttemptReport[],
  context: Context,
): Decision<null> {
  const batch = new SettlementBatch(app, context);
  const queue = app.outbox.queue(channel);
  let standing: ChannelStanding = {
    pausedUntilMs: queue.pausedUntilMs,
    configFailures: queue.configFailures,
  };
  for (const { sendId, target, attempt, outcome } of reports) {
    const job = app.outbox.jobs.get(sendId);
    const state = job?.targets[target];
    if (job === undefined || state?.state !== 'started' || state.attempts !== attempt) continue;
    batch.add(job, target, settle(job, state, outcome, context), outcome);
    standing = standingAfter(standing, outcome, context);
  }
  if (batch.isEmpty) return accepted(null);
  const entries = batch.entries(new Map([[channel, standing]]));
  return accepted(null, { entries, documents: batch.documents() });
}

/** How a channel stands after one more outcome: `rate` pauses it, `config` opens its circuit, an acceptance closes it. */
export function standingAfter(
  { pausedUntilMs, configFailures }: ChannelStanding,
  outcome: Outcome | undefined,
  context: Pick<Context, 'nowMs'>,
): ChannelStanding {
  const standing = { pausedUntilMs, configFailures };
  switch (outcome?.outcome) {
    case 'accepted':
      return { ...standing, configFailures: 0 };
    case 'rate':
      return {
        ...standing,
        pausedUntilMs: Math.max(
          standing.pausedUntilMs,
          context.nowMs + (outcome.retryAfterMs ?? 1000),
        ),
      };
    case 'config': {
      // Answers of calls made before the circuit opened say nothing new.
      if (standing.pausedUntilMs > context.nowMs && standing.configFailures > 0) return standing;
      const waitMs = Math.min(
        limits.circuitCapMs,
        limits.circuitBaseMs * 2 ** standing.configFailures,
      );
      return { pausedUntilMs: context.nowMs + waitMs, configFailures: standing.configFailures + 1 };
    }
    default:
      return standing;
  }
}

/** The targets of a queue that may start now, given how the channel stands. */
export function startable(queue: ChannelQueue, nowMs: number): number {
  if (queue.pausedUntilMs > nowMs) return 0;
  if (queue.configFailures > 0) return queue.inFlight === 0 ? 1 : 0; // one probe at a time
  return Math.max(0, catalog[queue.channel].inFlightMax - queue.inFlight);
}

function withSubscriber(person: SubscriberRow | undefined): Pick<DeadLetterRow, 'subscriberId'> {
  return person === undefined ? {} : { subscriberId: person.id };
}
