// Makes granted attempts: a bounded number of calls per provider account at once, express before
// bulk. Attempts that cannot start within five seconds are returned unsent. It owns nothing
// durable: the granting shard records every attempt here as started, and an idle account is dropped
// together with its credentials. Rows that a shard recalls are returned unsent. Of an account whose
// campaigns several threads share, each makes its share of the calls.

import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { SharedHolds } from '../../../engine/thread/shared-holds.ts';
import type { Clock } from '../../../engine/time/clock.ts';
import { catalog } from '../../channels/catalog.ts';
import { type ChannelId, type CredentialName, channelIds } from '../../channels/channel-ids.ts';
import { domainOf } from '../../channels/email/address.ts';
import type { Adapter } from '../../channels/port/adapter.ts';
import { AdaptersUnavailable } from '../../channels/port/adapters-unavailable.ts';
import type { Attempt } from '../../channels/port/attempt.ts';
import type { LateResults } from '../../channels/port/late-results.ts';
import { serverRelay } from '../../channels/port/open-relay.ts';
import type { Failure, Outcome } from '../../channels/port/outcome.ts';
import { contentFor } from '../../content/render/content-for.ts';
import { limits } from '../../limits.ts';
import { senderDomain } from '../mailboxes/reads.ts';
import type { AttemptReport, DispatchGrant, GrantedAttempt } from '../outbox/protocol.ts';
import { type ChannelFigures, countCall, noChannelFigures } from './channel-figures.ts';
import type { FoundMailbox, MailboxLookup } from './mailbox-lookup.ts';
import type { MayCall } from './may-call.ts';
import type {
  DispatchRecall,
  DispatchWave,
  PollResults,
  ResultsReport,
  WaveReport,
} from './protocol.ts';
import { Recalls, RowCall, recalledBy } from './recalls.ts';
import { RelayPaces, type RelayWay, wayNamed } from './relay-ways.ts';
import { SlowAccount } from './slow-account.ts';
import { type UnsubscribeUrl, WaveWork } from './wave-work.ts';
import { type PreferencesUrl, withPreferences } from './with-preferences.ts';

/** Sends a report to the granting shard, for the app's actor. */
export type ReportTo = (
  shard: number,
  partition: number,
  app: number,
  report: OutcomesReport | WaveReport | ResultsReport,
) => void;

/** Outcomes of attempts that were granted one by one. */
interface OutcomesReport {
  readonly kind: 'dispatch.report';
  readonly by: number;
  readonly channel: ChannelId;
  readonly reports: readonly AttemptReport[];
}

type Waiting = GrantedAttempt & {
  readonly grantedMs: number;
  readonly by: RelayWay | undefined;
};

/** One app's account with one provider. */
interface Account {
  readonly shard: number;
  readonly partition: number;
  readonly app: number;
  readonly channel: ChannelId;
  readonly express: Waiting[];
  readonly bulk: Waiting[];
  /** People of campaigns, the oldest wave first; they come after all else. */
  readonly waves: WaveWork[];
  /** Waves with something to report. */
  readonly answered: Set<WaveWork>;
  /** In the hands of the adapter. */
  readonly calls: Set<RowCall>;
  readonly slow: SlowAccount;
  credentials: unknown;
  wording: Attempt['wording'];
  /** How many calls may be in flight here; fewer while other threads call for it, too. */
  callsMax: number;
  inFlight: number;
  /** When it last received a grant, or a call of it ended. */
  usedMs: number;
  reports: AttemptReport[];
  reportScheduled: boolean;
  /** Rows of waves started in this turn of the event loop. */
  rowsThisTick: number;
  /** It starts again once a relay has a place. */
  isPaced: boolean;
}

export interface DispatcherFigures {
  calls: number;
  inFlight: number;
  handedBack: number;
  recalled: number;
  readonly channels: Map<ChannelId, ChannelFigures>;
}

/** `undefined`: kept from beginning. */
type Report = (outcome: Outcome | undefined) => void;

interface DispatcherOptions {
  readonly adapters: ReadonlyMap<ChannelId, Adapter>;
  readonly clock: Clock;
  readonly report: ReportTo;
  readonly defer: (task: () => void) => void;
  /** Runs a task once after a time; to return what waits too long. */
  readonly after: (ms: number, task: () => void) => void;
  readonly onBug: (error: unknown, channel: ChannelId) => void;
  readonly unsubscribeUrl: UnsubscribeUrl;
  readonly preferencesUrl: PreferencesUrl;
  /** Absent: what becomes of mails is not counted. */
  readonly mailboxes?: Pick<MailboxLookup, 'of'>;
  /** The last row of a wave has its outcome: nothing reads its records any more. */
  readonly onRead?: (shard: number, records: Uint8Array) => void;
  /** The shards' counts of recalls. */
  readonly recalls?: SharedArrayBuffer | undefined;
  /** Pauses of accounts that dispatch threads share. */
  readonly holds?: SharedArrayBuffer | undefined;
  /** Paces of relays, which all threads keep together. */
  readonly paces?: SharedArrayBuffer | undefined;
  /** Whether what was granted from this address may begin; absent: always. See `mayCallOf`. */
  readonly mayCall?: MayCall | undefined;
}

/** Calls that campaigns leave to single sends. */
const callsLeftToSingles = limits.inFlightPerAccountMax - limits.bulkInFlightMax;

export class Dispatcher {
  readonly figures: DispatcherFigures = {
    calls: 0,
    inFlight: 0,
    handedBack: 0,
    recalled: 0,
    channels: new Map(),
  };
  readonly #options: DispatcherOptions;
  readonly #accounts = new Map<string, Account>();
  readonly #recalls: Recalls;
  readonly #holds: SharedHolds;
  readonly #paces: RelayPaces;
  /** Accounts that wait for a recall. */
  readonly #stalled = new Set<Account>();
  #sweeping = false;
  #stopping = false;
  #idle: (() => void) | undefined;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#recalls = new Recalls(options.recalls);
    this.#holds = new SharedHolds(options.holds);
    this.#paces = new RelayPaces(options.paces, options.clock);
  }

  /** Accounts with work now or in the last few seconds. */
  get accountCount(): number {
    return this.#accounts.size;
  }

  /**
   * The shard and partition that granted an app's credential of this name, while a send of it is in
   * flight; otherwise `undefined`.
   */
  grantedFrom(
    app: number,
    name: CredentialName,
  ): { readonly shard: number; readonly partition: number } | undefined {
    for (const channel of channelIds) {
      const account = this.#accounts.get(`${app}|${channel}`);
      if (account !== undefined && catalog[channel].credential === name) return account;
    }
    return undefined;
  }

  /** Accepts a grant from the shard with this number. */
  grant(shard: number, grant: DispatchGrant | DispatchWave | PollResults): void {
    if (grant.kind === 'dispatch.poll') {
      void this.#poll(shard, grant);
      return;
    }
    const account = this.#account(shard, grant);
    account.credentials = grant.credentials;
    account.wording = grant.wording;
    account.callsMax = grant.callsMax ?? limits.inFlightPerAccountMax;
    account.slow.isShared = grant.callsMax !== undefined;
    const grantedMs = this.#options.clock.monotonic();
    account.usedMs = grantedMs;
    if (grant.kind === 'dispatch.wave') {
      const work = new WaveWork(grant, grantedMs, this.#options.unsubscribeUrl);
      if (grant.probes === true) account.slow.probed(work.by?.name);
      account.waves.push(work);
    } else {
      if (grant.probes === true) account.slow.probed();
      for (const granted of grant.attempts) {
        for (const part of granted.probes ?? []) account.slow.probedPart(part);
        (granted.attempt.lane === 'express' ? account.express : account.bulk).push({
          ...granted,
          grantedMs,
          by: wayNamed(granted.relay, grant.relays),
        });
      }
    }
    this.#start(account);
    this.#sweepLater();
  }

  /** Returns the rows that a shard recalls. What an adapter has begun ends. */
  recall(shard: number, recall: DispatchRecall): void {
    const isNamed = recalledBy(recall);
    for (const channel of channelIds) {
      const account = this.#accounts.get(`${recall.app}|${channel}`);
      if (account !== undefined) this.#recall(account, recall, isNamed);
    }
    this.#recalls.received(shard);
    for (const account of [...this.#stalled]) {
      if (account.shard !== shard) continue;
      this.#stalled.delete(account);
      this.#start(account);
    }
  }

  #recall(
    account: Account,
    { people }: DispatchRecall,
    isNamed: ReturnType<typeof recalledBy>,
  ): void {
    for (const lane of [account.express, account.bulk])
      for (const waiting of lane.splice(0)) {
        if (isNamed(waiting)) this.#return(account, waiting);
        else lane.push(waiting);
      }
    for (const work of account.waves.splice(0)) {
      const { campaignId } = work.wave;
      if (people === undefined && isNamed({ person: 0, campaignId })) {
        this.figures.recalled += work.handBack();
        account.answered.add(work);
        this.#reportLater(account);
      } else {
        work.recall(people ?? []);
        account.waves.push(work);
      }
    }
    for (const call of account.calls) call.isRecalled ||= isNamed(call);
  }

  /** Drops what was granted from this address and has not begun. What an adapter has begun ends. */
  disown(partition: number): void {
    for (const [key, account] of this.#accounts)
      if (account.partition === partition) this.#disown(key, account);
  }

  #disown(key: string, account: Account): void {
    for (const call of account.calls) call.isRecalled = true;
    account.express.length = 0;
    account.bulk.length = 0;
    account.waves.length = 0;
    this.#stalled.delete(account);
    this.#accounts.delete(key);
  }

  #return(account: Account, granted: GrantedAttempt): void {
    this.figures.recalled++;
    this.#report(account, reportOf(granted, undefined));
  }

  /** Returns everything that has not started, and resolves when no call is in flight. */
  stop(): Promise<void> {
    this.#stopping = true;
    for (const account of this.#accounts.values())
      this.#handBack(account, Number.POSITIVE_INFINITY);
    return new Promise((resolve) => {
      // after the last reports, which are deferred too
      this.#idle = () => this.#options.defer(resolve);
      if (this.figures.inFlight === 0) this.#idle();
    });
  }

  /** A poll that a stop interrupts gets no answer: its actor asks again. */
  async #poll(
    shard: number,
    { kind: _, partition, app, channel, credentials, ...query }: PollResults,
  ): Promise<void> {
    const adapter = this.#options.adapters.get(channel);
    let answer: LateResults | undefined;
    try {
      answer = await adapter?.results?.(query, credentials);
    } catch (error) {
      this.#options.onBug(error, channel);
      answer = { state: 'failed', failure: { outcome: 'retry', reason: 'internal' } };
    }
    if (this.#stopping) return;
    const notSupported = { outcome: 'permanent', reason: 'not_supported' } as const;
    answer ??= { state: 'failed', failure: notSupported };
    const { untilMs, startKey, asked } = query;
    this.#options.report(shard, partition, app, {
      ...({ kind: 'callback.polled', by: -1, channel, untilMs, startKey, answer } as const),
      ...(asked === undefined ? {} : { relayId: asked.relay.id }),
    });
  }

  #account(shard: number, grant: DispatchGrant | DispatchWave): Account {
    const key = `${grant.app}|${grant.channel}`;
    let account = this.#accounts.get(key);
    if (account !== undefined && account.partition !== grant.partition) {
      // Of another term: a server had the app, lost it and has it again.
      this.#disown(key, account);
      account = undefined;
    }
    if (account === undefined) {
      account = {
        shard,
        partition: grant.partition,
        app: grant.app,
        channel: grant.channel,
        express: [],
        bulk: [],
        waves: [],
        answered: new Set(),
        calls: new Set(),
        slow: new SlowAccount(grant.app, grant.channel, this.#options.clock, this.#holds),
        credentials: undefined,
        wording: undefined,
        callsMax: limits.inFlightPerAccountMax,
        inFlight: 0,
        usedMs: 0,
        reports: [],
        reportScheduled: false,
        rowsThisTick: 0,
        isPaced: false,
      };
      this.#accounts.set(key, account);
    }
    return account;
  }

  #start(account: Account): void {
    if (this.#stopping || account.slow.isSlow()) {
      this.#handBack(account, Number.POSITIVE_INFINITY);
      return;
    }
    while (account.inFlight < account.callsMax) {
      if (this.#recalls.isAwaited(account.shard)) {
        this.#stalled.add(account);
        return;
      }
      const next = this.#nextOf(account.express) ?? this.#nextOf(account.bulk);
      if (next !== undefined) {
        this.#startAttempt(account, next);
      } else if (!this.#startRow(account)) {
        this.#startWhenPaced(account);
        return;
      }
    }
  }

  /** The first attempt whose relay takes another call in this second. */
  #nextOf(lane: Waiting[]): Waiting | undefined {
    const place = lane.findIndex(({ by }) => this.#paces.take(by));
    return place < 0 ? undefined : lane.splice(place, 1)[0];
  }

  #startWhenPaced(account: Account): void {
    const waitMs = this.#paces.waitMs;
    if (waitMs === undefined || account.isPaced || !isWaiting(account)) return;
    account.isPaced = true;
    this.#options.after(waitMs, () => {
      account.isPaced = false;
      this.#start(account);
    });
  }

  #startAttempt(account: Account, next: Waiting): void {
    const { endpoint } = next.attempt;
    if (account.slow.isPartSlow(endpoint, next.by?.name)) {
      this.figures.handedBack++;
      this.#report(account, reportOf(next, undefined));
      return;
    }
    const made = this.#guarded(account, () => this.#made(next, account.wording));
    if ('outcome' in made) {
      this.#report(account, reportOf(next, made));
      return;
    }
    const { person, campaignId, journeyId } = next;
    const call = new RowCall(person, endpoint, campaignId, journeyId, next.by);
    this.#call(account, call, made, (outcome) =>
      this.#report(account, {
        ...reportOf(next, outcome && named(outcome, account, call, made)),
        ...this.#mail(outcome, call, made),
      }),
    );
  }

  /**
   * A bug while an attempt is prepared ends only that attempt. If it ended the thread, it would
   * occur again at each start.
   */
  #guarded(account: Account, make: () => Attempt | Outcome): Attempt | Outcome {
    try {
      return make();
    } catch (error) {
      this.#options.onBug(error, account.channel);
      return { outcome: 'permanent', reason: 'internal' };
    }
  }

  /** The attempt with its rendered content, or the outcome of the failed rendering. */
  #made({ attempt: bare, words }: GrantedAttempt, wording: Attempt['wording']): Attempt | Outcome {
    const attempt = wording === undefined ? bare : { ...bare, wording };
    const { content } = attempt;
    if (content !== undefined) return { ...attempt, content };
    if (words === undefined) return { outcome: 'permanent', reason: 'invalid_content' };
    const { message, person, app, utm } = words;
    const nowMs = this.#options.clock.now();
    const { channel } = attempt;
    const rendered = contentFor(message, person, app, channel, nowMs, undefined, utm);
    if ('content' in rendered) return { ...attempt, content: rendered.content };
    return { outcome: 'permanent', reason: 'invalid_content', detail: rendered.fault.message };
  }

  /**
   * Starts the next row of the oldest wave; false when there is none, or none may start in this
   * tick.
   */
  #startRow(account: Account): boolean {
    if (account.inFlight >= account.callsMax - callsLeftToSingles) return false;
    if (account.rowsThisTick >= limits.rowsPerTickMax) return false;
    const place = account.waves.findIndex(({ by }) => this.#paces.take(by));
    const work = account.waves[place];
    if (work === undefined) return false;
    // Calls that end immediately would otherwise keep the thread from reading grants and sending
    // reports until the last row.
    if (++account.rowsThisTick === limits.rowsPerTickMax)
      this.#options.defer(() => {
        account.rowsThisTick = 0;
        this.#start(account);
      });
    const row = work.take();
    if (!work.isOpen) account.waves.splice(place, 1);
    if (work.isRecalled(row)) {
      this.figures.recalled++;
      this.#finishRow(account, work, row, '', undefined);
      return true;
    }
    const made = this.#guarded(account, () => work.prepare(row, this.#options.clock.now()));
    if ('outcome' in made) this.#finishRow(account, work, row, '', made);
    else if (work.isHeld(made.endpoint) || account.slow.isPartSlow(made.endpoint, work.by?.name))
      this.#finishRow(account, work, row, made.deviceId, undefined);
    else {
      const { people, campaignId } = work.wave;
      const person = people[row] as PersonOrdinal;
      const call = new RowCall(person, made.endpoint, campaignId, undefined, work.by);
      this.#call(account, call, made, (outcome) => {
        // Accepted rows are one kind: only single sends close the circuit of a part.
        const told =
          outcome === undefined || outcome.outcome === 'accepted'
            ? outcome
            : named(outcome, account, call, made);
        const mailbox = outcome === undefined ? undefined : this.#mailboxOf(made);
        this.#finishRow(account, work, row, made.deviceId, told, mailbox);
      });
    }
    return true;
  }

  #finishRow(
    account: Account,
    work: WaveWork,
    row: number,
    deviceId: string,
    outcome: Outcome | undefined,
    mailbox?: FoundMailbox,
  ): void {
    work.finish(row, deviceId, outcome, mailbox);
    account.answered.add(work);
    this.#reportLater(account);
  }

  /** Once for every row that is sent: closures without names, and no copies. */
  #call(account: Account, call: RowCall, made: Attempt, report: Report): void {
    const { preferencesUrl } = this.#options;
    const attempt = withPreferences(made, account.app, call.person, preferencesUrl);
    const adapter = this.#options.adapters.get(account.channel);
    if (!this.#paces.takeOfDay(call.by)) {
      this.figures.handedBack++;
      report(undefined);
      return;
    }
    this.#mailboxOf(attempt); // its look-up may have ended when the call has
    account.calls.add(call);
    const startedMs = this.#options.clock.monotonic();
    account.inFlight++;
    this.figures.inFlight++;
    this.figures.calls++;
    if (adapter === undefined) {
      const outcome = { outcome: 'permanent', reason: 'not_configured' } as const;
      this.#ended(account, call, attempt, startedMs, outcome, report);
      return;
    }
    adapter
      .send(attempt, account.credentials, () => this.#mayBegin(account, call), call.by?.relay)
      .then(
        (outcome) => this.#ended(account, call, attempt, startedMs, outcome, report),
        (error: unknown) => {
          this.#options.onBug(error, account.channel);
          this.#ended(account, call, attempt, startedMs, outcomeOf(error), report);
        },
      );
  }

  #mailboxOf({ channel, endpoint }: Attempt): FoundMailbox | undefined {
    if (channel !== 'email' || typeof endpoint !== 'string') return undefined;
    return this.#options.mailboxes?.of(domainOf(endpoint).toLowerCase());
  }

  /** Where an email went that a provider was called for. */
  #mail(outcome: Outcome | undefined, call: RowCall, made: Attempt): Pick<AttemptReport, 'mail'> {
    const mailbox = outcome === undefined ? undefined : this.#mailboxOf(made);
    if (mailbox === undefined) return {};
    const domain = senderDomain(made.email ?? {});
    return { mail: { ...mailbox, domain, relay: call.by?.name ?? serverRelay } };
  }

  #mayBegin(account: Account, call: RowCall): boolean {
    const { slow } = account;
    if (slow.isShared)
      call.isSlowed ||= slow.isSlow() || slow.isPartSlow(call.endpoint, call.by?.name);
    call.isKept =
      call.isRecalled ||
      call.isSlowed ||
      this.#recalls.isAwaited(account.shard) ||
      this.#options.mayCall?.(account.shard, account.partition) === false;
    return !call.isKept;
  }

  #ended(
    account: Account,
    call: RowCall,
    attempt: Attempt,
    startedMs: number,
    outcome: Outcome,
    report: Report,
  ): void {
    account.calls.delete(call);
    account.inFlight--;
    this.figures.inFlight--;
    account.usedMs = this.#options.clock.monotonic();
    if (call.isKept) {
      this.#paces.giveBackOfDay(call.by);
      this.figures[call.isSlowed ? 'handedBack' : 'recalled']++;
      report(undefined);
    } else {
      this.#count(account.channel, outcome, account.usedMs - startedMs, attempt.attempt > 1);
      if (outcome.outcome === 'rate') this.#slowDown(account, outcome, attempt, call.by?.name);
      const isReported = call.by?.relay?.reports === true && outcome.outcome === 'accepted';
      report(isReported ? { ...outcome, reports: true } : outcome);
    }
    this.#start(account);
    if (this.figures.inFlight === 0) this.#idle?.();
  }

  /** After a refusal because of a limit: what has not begun does not begin. */
  #slowDown(
    account: Account,
    outcome: Failure,
    { endpoint }: Attempt,
    relay: string | undefined,
  ): void {
    const isConcerned = account.slow.refused(outcome, endpoint, relay);
    for (const call of account.calls) call.isSlowed ||= isConcerned(call.endpoint, call.by?.name);
  }

  #report(account: Account, report: AttemptReport): void {
    account.reports.push(report);
    this.#reportLater(account);
  }

  #reportLater(account: Account): void {
    if (account.reportScheduled) return;
    account.reportScheduled = true;
    this.#options.defer(() => {
      account.reportScheduled = false;
      const { shard, partition, app, channel, reports, answered } = account;
      const tell = (report: OutcomesReport | WaveReport) =>
        this.#options.report(shard, partition, app, report);
      if (reports.length > 0) {
        account.reports = [];
        tell({ kind: 'dispatch.report', by: -1, channel, reports });
      }
      for (const work of answered) {
        while (work.hasDone) tell(work.report());
        if (work.isOver) this.#options.onRead?.(shard, work.wave.records);
      }
      answered.clear();
    });
  }

  #sweepLater(): void {
    if (this.#sweeping) return;
    this.#sweeping = true;
    this.#options.after(limits.grantHoldMs / 5, () => {
      this.#sweeping = false;
      const cutMs = this.#options.clock.monotonic() - limits.grantHoldMs;
      for (const [key, account] of this.#accounts) {
        this.#handBack(account, cutMs);
        if (account.usedMs > cutMs || !isIdle(account)) continue;
        this.#accounts.delete(key);
        this.#stalled.delete(account);
      }
      if (this.#accounts.size > 0) this.#sweepLater();
    });
  }

  #handBack(account: Account, cutMs: number): void {
    for (const lane of [account.express, account.bulk]) {
      while (lane[0] !== undefined && lane[0].grantedMs <= cutMs) {
        this.figures.handedBack++;
        this.#report(account, reportOf(lane.shift() as Waiting, undefined));
      }
    }
    while (account.waves[0] !== undefined && account.waves[0].grantedMs <= cutMs) {
      const work = account.waves.shift() as WaveWork;
      this.figures.handedBack += work.handBack();
      account.answered.add(work);
      this.#reportLater(account);
    }
  }

  #count(channel: ChannelId, { outcome }: Outcome, tookMs: number, isAgain: boolean): void {
    let figures = this.figures.channels.get(channel);
    if (figures === undefined) {
      figures = noChannelFigures();
      this.figures.channels.set(channel, figures);
    }
    countCall(figures, outcome, tookMs, isAgain);
  }
}

function isIdle({ express, bulk, waves, inFlight, reportScheduled }: Account): boolean {
  return express.length + bulk.length + waves.length + inFlight === 0 && !reportScheduled;
}

function isWaiting({ express, bulk, waves }: Account): boolean {
  return express.length + bulk.length + waves.length > 0;
}

function reportOf(
  { target, probes, attempt: { sendId, attempt, activity } }: GrantedAttempt,
  outcome: Outcome | undefined,
): AttemptReport {
  const told = { sendId, target, attempt, outcome };
  if (activity === undefined && probes === undefined) return told;
  return {
    ...told,
    ...(activity === undefined ? {} : { rotations: activity.rotations }),
    ...(probes === undefined ? {} : { probes }),
  };
}

/** Of an exception. Any but this one is the adapter's bug, and the message may have been sent. */
function outcomeOf(error: unknown): Outcome {
  return error instanceof AdaptersUnavailable
    ? { outcome: 'config', reason: 'adapter_unavailable' }
    : { outcome: 'ambiguous', reason: 'internal' };
}

/** The outcome with the part of the provider that it is about: a relay, or a host. */
function named(
  outcome: Outcome,
  { channel }: Account,
  { by }: RowCall,
  { endpoint }: Attempt,
): Outcome {
  const account = by?.name ?? catalog[channel].accountOf?.(endpoint);
  return account === undefined ? outcome : { ...outcome, account };
}
