// Settles a dispatcher's report on rows of a wave. Most rows were accepted and cost a few bytes in
// columns; a row to retry becomes a send of the outbox with the same id. Rows that are not in
// flight are skipped, so a repeated report has no effect.

import {
  accepted,
  type Context,
  type Decision,
  type Entry,
} from '../../../engine/actor/message.ts';
import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { formatId, type IdParts } from '../../../engine/base/id.ts';
import { packOrdinals } from '../../../engine/base/ordinal-list.ts';
import { subscribers } from '../../../storage/tables/subscriber.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import { type MailboxGroup, mailboxGroups } from '../../channels/email/mailbox-groups.ts';
import type { Outcome } from '../../channels/port/outcome.ts';
import { deviceIdBytes, readDeviceId, writeDeviceId } from '../../people/audience/device-ids.ts';
import { readableRow } from '../../readable-row.ts';
import type { ReceiptKind, SpilledRow } from '../../sending/dispatch/entries.ts';
import type { WaveReport } from '../../sending/dispatch/protocol.ts';
import { MailTally } from '../../sending/mailboxes/tally.ts';
import { DeviceSends, isNameKept } from '../../sending/outbox/device-sends.ts';
import { freshTarget, type Job, type Target } from '../../sending/outbox/job.ts';
import { LearnedHealth, resumeOf } from '../../sending/outbox/learned-health.ts';
import type { Origin, Receipt, Settlement } from '../../sending/outbox/records.ts';
import { type RelayRules, relayNamed } from '../../sending/outbox/relay-rules.ts';
import { ResultPolls } from '../../sending/outbox/result-polls.ts';
import { isInterrupted, settle } from '../../sending/outbox/settle.ts';
import { SettlementEffects } from '../../sending/outbox/settlement-effects.ts';
import { sendWakeTimer } from '../../sending/outbox/timers.ts';
import { originOf } from './apply.ts';
import { variantFor } from './bucketing.ts';
import type { CampaignsEntry } from './entries.ts';
import type { CampaignsView } from './memory.ts';
import { planOf } from './occurrence.ts';
import type { Wave } from './wave.ts';

export function settleWave(
  app: CampaignsView,
  rules: RelayRules,
  report: WaveReport,
  context: Context,
): Decision<null> {
  const wave = app.sending.waves.get(report.wave);
  if (wave === undefined) return accepted(null);
  const rows = new SettledRows(app, rules, wave, report, context);
  for (let row = 0; row < report.people.length; row++) rows.settle(row);
  return rows.decision();
}

/** Reports what was in flight when the process ended as `ambiguous`. */
export function interruptedWave(wave: Wave): WaveReport {
  const channel = channelIds[wave.channel] as ChannelId;
  const people = wave.inFlight();
  return {
    kind: 'dispatch.wave_report',
    by: -1,
    channel,
    wave: wave.id,
    people,
    outcomes: [{ outcome: 'ambiguous', reason: 'interrupted', ...accountOf(wave) }],
    codes: new Uint8Array(people.length),
    devices: new Uint8Array(people.length * deviceIdBytes),
  };
}

/** Whether a report is about rows that the last process granted. */
export function isInterruptedReport({ outcomes: [first] }: WaveReport): boolean {
  return isInterrupted(first ?? undefined);
}

class SettledRows {
  readonly #app: CampaignsView;
  readonly #wave: Wave;
  readonly #report: WaveReport;
  readonly #context: Context;
  readonly #effects: SettlementEffects;
  readonly #deviceSends: DeviceSends;
  readonly #polls: ResultPolls;
  readonly #people: PersonOrdinal[] = [];
  readonly #kinds: ReceiptKind[] = [];
  readonly #codes: number[] = [];
  readonly #messageIds: string[] = [];
  readonly #messages: number[] = [];
  readonly #devices: Uint8Array;
  readonly #providerIds: string[] = [];
  readonly #spilled: SpilledRow[] = [];
  readonly #timers: Entry[] = [];
  readonly #mails = new MailTally();
  #delivered = -1;
  #reported = -1;
  readonly #health: LearnedHealth;

  constructor(
    app: CampaignsView,
    rules: RelayRules,
    wave: Wave,
    report: WaveReport,
    context: Context,
  ) {
    this.#app = app;
    this.#wave = wave;
    this.#report = report;
    this.#context = context;
    this.#effects = new SettlementEffects(app, context);
    this.#deviceSends = new DeviceSends(app, context);
    this.#polls = new ResultPolls(app, context);
    this.#devices = new Uint8Array(report.people.length * deviceIdBytes);
    this.#health = new LearnedHealth(app, rules, report.channel, context);
  }

  settle(row: number): void {
    const { people, outcomes, codes } = this.#report;
    const person = people[row] as PersonOrdinal;
    if (this.#wave.find(person) < 0) return;
    const outcome = outcomes[codes[row] as number] ?? undefined;
    this.#countMail(row, outcome);
    if (outcome?.outcome === 'accepted' && !this.#wave.isHeld) {
      const { relay } = this.#wave;
      if (this.#health.isTroubled(relay)) this.#learn({ ...outcome, ...accountOf(this.#wave) });
      if (outcome.moved !== undefined) this.#move(row, person, outcome);
      this.#polls.sent(this.#report.channel);
      if (this.#polls.asksOf(relay)) this.#awaits(row, person, relay);
      this.#end(row, person, this.#acceptedKind(outcome.reports === true), undefined);
      return;
    }
    this.#learn(outcome);
    const deviceId = this.#deviceId(row, person);
    const job = this.#jobOf(person, deviceId);
    const settlement: Settlement = this.#wave.isHeld
      ? gaveUp(job.person)
      : settle(
          ...([job, job.targets[0] as Target, outcome, this.#health.now, this.#context] as const),
          this.#health.isTakenElsewhere('marketing', outcome),
        );
    if (settlement.next === 'done') this.#endWith(row, person, job, settlement.receipt, outcome);
    else this.#spill(person, job, deviceId, settlement);
  }

  #awaits(row: number, person: PersonOrdinal, relay: string): void {
    const name = this.#report.providerIds?.[row] ?? '';
    this.#polls.accepted({
      ...{ sendId: formatId('ntf', this.#parts(person)), person, relay },
      deviceId: this.#deviceId(row, person),
      ...(name === '' ? {} : { name }),
    });
  }

  #countMail(row: number, outcome: Outcome | undefined): void {
    const { mail } = this.#report;
    if (mail === undefined || outcome === undefined) return;
    const group = mailboxGroups[mail.groups[row] as number] as MailboxGroup;
    this.#mails.outcome({ group, domain: mail.domain, relay: mail.relay }, outcome);
  }

  #acceptedKind(reports: boolean): number {
    if (reports) {
      if (this.#reported < 0) this.#reported = this.#kind({ status: 'accepted' });
      return this.#reported;
    }
    if (this.#delivered < 0) this.#delivered = this.#kind({ status: 'delivered' });
    return this.#delivered;
  }

  #learn(outcome: Outcome | undefined): void {
    const { relay, probes } = this.#wave;
    this.#health.learn(outcome, probes && relay !== undefined ? [relay] : []);
  }

  decision(): Decision<null> {
    if (this.#people.length === 0 && this.#spilled.length === 0) return accepted(null);
    const { owner, nowMs: atMs } = this.#context;
    const { channel, providerIds, mail } = this.#report;
    const { campaignId, occurrence, phase, id, relay } = this.#wave;
    const count = this.#people.length;
    const settled: CampaignsEntry = {
      kind: 'wave.settled',
      owner,
      campaignId,
      occurrence,
      atMs,
      phase,
      channel: this.#wave.channel,
      wave: id,
      ...relayNamed(this.#app, relay),
      ...(mail === undefined ? {} : { domain: mail.domain }),
      sendParts: this.#parts(0),
      standing: this.#health.standing,
      firstEvent: 0,
      people: packOrdinals(this.#people),
      kinds: this.#kinds,
      ...(this.#kinds.length > 1 ? { codes: Uint8Array.from(this.#codes) } : {}),
      messageIds: this.#messageIds,
      ...(this.#messageIds.length > 1 ? { messages: Uint8Array.from(this.#messages) } : {}),
      devices: this.#devices.subarray(0, count * deviceIdBytes),
      ...(providerIds === undefined ? {} : { providerIds: this.#providerIds }),
      spilled: this.#spilled,
    };
    for (const [hash, group] of mail?.hosted ?? []) this.#mails.hosts(hash, group);
    if (mail !== undefined) this.#mails.sentBy('marketing', mail);
    const entries = [
      settled,
      ...this.#mails.entries(this.#app, this.#context),
      ...this.#effects.entries(),
      ...this.#timers,
      ...this.#polls.timers(),
      ...resumeOf(this.#app, channel, this.#health.standing, atMs),
      ...this.#health.entries(),
    ];
    const documents = [
      ...this.#effects.documents(),
      ...this.#deviceSends.documents(),
      ...this.#polls.documents(),
    ];
    return accepted(null, { entries, documents });
  }

  /** Rare, so rows that did not move cost nothing. */
  #move(row: number, person: PersonOrdinal, outcome: Outcome): void {
    const tried = { deviceId: this.#deviceId(row, person), channel: this.#report.channel };
    this.#effects.ofOutcome(this.#app.people.canonical(person), tried, outcome);
  }

  #endWith(
    row: number,
    person: PersonOrdinal,
    job: Job,
    receipt: Receipt,
    outcome: Outcome | undefined,
  ): void {
    const { status, reason, detail } = receipt;
    const target = job.targets[0] as Target;
    this.#effects.ofReceipt(job.sendId, target, receipt, job.origin);
    if (status === 'failed' && !this.#app.people.erased.has(job.person))
      this.#deviceSends.ended(job.sendId, target, receipt, job.origin);
    this.#effects.ofOutcome(job.person, target, outcome);
    const kind = this.#kind({
      status,
      ...(reason === undefined ? {} : { reason }),
      ...(detail === undefined ? {} : { detail }),
    });
    this.#end(row, person, kind, target.deviceId);
  }

  #end(row: number, person: PersonOrdinal, kind: number, deviceId: string | undefined): void {
    const at = this.#people.length * deviceIdBytes;
    const { devices, providerIds } = this.#report;
    if (deviceId === undefined)
      this.#devices.set(devices.subarray(row * deviceIdBytes, (row + 1) * deviceIdBytes), at);
    else writeDeviceId(deviceId, this.#devices, at);
    this.#people.push(person);
    this.#codes.push(kind);
    this.#messages.push(this.#message(person));
    if (providerIds === undefined) return;
    const providerMessageId = providerIds[row] ?? '';
    this.#providerIds.push(providerMessageId);
    const { channel } = this.#report;
    if (providerMessageId === '' || !isNameKept(channel, this.#app)) return;
    if (this.#app.people.erased.has(person)) return;
    const sendId = formatId('ntf', this.#parts(person));
    const tried = { deviceId: deviceId ?? this.#deviceId(row, person), channel };
    this.#deviceSends.ended(sendId, tried, { status: 'delivered', providerMessageId });
  }

  #spill(
    person: PersonOrdinal,
    job: Job,
    deviceId: string,
    settlement: Exclude<Settlement, { next: 'done' }>,
  ): void {
    const isWaiting = settlement.next === 'waiting';
    const { relay } = this.#wave;
    const counted = isWaiting && settlement.counted;
    this.#spilled.push({
      person,
      deviceId,
      attempts: counted ? 1 : 0,
      dueMs: isWaiting ? settlement.dueMs : 0,
      ambiguous: isWaiting && settlement.ambiguous,
      ...(relay !== undefined && isWaiting && settlement.ambiguous ? { relay } : {}),
      ...(isWaiting && settlement.refusal !== undefined ? { refusal: settlement.refusal } : {}),
    });
    if (isWaiting)
      this.#timers.push(sendWakeTimer(this.#context.owner, job.sendId, settlement.dueMs));
  }

  #kind(kind: ReceiptKind): number {
    const known = this.#kinds.findIndex(
      (one) =>
        one.status === kind.status && one.reason === kind.reason && one.detail === kind.detail,
    );
    return known < 0 ? this.#kinds.push(kind) - 1 : known;
  }

  #message(person: PersonOrdinal): number {
    const { messageId } = this.#origin(person);
    if (messageId === undefined) return 0;
    const known = this.#messageIds.indexOf(messageId);
    return known < 0 ? this.#messageIds.push(messageId) - 1 : known;
  }

  #plain: Origin | undefined;

  #origin(person: PersonOrdinal): Origin {
    if (this.#plain !== undefined) return this.#plain;
    const { campaignId, occurrence: number } = this.#wave;
    const campaign = this.#app.campaigns.get(campaignId);
    const occurrence = this.#app.sending.find(campaignId, number);
    if (campaign === undefined || occurrence === undefined)
      return { copy: campaignId, campaignId, occurrence: number };
    const plan = planOf(campaign, occurrence);
    const origin = originOf(plan, occurrence, variantFor(plan, occurrence, person));
    if (plan.variants === undefined) this.#plain = origin;
    return origin;
  }

  #parts(person: PersonOrdinal): IdParts {
    return { ...this.#wave.sendParts, low32: person };
  }

  #jobOf(person: PersonOrdinal, deviceId: string): Job {
    const { campaignId, occurrence: number, atMs, relay } = this.#wave;
    const { channel } = this.#report;
    const campaign = this.#app.campaigns.get(campaignId);
    const occurrence = this.#app.sending.find(campaignId, number);
    const { ttlMs } = (campaign && occurrence && planOf(campaign, occurrence)) ?? {};
    return {
      sendId: formatId('ntf', this.#parts(person)),
      person: this.#app.people.canonical(person),
      acceptedMs: atMs,
      expiresMs: ttlMs === undefined ? null : atMs + ttlMs,
      origin: this.#origin(person),
      targets: [
        {
          ...freshTarget({ deviceId, channel }),
          state: 'started',
          attempts: 1,
          ...(relay === undefined ? {} : { relay }),
        },
      ],
      open: 1,
    };
  }

  /** The device of a row; looked up if the dispatcher did not get as far as naming it. */
  #deviceId(row: number, person: PersonOrdinal): string {
    const named = readDeviceId(this.#context.owner, this.#report.devices, row);
    if (named !== '') return named;
    const { documents } = this.#context;
    const canonical = this.#app.people.canonical(person);
    const devices = readableRow(documents, subscribers, [canonical])?.devices ?? [];
    return devices.find((one) => one.enabled && one.channel === this.#report.channel)?.id ?? '';
  }
}

function accountOf({ relay }: Wave): { readonly account?: string } {
  return relay === undefined ? {} : { account: relay };
}

function gaveUp(person: PersonOrdinal): Settlement {
  const receipt = { person, status: 'failed', reason: 'unknown_outcome', attempts: 1 } as const;
  return { next: 'done', receipt };
}
