// Applies callback reports: ends a try that waits for another, turns a delivery into a bounce or a
// failure into a delivery, makes a read an open. A report may overtake the answer to its own call:
// then it is kept and read again.

import type { Context, DocumentWrite, Entry } from '../../../engine/actor/message.ts';
import { dayMs, type Millis, type PersonOrdinal } from '../../../engine/base/brand.ts';
import type { EarlyReport } from '../../../storage/tables/device-send.ts';
import {
  type ProviderReceiptRow,
  providerReceipts,
} from '../../../storage/tables/provider-receipt.ts';
import { type EndpointRow, subscribers } from '../../../storage/tables/subscriber.ts';
import { catalog } from '../../channels/catalog.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import { markOfDevice, type ReturnedMail } from '../../channels/email/return-path.ts';
import { attemptUuid, sendOfUuid } from '../../channels/port/attempt-uuid.ts';
import type { MessageName } from '../../channels/port/callback-item.ts';
import type { DeliveryReport } from '../../channels/port/delivery-report.ts';
import type { RelayEvent } from '../../channels/port/relay-events.ts';
import { type EventDraft, encodeDrafts } from '../../events/log/drafts.ts';
import type { EventsEntry } from '../../events/protocol.ts';
import { limits } from '../../limits.ts';
import type { AboutSend } from '../../people/about-send.ts';
import { readableRow } from '../../readable-row.ts';
import { softBouncesOf } from '../../tenants/accounts/soft-bounces.ts';
import type { GateEntry } from '../gate/protocol.ts';
import type { MailWay } from '../mailboxes/figures.ts';
import { MailTally } from '../mailboxes/tally.ts';
import { copiesGiven, isOfCopy } from '../outbox/copies.ts';
import type { ReceiptStatus } from '../outbox/records.ts';
import { relayNamed } from '../outbox/relay-rules.ts';
import { type LateReport, SettlementBatch } from '../outbox/report.ts';
import { sendKey } from '../outbox/send-key.ts';
import { AnsweredSends } from './answered-send.ts';
import { type FoundSend, type NamedTarget, SendFinder, targetKey } from './find-send.ts';
import { mailWayOf } from './mail-way.ts';
import { type CallbacksView, marketingSend } from './memory.ts';
import type { CallbacksEntry, ComplainedBy } from './protocol.ts';
import { fold, nothingReported, type ReceiptState, reasonIn } from './receipt-state.ts';
import { meaningOf } from './relay-meaning.ts';
import { afterSoftBounce } from './soft-bounces.ts';
import { receiptRecheckTimer, receiptsRetellTimer } from './timers.ts';

interface CallbackReport extends NamedTarget {
  /** The relay that tells it. */
  readonly relay?: string;
  readonly news: DeliveryReport;
  /** Of an email that came back: the recipients that it names. */
  readonly about?: readonly string[] | undefined;
}

export type ReportResult = 'taken' | 'repeated' | 'ignored';

type Returned = Pick<ReturnedMail, 'sendId' | 'person' | 'deviceMark'>;

/** The earliest that a person's own clock may date a read. */
const readAgoMaxMs = 7 * dayMs;

export class ReportedSends {
  readonly #app: CallbacksView;
  readonly #context: Context;
  readonly #batch: SettlementBatch;
  readonly #finder: SendFinder;
  readonly #rows = new Map<string, ProviderReceiptRow>();
  readonly #entries: Entry[] = [];
  readonly #opens: EventDraft[] = [];
  readonly #timers: Entry[] = [];
  readonly #mails = new MailTally();

  constructor(app: CallbacksView, context: Context) {
    this.#app = app;
    this.#context = context;
    this.#batch = new SettlementBatch(app, context);
    this.#finder = new SendFinder(app, context, this.#batch);
  }

  apply(report: CallbackReport): ReportResult {
    const send = this.#isOfCopies(report) ? undefined : this.#finder.of(report);
    if (send === undefined) return 'ignored';
    const { sendId, deviceId, channel, news } = report;
    this.#countUnreached(report, send.person);
    const known = this.#rowOf(sendId, deviceId);
    const before = known === undefined ? nothingReported : stateOf(known);
    const after = fold(before, news);
    if (!isWorthStoring(report, send, known === undefined, after !== before)) return 'repeated';
    const { owner, nowMs: atMs } = this.#context;
    if (after !== before) this.#countSoft(report, send.person);
    const isEarly = send.at === 'provider';
    const entry: CallbacksEntry = {
      kind: 'receipt.told',
      owner,
      sendId,
      deviceId,
      channel,
      news,
      atMs,
      ...(isEarly ? { isEarly } : {}),
      ...(news.kind === 'complained' ? { by: this.#complainedBy(report, send) } : {}),
    };
    this.#entries.push(entry);
    if (after.read && !before.read) this.#open(report, send, after);
    if (isEarly) {
      if (known?.looks === undefined) this.#rereadSendLater(sendId, 0);
      this.#keep(report, send.person, after, known?.looks ?? 0);
      return 'taken';
    }
    // An early report that was not read again has had no effect yet.
    this.#follow(report, send, known?.looks === undefined ? before : nothingReported, after);
    this.#keep(report, send.person, after);
    return 'taken';
  }

  /** What people of this callback answer; what it reports counts already. */
  answered(): AnsweredSends {
    const { owner } = this.#context;
    const { deviceSends } = this.#batch;
    return new AnsweredSends(this.#app, { owner, finder: this.#finder, deviceSends });
  }

  deviceAt(channel: ChannelId, address: string): EndpointRow | undefined {
    return this.#finder.deviceAt(channel, address);
  }

  /** A device's person has another number now, in E.164. */
  changeNumber({ person, deviceId }: EndpointRow, endpoint: string): void {
    const row = readableRow(this.#context.documents, subscribers, [person]);
    const device = row?.devices.find(({ id }) => id === deviceId);
    if (device === undefined) return;
    this.#batch.effects.changeNumber(person, deviceId, { from: device.endpoint, endpoint });
  }

  /** Finds the message by the provider's name for it, or by its address. */
  applyNamed(
    channel: ChannelId,
    name: MessageName,
    address: string | undefined,
    news: DeliveryReport,
  ): ReportResult {
    if ('sendId' in name) {
      const { sendId, deviceId } = name;
      return this.apply({ sendId, deviceId, channel, address, news });
    }
    if (address === undefined) return 'ignored';
    if ('uuid' in name) return this.#applyByUuid(channel, name.uuid, address, news);
    return this.#applyByName(channel, name.name, address, news);
  }

  /** By our mark, which the mail service echoes. */
  applyRelayed(channel: ChannelId, event: RelayEvent, relay: string): ReportResult {
    const { sendId, deviceId, to: address } = event;
    const news = meaningOf(event, this.#app.settings.emailTracking);
    return news === undefined
      ? 'ignored'
      : this.apply({ sendId, deviceId, channel, address, news, relay });
  }

  /** Who a send went to, if that is known, and if its address is not that of a copy. */
  personOf(target: NamedTarget): PersonOrdinal | undefined {
    return this.#isOfCopies(target) ? undefined : this.#finder.of(target)?.person;
  }

  /** What happens to copies of an email is no news of its recipient. */
  #isOfCopies({
    sendId,
    deviceId,
    channel,
    address,
    about = address === undefined ? [] : [address],
  }: NamedTarget & Pick<CallbackReport, 'about'>): boolean {
    if (channel !== 'email' || about.length === 0) return false;
    const row = this.#batch.rowOf(sendId);
    if (row === undefined || copiesGiven(row.content) === 0) return false;
    const people = [this.#app.people.canonical(row.person)];
    const person = readableRow(this.#context.documents, subscribers, people);
    const endpoint = person?.devices.find(({ id }) => id === deviceId)?.endpoint;
    const to = typeof endpoint === 'string' ? endpoint : undefined;
    return about.every((one) => isOfCopy(row.content, to, one));
  }

  /** By the provider's id, which is derived from ours. */
  #applyByUuid(
    channel: ChannelId,
    messageId: string,
    address: string,
    news: DeliveryReport,
  ): ReportResult {
    const sendId = sendOfUuid(messageId, this.#context.owner);
    const deviceId = this.#finder.deviceAt(channel, address)?.deviceId;
    if (sendId === undefined || deviceId === undefined) return 'ignored';
    if (attemptUuid(sendId, deviceId) !== messageId.toLowerCase()) return 'ignored';
    return this.apply({ sendId, deviceId, channel, address, news });
  }

  /** By the return address of an email, which names the device by part of its id. */
  applyReturned(
    { sendId, person, deviceMark }: Returned,
    news: DeliveryReport,
    about?: readonly string[],
  ): ReportResult {
    const isMarked = (one: { readonly deviceId: string; readonly channel: string }) =>
      one.channel === 'email' && markOfDevice(one.deviceId) === deviceMark;
    const { people, outbox } = this.#app;
    const row = readableRow(this.#context.documents, subscribers, [people.canonical(person)]);
    const deviceId =
      row?.devices.find(({ id, channel }) => isMarked({ deviceId: id, channel }))?.id ??
      outbox.jobs.get(sendId)?.targets.find(isMarked)?.deviceId ??
      this.#batch.rowOf(sendId)?.targets.find(isMarked)?.deviceId;
    if (deviceId === undefined) return 'ignored';
    return this.apply({ sendId, deviceId, channel: 'email', person, news, about });
  }

  /** By the provider's name for the message, which may not be known yet. */
  #applyByName(
    channel: ChannelId,
    name: string,
    address: string,
    news: DeliveryReport,
  ): ReportResult {
    const device = this.#finder.deviceAt(channel, address);
    if (device === undefined) return 'ignored';
    const { deviceId } = device;
    const { deviceSends } = this.#batch;
    const row = deviceSends.of(deviceId);
    const sent = row.sends.findLast((one) => one.name === name);
    if (sent !== undefined)
      return this.apply({ sendId: sent.sendId, deviceId, channel, address, news });
    if (!this.#finder.isCalling(device, channel)) return 'ignored';
    const early: EarlyReport = { channel, address, name, news };
    if (row.early.some((one) => isSame(one, early))) return 'repeated';
    const { owner, nowMs: atMs } = this.#context;
    const entry: CallbacksEntry = {
      ...{ kind: 'receipt.early', owner, deviceId, channel, name, news, atMs },
    };
    this.#entries.push(entry);
    if (row.early.length === 0) this.#rereadDeviceLater(deviceId, 0);
    const looks = row.early.length === 0 ? 0 : row.looks;
    const kept = [...row.early, early].slice(-limits.deviceEarlyKept);
    deviceSends.put(deviceId, { ...row, early: kept, looks });
    return 'taken';
  }

  /** Applies early reports of a device whose names are known by now. */
  rereadDevice(deviceId: string): void {
    const { owner, nowMs: atMs } = this.#context;
    const { deviceSends } = this.#batch;
    const { early, looks } = deviceSends.of(deviceId);
    const rest: EarlyReport[] = [];
    for (const one of early) {
      const { name, address, news } = one;
      const channel = one.channel as ChannelId;
      const device = this.#finder.deviceAt(channel, address);
      if (device?.deviceId !== deviceId) continue;
      const sent = deviceSends.of(deviceId).sends.findLast((kept) => kept.name === name);
      if (sent !== undefined)
        this.apply({
          sendId: sent.sendId,
          deviceId,
          channel,
          address,
          news: news as DeliveryReport,
        });
      else if (looks < limits.callbackLooksMax && this.#finder.isCalling(device, channel))
        rest.push(one);
    }
    const entry: CallbacksEntry = { kind: 'receipts.retold', owner, deviceId, atMs };
    this.#entries.push(entry);
    if (rest.length > 0) this.#rereadDeviceLater(deviceId, looks + 1);
    deviceSends.put(deviceId, { ...deviceSends.of(deviceId), early: rest, looks: looks + 1 });
  }

  /** Applies early reports of a send, if its calls have answers by now. */
  rereadSend(sendId: string): void {
    const key = sendKey(this.#context.owner, sendId);
    if (key === undefined) return;
    const rows = this.#context.documents.range(providerReceipts, {
      from: key,
      limit: limits.devicesMax,
    });
    let looks: number | undefined;
    for (const { value } of rows) {
      if (value.sendId !== sendId || value.looks === undefined) continue;
      if (this.#app.people.isGone(value.person)) continue;
      const { deviceId, person } = value;
      const channel = value.channel as ChannelId;
      const report: CallbackReport = { sendId, deviceId, channel, news: { kind: 'taken' } };
      const send = this.#finder.of(report) ?? { at: 'end', person, status: 'delivered' };
      const state = stateOf(value);
      if (send.at === 'provider' && value.looks < limits.callbackLooksMax) {
        looks = Math.max(looks ?? 0, value.looks + 1);
        this.#keep(report, person, state, value.looks + 1);
        continue;
      }
      if (send.at !== 'provider') this.#follow(report, send, nothingReported, state);
      this.#keep(report, send.person, state);
    }
    const { owner, nowMs: atMs } = this.#context;
    const entry: CallbacksEntry = { kind: 'receipts.rechecked', owner, sendId, atMs };
    this.#entries.push(entry);
    if (looks !== undefined) this.#rereadSendLater(sendId, looks);
  }

  documents(): readonly DocumentWrite[] {
    const rows = [...this.#rows.values()].map((value) => ({
      table: providerReceipts,
      key: receiptKey(this.#context.owner, value.sendId, value.deviceId) ?? [],
      value,
    }));
    return [...this.#batch.documents(), ...rows];
  }

  entries(): Entry[] {
    const { owner, nowMs: atMs } = this.#context;
    const opens: EventsEntry[] = [];
    if (this.#opens.length > 0) {
      const batch = encodeDrafts(this.#opens, atMs);
      opens.push({ kind: 'events.tracked', owner, atMs, keyless: false, batch });
    }
    const counted = this.#mails.entries(this.#app, this.#context);
    return [...this.#entries, ...opens, ...this.#batch.entries(null), ...counted, ...this.#timers];
  }

  /** Applies what is new between two states, each effect once. */
  #follow(
    report: CallbackReport,
    send: Exclude<FoundSend, { at: 'provider' }>,
    before: ReceiptState,
    after: ReceiptState,
  ): void {
    const { sendId, deviceId, channel } = report;
    const { person } = send;
    if (channel === 'email') this.#countMail(report, send, before, after);
    const tried = { deviceId, channel };
    const reason = reasonIn(after);
    const reasonBefore = reasonIn(before);
    const reached = after.accepted && !after.arrived ? 'accepted' : 'delivered';
    // Marketing sends have a status for all devices of a person: this one's has been reported.
    const isReported = send.at === 'end' && send.status === 'accepted' && before.arrived;
    const status = send.at === 'end' && !isReported ? send.status : 'delivered';
    if (send.at === 'outbox') {
      const { job, index } = send;
      const status = reason === undefined ? reached : 'bounced';
      const { attempts = 1, copies } = job.targets[index] ?? {};
      const why = reason === undefined ? {} : { reason };
      const more = copies === undefined ? why : { ...why, copies };
      this.#batch.add(job, index, { next: 'done', receipt: { person, status, attempts, ...more } });
      this.#finder.end(report, status);
    } else if (reason === undefined && status === 'failed') {
      this.#batch.endLate(sendId, tried, lateOf(report, send, status), reached);
      this.#finder.end(report, reached);
    } else if (reason === undefined && status === 'accepted' && after.arrived) {
      this.#batch.endLate(sendId, tried, lateOf(report, send, status), 'delivered');
      this.#finder.end(report, 'delivered');
    } else if (reason !== undefined && reasonBefore === undefined) {
      if (status === 'accepted' || status === 'delivered' || status === 'failed') {
        this.#batch.endLate(sendId, tried, lateOf(report, send, status), 'bounced', reason);
        this.#finder.end(report, 'bounced');
      }
    } else if (reason !== undefined && reasonBefore !== undefined && reason !== reasonBefore)
      this.#batch.reword(sendId, deviceId, reasonBefore, reason);
    const { dead, optedOut, complained } = after;
    if (complained && !before.complained)
      this.#batch.effects.complaint(person, tried, this.#about(report, send), complained);
    if (after.unsubscribed && !before.unsubscribed) {
      const by = relayNamed(this.#app, report.relay);
      this.#batch.effects.unsubscribe(person, tried, this.#about(report, send), by);
    }
    if (dead !== undefined && dead !== before.dead)
      this.#batch.effects.ofOutcome(person, tried, { outcome: 'dead', reason: dead });
    if (optedOut !== undefined && optedOut !== before.optedOut)
      this.#batch.effects.ofOutcome(person, tried, { outcome: 'opted_out', reason: optedOut });
  }

  /** What is new about an email. A try without an answer was not counted as sent before. */
  #countMail(
    report: CallbackReport,
    send: Exclude<FoundSend, { at: 'provider' }>,
    before: ReceiptState,
    after: ReceiptState,
  ): void {
    const way = this.#mailWayOf(report, send);
    const status = send.at === 'end' ? send.status : 'failed';
    const reason = reasonIn(after);
    const isFirst = reasonIn(before) === undefined;
    if (status === 'failed' && isFirst && !before.accepted && !before.arrived)
      this.#mails.count(way, 'sent');
    const isProven = status === 'failed' && !after.accepted && reason === undefined;
    // Events of a relay come in any order; without one, what bounced had been taken before.
    const isOver = status === 'delivered' || (status === 'bounced' && report.relay === undefined);
    if ((after.arrived || isProven) && !before.arrived && !isOver)
      this.#mails.count(way, 'delivered');
    if (after.deferred !== undefined && before.deferred === undefined)
      this.#mails.count(way, 'deferred', { reason: 'deferred', ...after.deferred });
    if (reason !== undefined && isFirst && status !== 'bounced' && status !== 'suppressed')
      this.#mails.count(way, after.dead === undefined ? 'bouncedSoft' : 'bouncedHard', { reason });
    if (after.complained && !before.complained) this.#mails.count(way, 'complained');
  }

  #mailWayOf({ sendId, deviceId, relay }: CallbackReport, { person }: FoundSend): MailWay {
    return mailWayOf(this.#app, { sendId, deviceId, person }, this.#context, relay);
  }

  #about({ sendId, deviceId }: CallbackReport, { origin }: FoundSend): AboutSend {
    const journey = origin?.journeyId === undefined ? {} : { journeyId: origin.journeyId };
    return { ...journey, ...marketingSend(this.#app, sendId), sendId, deviceId };
  }

  #complainedBy(report: CallbackReport, send: FoundSend): ComplainedBy {
    const { sendId: _s, deviceId: _d, variant: _v, ...about } = this.#about(report, send);
    const test = this.#batch.rowOf(report.sendId)?.test;
    return { ...about, person: send.person, ...(test === undefined ? {} : { test }) };
  }

  /** A read counts as an open at once, before the answer to its call. */
  #open(report: CallbackReport, send: FoundSend, { readMs }: ReceiptState): void {
    const { sendId, deviceId, channel } = report;
    const { person, origin } = send;
    if (channel === 'email') this.#mails.count(this.#mailWayOf(report, send), 'opened');
    const { variant, ...named } = marketingSend(this.#app, sendId);
    const { campaignId, journeyId, messageId } = { ...origin, ...named };
    const test = this.#batch.rowOf(sendId)?.test;
    const hasMeta = test !== undefined || journeyId !== undefined || variant !== undefined;
    this.#opens.push({
      name: 'opened',
      person,
      atMs: this.#readAt(readMs),
      sendId,
      deviceId,
      channel: channelIds.indexOf(channel) + 1,
      ...(campaignId === undefined ? {} : { campaignId }),
      ...(journeyId === undefined ? {} : { journeyId }),
      ...(messageId === undefined ? {} : { messageId }),
      ...(hasMeta ? { metaJson: JSON.stringify({ journeyId, test, variant }) } : {}),
    });
  }

  #readAt(readMs: Millis | undefined): Millis {
    const { nowMs } = this.#context;
    return Math.min(nowMs, Math.max(readMs ?? nowMs, nowMs - readAgoMaxMs));
  }

  /** Each send counts once. */
  #countUnreached(
    { sendId, deviceId, channel, news }: CallbackReport,
    person: PersonOrdinal,
  ): void {
    if (news.kind !== 'failed' || news.reason !== catalog[channel].failureThatAddsUp) return;
    const { deviceSends } = this.#batch;
    const row = deviceSends.of(deviceId);
    if (row.unreached.some((one) => one.sendId === sendId)) return;
    const { nowMs: atMs } = this.#context;
    const sinceMs = atMs - limits.unreachedWindowMs;
    const kept = row.unreached.filter((one) => one.atMs > sinceMs);
    const now = [...kept, { sendId, atMs }].slice(-limits.unreachedMax);
    deviceSends.put(deviceId, { ...row, unreached: now });
    if (now.length === limits.unreachedMax)
      this.#batch.effects.disableOnce(person, deviceId, news.reason);
  }

  /** Several soft bounces in a row rest an address; a delivery ends the row. */
  #countSoft({ deviceId, channel, news }: CallbackReport, person: PersonOrdinal): void {
    if (channel !== 'email') return;
    const isSoft = news.kind === 'failed' && news.isSoft === true;
    if (!isSoft && news.kind !== 'arrived' && news.kind !== 'read') return;
    const { deviceSends } = this.#batch;
    const { soft: known, ...row } = deviceSends.of(deviceId);
    if (!isSoft) {
      if (known !== undefined) deviceSends.put(deviceId, row);
      return;
    }
    const rule = softBouncesOf(this.#app.settings);
    const { owner, nowMs: atMs } = this.#context;
    const counted = rule === null ? undefined : afterSoftBounce(known, rule, atMs);
    if (counted === undefined) return;
    const { soft, untilMs } = counted;
    deviceSends.put(deviceId, { ...row, soft });
    if (untilMs === undefined) return;
    const entry: GateEntry = { kind: 'device.rested', owner, person, deviceId, untilMs, atMs };
    this.#entries.push(entry);
  }

  #rereadDeviceLater(deviceId: string, looks: number): void {
    const { owner, nowMs } = this.#context;
    this.#timers.push(receiptsRetellTimer(owner, deviceId, nowMs + lookAfterMs(looks)));
  }

  #rereadSendLater(sendId: string, looks: number): void {
    const { owner, nowMs } = this.#context;
    this.#timers.push(receiptRecheckTimer(owner, sendId, nowMs + lookAfterMs(looks)));
  }

  #rowOf(sendId: string, deviceId: string): ProviderReceiptRow | undefined {
    const staged = this.#rows.get(targetKey(sendId, deviceId));
    if (staged !== undefined) return staged;
    const key = receiptKey(this.#context.owner, sendId, deviceId);
    return key && readableRow(this.#context.documents, providerReceipts, key);
  }

  #keep(
    { sendId, deviceId, channel, relay }: CallbackReport,
    person: PersonOrdinal,
    state: ReceiptState,
    looks?: number,
  ): void {
    const known = this.#rowOf(sendId, deviceId)?.relayName;
    const relayName = known ?? relayNamed(this.#app, relay).relayName;
    this.#rows.set(targetKey(sendId, deviceId), {
      ...{ sendId, deviceId, channel, person },
      ...state,
      ...(relayName === undefined ? {} : { relayName }),
      ...(looks === undefined ? {} : { looks }),
    });
  }
}

/** Whether to store a callback's report. */
function isWorthStoring(
  { channel, news }: CallbackReport,
  send: FoundSend,
  isFirst: boolean,
  isChange: boolean,
): boolean {
  if (send.at !== 'end') return isChange || isFirst;
  // `taken` only adds something to a try that failed or whose outcome is unknown.
  if (news.kind === 'taken') return isFirst && send.status === 'failed';
  // Polls bring millions of these: an expected delivery writes nothing.
  const isExpected = news.kind === 'arrived' && send.status === 'delivered' && isFirst;
  return isChange && !(isExpected && catalog[channel].isPolled === true);
}

function lateOf(
  { relay }: CallbackReport,
  { person, origin, failedMs }: Extract<FoundSend, { at: 'end' }>,
  status: ReceiptStatus | undefined,
): LateReport {
  return {
    person,
    ...(origin === undefined ? {} : { origin }),
    ...(status === 'accepted' ? { wasAccepted: true } : {}),
    ...(failedMs === undefined ? {} : { failedMs, isFailed: status === 'failed' }),
    ...(relay === undefined ? {} : { relay }),
  };
}

function lookAfterMs(looks: number): Millis {
  return Math.min(limits.callbackLookMsMax, limits.callbackLookMsMin * 2 ** looks);
}

function isSame(a: EarlyReport, b: EarlyReport): boolean {
  return a.name === b.name && JSON.stringify(a.news) === JSON.stringify(b.news);
}

function stateOf(row: ProviderReceiptRow): ReceiptState {
  const { sendId: _send, deviceId: _device, channel: _on, person: _who, ...told } = row;
  const { looks: _looks, relayName: _relay, ...state } = told;
  return state;
}

function receiptKey(app: number, sendId: string, deviceId: string) {
  const key = sendKey(app, sendId);
  return key === undefined ? undefined : ([...key, deviceId] as const);
}
