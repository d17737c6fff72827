// Reads every durable turn and keeps its own account of what the log says happened, independent of
// the product's fold. It sees a turn when it becomes durable and before anything of it leaves, so a
// grant is judged by what was committed up to and including its own turn.

import { decodeBatch } from '../../actors/events/log/event-batch.ts';
import type { EventsEntry } from '../../actors/events/protocol.ts';
import { limits } from '../../actors/limits.ts';
import { deviceAt } from '../../actors/people/audience/device-columns.ts';
import type { AudienceEntry, ImportedEntry } from '../../actors/people/audience/protocol.ts';
import type { TopicsEntry } from '../../actors/people/topics/protocol.ts';
import type { CampaignsEntry } from '../../actors/programs/campaigns/entries.ts';
import type { JourneysEntry } from '../../actors/programs/journeys/entries.ts';
import type { ErasureEntry } from '../../actors/runtime/erasure-protocol.ts';
import type { CallbacksEntry } from '../../actors/sending/callbacks/protocol.ts';
import type { OutboxEntry } from '../../actors/sending/outbox/protocol.ts';
import type { Settlement } from '../../actors/sending/outbox/records.ts';
import { idInRun } from '../../actors/sending/outbox/send-chunk.ts';
import { partsOfRef } from '../../actors/sending/outbox/send-key.ts';
import type { TransactionalEntry } from '../../actors/sending/transactional/protocol.ts';
import { claimWords } from '../../actors/sending/transactional/queued-batch.ts';
import type { AccountsEntry } from '../../actors/tenants/accounts/protocol.ts';
import type { Entry } from '../../engine/actor/message.ts';
import { partitionOf } from '../../engine/actor/placement.ts';
import type { ClockAccepted } from '../../engine/actor/runtime-memory.ts';
import { dayMs, hourMs } from '../../engine/base/brand.ts';
import { wordsOfBytes } from '../../engine/base/words.ts';
import { rebaseOf } from '../../engine/time/rebase.ts';
import type { SubscriberRow } from '../../storage/tables/subscriber.ts';
import { type AuditedLog, CampaignAudit } from './campaign-audit.ts';
import type { Findings } from './invariants.ts';
import { JourneyAudit } from './journey-audit.ts';
import type { AppFact, SendFact, TargetFact, WrittenPerson } from './log-facts.ts';
import { MailAudit } from './mail-audit.ts';
import { type AnswerOf, PauseAudit } from './pause-audit.ts';
import { RollUpAudit } from './roll-up-audit.ts';
import { WebhookAudit } from './webhook-audit.ts';

type KnownEntry =
  | AccountsEntry
  | AudienceEntry
  | TopicsEntry
  | CallbacksEntry
  | CampaignsEntry
  | ErasureEntry
  | EventsEntry
  | JourneysEntry
  | OutboxEntry
  | TransactionalEntry;
type Of<K extends KnownEntry['kind']> = Extract<KnownEntry, { kind: K }>;

/** The account of one world's logs. */
export class LogAudit {
  readonly apps = new Map<number, AppFact>();
  readonly sends = new Map<string, SendFact>();
  /** Sends queued, by `org|UTC day`. */
  readonly tally = new Map<string, number>();
  /** The same of campaigns and journeys. */
  readonly campaignTally = new Map<string, number>();
  /** An operator set the data's time back: what was counted by the day is of another day. */
  isRebased = false;
  /** Things that providers told of sends. */
  told = 0;
  readonly campaigns: CampaignAudit;
  readonly rollUp: RollUpAudit;
  readonly journeys: JourneyAudit;
  readonly webhooks: WebhookAudit;
  readonly mails: MailAudit;
  readonly #pauses: PauseAudit;
  readonly #caps = new Map<number, number | null>();
  readonly #claims = new Map<string, { readonly sendId: string; readonly atMs: number }>();
  readonly #findings: Findings;
  readonly #partitions: number;
  /** Told of every device whose started call was settled. */
  readonly #onSettled: (target: TargetFact) => void;
  /** What a right clock shows, where the log's instants may be wrong. */
  readonly #trueMs: (() => number) | undefined;
  /** How far the wall clock was behind the turn's instant. */
  #behindMs = 0;

  constructor(
    findings: Findings,
    partitions: number,
    onSettled: (target: TargetFact) => void = () => {},
    trueMs?: () => number,
    answerOf?: AnswerOf,
    hasMailRelays = false,
  ) {
    this.#trueMs = trueMs;
    this.#findings = findings;
    this.#partitions = partitions;
    this.#onSettled = onSettled;
    const log: AuditedLog = {
      findings,
      sends: this.sends,
      number: (app, first, count, kind) => this.#number(app, first, count, kind),
      count: (app, atMs) => this.#countCampaign(app, atMs),
      settled: onSettled,
      wallAt: (atMs) => atMs - this.#behindMs,
    };
    this.campaigns = new CampaignAudit(log);
    this.journeys = new JourneyAudit(log, this.campaigns);
    this.rollUp = new RollUpAudit(findings);
    this.webhooks = new WebhookAudit(findings);
    // A relay that is paused is left alone, and not the channel: the others take over.
    const ignored = hasMailRelays ? 'email' : undefined;
    this.#pauses = new PauseAudit(findings, this.sends, answerOf, ignored);
    this.mails = new MailAudit(findings);
  }

  /** Takes in the entries of a turn that has become durable; turns of a partition come in order. */
  durable(
    partition: number,
    atMs: number,
    entries: readonly Entry[],
    written: readonly WrittenPerson[] = [],
    behindMs = 0,
  ): void {
    this.#behindMs = behindMs;
    const begins = entries.some(({ kind }) => kind === 'campaign.started');
    const before = new Map<number, ReadonlyMap<number, SubscriberRow>>();
    for (const { owner, person, row } of written) {
      const rows = this.apps.get(owner)?.rows;
      if (rows === undefined) continue;
      if (begins && !before.has(owner)) before.set(owner, new Map(rows));
      if (row === undefined) rows.delete(person);
      else rows.set(person, row);
    }
    this.journeys.turnBegins(written);
    for (const entry of entries) {
      this.rollUp.take(entry);
      this.#findings.expect(
        entry.owner === 0 || partitionOf(entry.owner, this.#partitions) === partition,
        'owner_in_key',
        () => `partition ${partition} holds ${entry.kind} of owner ${entry.owner}`,
      );
      if (entry.kind === 'runtime.clock_accepted') this.#rebase(partition, entry as ClockAccepted);
      else {
        this.#pauses.take(entry as CampaignsEntry | OutboxEntry);
        this.mails.take(entry);
        this.#take(entry as KnownEntry, atMs, before.get(entry.owner));
      }
      this.webhooks.take(entry, this.apps.get(entry.owner));
    }
    this.journeys.turnEnded();
  }

  /** The device of a send, or `undefined` for one that the log does not know. */
  target(sendId: string, deviceId: string): TargetFact | undefined {
    return this.sends.get(sendId)?.targets.find((target) => target.deviceId === deviceId);
  }

  /** Devices of sends that have not come to an end. */
  open(): TargetFact[] {
    return [...this.sends.values()].flatMap(({ targets }) =>
      targets.filter(({ state }) => state !== 'done' && state !== 'forgotten'),
    );
  }

  /** What people want, and what there is to want. */
  #wished(
    entry: Extract<
      KnownEntry,
      {
        kind: 'suppression.added' | 'suppression.removed' | 'topic.saved' | 'preferences.changed';
      }
    >,
  ): void {
    const app = this.#app(entry);
    if (entry.kind === 'suppression.added') {
      optOut(app, entry);
      if (entry.unsubscribed === undefined) return;
      const { firstEvent, people } = entry.unsubscribed;
      this.#number(app, firstEvent, people.length, entry.kind);
    } else if (entry.kind === 'topic.saved') app.topics.set(entry.topic.key, entry.topic.default);
    else if (entry.kind === 'preferences.changed')
      this.#number(app, entry.firstEvent, entry.people.length, entry.kind);
    else {
      app.suppressed.delete(entry.identityKey);
      app.noMarketing.delete(entry.identityKey);
    }
  }

  #take(entry: KnownEntry, blockMs: number, before?: ReadonlyMap<number, SubscriberRow>): void {
    switch (entry.kind) {
      case 'org.created':
      case 'org.changed':
        this.#caps.set(entry.owner, entry.org.dailySendCap);
        break;
      case 'app.created':
        this.apps.set(entry.owner, newAppFact(entry.owner, entry.app.org));
        this.campaigns.created(entry);
        break;
      case 'settings.changed':
        this.campaigns.of(entry.owner).settings = entry.settings;
        this.campaigns.of(entry.owner).caps.set(entry.settings.caps, blockMs);
        break;
      case 'app.deleted':
        this.#forget(entry.owner, undefined);
        this.#app(entry).deleted = true;
        break;
      case 'subscriber.created':
      case 'subscriber.identified':
      case 'subscribers.imported':
        name(this.#app(entry).people, entry);
        break;
      case 'subscriber.erased':
        this.#forget(entry.owner, entry.person);
        this.campaigns.of(entry.owner).gone.add(entry.person);
        this.journeys.erased(entry.owner, entry.person);
        break;
      case 'subscriber.merged':
        this.campaigns.of(entry.owner).merged(entry.person, entry.into);
        this.journeys.merged(entry.owner, entry.person, entry.into);
        break;
      case 'journey.saved':
      case 'journey.deleted':
      case 'journey.awaited':
      case 'journey.triggered':
      case 'journey.moved':
      case 'journeys.released':
        this.journeys.take(entry, this.#app(entry));
        break;
      case 'campaign.saved':
      case 'campaign.deleted':
      case 'campaign.started':
      case 'campaign.decided':
      case 'wave.settled':
      case 'campaign.released':
      case 'campaign.won':
      case 'campaign.fallback_awaited':
      case 'campaign.fallback_began':
      case 'campaign.occurrence_ended':
      case 'campaign.answered_for_good':
        this.campaigns.take(entry, this.#app(entry), before ?? this.#app(entry).rows);
        break;
      case 'suppression.added':
      case 'suppression.removed':
      case 'topic.saved':
      case 'preferences.changed':
        this.#wished(entry);
        break;
      case 'events.tracked':
        this.#tracked(entry);
        break;
      case 'send.queued':
        this.#queued(entry);
        break;
      case 'batch.queued':
        for (const send of sendsOf(entry)) this.#queued(send);
        break;
      case 'attempts.started':
        for (const [sendId, index] of entry.items)
          this.#started(entry.owner, sendId, index, entry.atMs);
        break;
      case 'attempts.settled':
        this.#settled(entry);
        break;
      case 'receipt.told': {
        const target = this.target(entry.sendId, entry.deviceId);
        this.told++;
        if (target !== undefined) target.told = true;
        break;
      }
      case 'send.woken':
        wake(this.sends.get(entry.sendId)?.targets ?? [], entry.atMs);
        break;
      case 'channel.resumed':
        this.#resumed(entry);
        break;
      case 'send.redriven':
        this.#redriven(entry);
        break;
      default:
        this.#findings.expect(
          (entry as Entry).kind !== 'runtime.dead_letter',
          'no_throw',
          () => `a message was dead-lettered at ${blockMs}: ${JSON.stringify(entry)}`,
        );
    }
  }

  #rebase(partition: number, accepted: ClockAccepted): void {
    this.isRebased = true;
    this.#pauses.forget();
    this.rollUp.rebased();
    this.webhooks.order.rebased();
    const { due } = rebaseOf(accepted);
    for (const { app, targets } of this.sends.values())
      if (partitionOf(app, this.#partitions) === partition)
        for (const target of targets) target.dueMs = due(target.dueMs);
  }

  #atMs({ atMs }: { readonly atMs: number }): number {
    return this.#trueMs?.() ?? atMs;
  }

  /** A wrong start may be up to an hour ahead without doubt; and a commit takes its time. */
  get #rememberedMs(): number {
    return this.#trueMs === undefined ? 24 * hourMs : 22 * hourMs;
  }

  #app({ owner }: Entry): AppFact {
    const known = this.apps.get(owner);
    if (known !== undefined) return known;
    this.#findings.add('owner_in_key', `an entry of app ${owner}, which nobody created`);
    const made = newAppFact(owner, 0);
    this.apps.set(owner, made);
    return made;
  }

  #tracked(entry: EventsEntry): void {
    const app = this.#app(entry);
    const batch = decodeBatch(entry.batch);
    for (const created of batch.createdPeople())
      app.people.set(created.person, created.externalUserId);
    this.#number(app, batch.firstSeq, batch.count, entry.kind);
    for (let row = 0; row < batch.count; row++) {
      const name = `${batch.name(row)}|${app.people.get(batch.person(row)) ?? '?'}`;
      app.events.set(name, (app.events.get(name) ?? 0) + 1);
      const id = batch.id(row);
      if (id === undefined) continue;
      const earlierMs = app.eventIds.get(id);
      this.#findings.expect(
        earlierMs === undefined || this.#atMs(entry) - earlierMs >= this.#rememberedMs,
        'event_stored_once',
        () => `app ${app.ordinal} stored event ${id} at ${earlierMs} and at ${entry.atMs}`,
      );
      app.eventIds.set(id, this.#atMs(entry));
    }
    this.campaigns.tracked(app, batch, entry.keyless);
    this.journeys.tracked(app, batch, entry.atMs, entry.keyless);
  }

  #countCampaign(app: AppFact, atMs: number): void {
    const day = `${app.org}|${Math.floor(atMs / dayMs)}`;
    this.campaignTally.set(day, (this.campaignTally.get(day) ?? 0) + 1);
    this.#checkCap(app, day);
  }

  #checkCap(app: AppFact, day: string): void {
    const count = (this.tally.get(day) ?? 0) + (this.campaignTally.get(day) ?? 0);
    const cap = this.#caps.get(app.org) ?? null;
    this.#findings.expect(
      cap === null || count <= cap,
      'daily_cap_holds',
      () => `org ${app.org} accepted send ${count} of a day under a cap of ${cap}`,
    );
  }

  #queued(entry: Of<'send.queued'>): void {
    const app = this.#app(entry);
    const claim = entry.claim === null ? undefined : entry.claim.key.join(' ');
    if (claim !== undefined) {
      const earlier = this.#claims.get(claim);
      this.#findings.expect(
        earlier === undefined || this.#atMs(entry) - earlier.atMs >= this.#rememberedMs,
        'key_replays',
        () => `key ${claim} queued ${earlier?.sendId} and ${entry.sendId}`,
      );
      this.#claims.set(claim, { sendId: entry.sendId, atMs: this.#atMs(entry) });
    }
    this.#findings.expect(
      !this.sends.has(entry.sendId),
      'accepted_recorded',
      () => `${entry.sendId} is queued twice`,
    );
    const day = `${app.org}|${Math.floor(entry.atMs / dayMs)}`;
    this.tally.set(day, (this.tally.get(day) ?? 0) + 1);
    this.#checkCap(app, day);
    const targets = entry.targets.map(({ deviceId, channel }) =>
      newTargetFact(entry.sendId, deviceId, channel),
    );
    const { sendId, owner, person } = entry;
    const acceptedMs = this.#atMs(entry);
    this.sends.set(sendId, {
      id: sendId,
      app: owner,
      person,
      atMs: acceptedMs,
      claim,
      targets,
      job: targets,
    });
    if (entry.targets.length === 0) this.#number(app, entry.firstEvent, 1, entry.kind);
  }

  #started(owner: number, sendId: string, index: number, atMs: number): void {
    const target = this.sends.get(sendId)?.job[index];
    const app = this.apps.get(owner);
    this.#findings.expect(
      app?.deleted === false && target?.state !== 'forgotten',
      'erased_is_left_alone',
      () => `${sendId}/${index} was started for an app or a person that is gone`,
    );
    if (target === undefined || target.state === 'forgotten') return;
    this.#expectState(target, ['due'], 'started');
    target.state = 'started';
    target.attempts++;
    target.starts++;
    if (app !== undefined) {
      this.campaigns.attempted(sendId, target, app, atMs);
      const { person = 0 } = this.sends.get(sendId) ?? {};
      this.journeys.attempted(sendId, target, app, person, atMs);
    }
    this.#findings.expect(
      target.attempts <= limits.attemptsMax,
      'attempts_bounded',
      () => `${sendId}/${target.deviceId} starts attempt ${target.attempts}`,
    );
  }

  #settled(entry: Of<'attempts.settled'>): void {
    const receipts = entry.items.filter(({ settlement }) => settlement.next === 'done').length;
    this.#number(this.#app(entry), entry.firstEvent, receipts, entry.kind);
    for (const { sendId, deviceId, target: index, settlement, isLate } of entry.items) {
      if (isLate === true) {
        this.#toldLate(sendId, deviceId, settlement);
        continue;
      }
      const target = this.sends.get(sendId)?.job[index];
      if (target === undefined || target.state === 'forgotten') continue;
      if (settlement.next === 'done') {
        // What its provider tells of ends a wait, too, and so does a journey that is switched off.
        const isOff = settlement.receipt.reason === 'journey_off';
        const waits = target.told === true || isOff ? (['waiting'] as const) : [];
        this.#expectState(target, ['started', 'due', ...waits], 'done');
        target.state = 'done';
        target.status = settlement.receipt.status;
        target.answered = target.status;
        target.redriven = false;
        if (target.status === 'failed') target.hasFailed = true;
      } else if (settlement.next === 'waiting' && settlement.unstarted) {
        this.#expectState(target, ['due'], settlement.next);
        target.dueMs = settlement.dueMs;
        target.state = settlement.next;
        continue;
      } else {
        this.#expectState(target, ['started'], settlement.next);
        if (settlement.next === 'due' || !settlement.counted) target.attempts--;
        if (settlement.next === 'waiting') target.dueMs = settlement.dueMs;
        target.mayBeTaken = settlement.next === 'waiting' && settlement.ambiguous;
        target.state = settlement.next;
      }
      this.#onSettled(target);
    }
  }

  /** Somebody mended a relay: what waits for it is due, but what may have been taken. */
  #resumed({ owner, channel, wakes }: Of<'channel.resumed'>): void {
    if (wakes !== true) return;
    for (const { app, job } of this.sends.values())
      for (const target of app === owner ? job : [])
        if (target.channel === channel && target.state === 'waiting' && target.mayBeTaken !== true)
          target.state = 'due';
  }

  /**
   * A receipt after the end: of a send that is over, and with other words than the one before it.
   */
  #toldLate(sendId: string, deviceId: string, settlement: Settlement): void {
    const target = this.target(sendId, deviceId);
    if (target === undefined || target.state === 'forgotten' || settlement.next !== 'done') return;
    this.#expectState(target, ['done'], `${settlement.receipt.status}, late`);
    this.#findings.expect(
      target.told === true && target.status !== settlement.receipt.status,
      'target_order',
      () => `${sendId}/${deviceId} was ${target.status} and is ${settlement.receipt.status} again`,
    );
    target.status = settlement.receipt.status;
  }

  #redriven(entry: Of<'send.redriven'>): void {
    const send = this.sends.get(entry.sendId);
    if (send === undefined) return;
    this.#findings.expect(
      send.targets.every(({ state }) => state === 'done' || state === 'forgotten'),
      'dead_letters_counted',
      () => `${entry.sendId} is redriven while it is open, so one of its redrives is lost`,
    );
    const job = entry.targets.flatMap(({ deviceId }) => this.target(entry.sendId, deviceId) ?? []);
    for (const target of job) {
      // A person may have been erased since: the redrive then finds no device, which is a receipt
      // like any other.
      target.state = 'due';
      target.attempts = 0;
      target.redriven = true;
    }
    send.job = job;
  }

  #forget(owner: number, person: number | undefined): void {
    for (const send of this.sends.values()) {
      if (send.app !== owner || (person !== undefined && send.person !== person)) continue;
      for (const target of send.targets) if (target.state !== 'done') target.state = 'forgotten';
    }
  }

  /** Events are numbered as they are committed: each batch begins where the one before it ended. */
  #number(app: AppFact, first: number, count: number, kind: string): void {
    if (count === 0) return;
    this.#findings.expect(
      first === app.nextEvent,
      'events_gapless',
      () =>
        `${kind} of app ${app.ordinal} numbers ${count} events from ${first}, expected ${app.nextEvent}`,
    );
    app.nextEvent = first + count;
  }

  #expectState(target: TargetFact, allowed: readonly TargetFact['state'][], next: string): void {
    this.#findings.expect(
      allowed.includes(target.state),
      'target_order',
      () => `${target.sendId}/${target.deviceId} goes from ${target.state} to ${next}`,
    );
  }
}

/** The sends of a batch, each as if it had been queued by itself. */
function* sendsOf(entry: Of<'batch.queued'>): Generator<Of<'send.queued'>> {
  const { owner, run, atMs, expiresMs, targets } = entry;
  const people = wordsOfBytes(entry.people);
  const claims = entry.claims === undefined ? undefined : wordsOfBytes(entry.claims);
  let device = 0;
  for (const [place, person] of people.entries()) {
    const from = device;
    device += targets.counts[place] as number;
    const devices = Array.from({ length: device - from }, (_, i) =>
      deviceAt(owner, targets, from + i),
    );
    const [a = 0, b = 0, c = 0, d = 0, high = 0, low = 0] =
      claims?.subarray(place * claimWords, (place + 1) * claimWords) ?? [];
    const isKeyed = (a | b | c | d | high | low) !== 0;
    yield {
      kind: 'send.queued',
      owner,
      sendId: idInRun(partsOfRef(run), place),
      person,
      atMs,
      expiresMs,
      targets: devices,
      claim: isKeyed ? { key: [a, b, c, d], fingerprint: [high, low] } : null,
      firstEvent: 0,
    };
  }
}

function newTargetFact(sendId: string, deviceId: string, channel: string): TargetFact {
  return {
    sendId,
    deviceId,
    channel,
    state: 'due',
    attempts: 0,
    starts: 0,
    dueMs: 0,
    status: undefined,
    redriven: false,
  };
}

/** What an opt-out covers from now on. */
function optOut(
  { suppressed, noMarketing }: AppFact,
  { identityKey, scope }: { readonly identityKey: string; readonly scope?: 'marketing' },
): void {
  const [one, other] =
    scope === 'marketing' ? [noMarketing, suppressed] : [suppressed, noMarketing];
  one.add(identityKey);
  other.delete(identityKey);
}

function newAppFact(ordinal: number, org: number): AppFact {
  return {
    ordinal,
    org,
    suppressed: new Set(),
    noMarketing: new Set(),
    topics: new Map(),
    people: new Map(),
    rows: new Map(),
    events: new Map(),
    eventIds: new Map(),
    nextEvent: 1,
    deleted: false,
  };
}

function wake(targets: readonly TargetFact[], atMs: number): void {
  for (const target of targets)
    if (target.state === 'waiting' && target.dueMs <= atMs) target.state = 'due';
}

/** Records the external id of each person in an entry. */
function name(known: Map<number, string | null>, entry: Named): void {
  if (entry.kind !== 'subscribers.imported') {
    known.set(entry.person, entry.externalUserId);
    return;
  }
  const { people, ids, idEnds } = entry;
  for (const [at, person] of people.entries()) {
    const id = Buffer.from(ids.subarray(idEnds[at - 1] ?? 0, idEnds[at])).toString();
    known.set(person, id === '' ? null : id);
  }
}

type Named =
  | ImportedEntry
  | Extract<AudienceEntry, { kind: 'subscriber.created' | 'subscriber.identified' }>;
