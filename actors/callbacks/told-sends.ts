// Takes in what callbacks say of sends, many of them at a time, and finds what each is about: a try that waits for another
// is ended by it, a delivery that came to nothing becomes a bounce, a read is an open. What a reader would get wrong: a
// callback may overtake the answer to the very call it tells of. Then it is kept, and looked at again when that is in.
// Marketing sends have no row; their ids say whose they are (`campaigns/sending.ts`), and the provider's word that it had
// them is the proof that they were delivered to it.

import type { Context, DocumentWrite, Entry } from '../../engine/actor/message.ts';
import { dayMs, type Millis, type PersonOrdinal } from '../../engine/base/brand.ts';
import { parseId } from '../../engine/base/id.ts';
import {
  type ProviderReceiptRow,
  providerReceipts,
} from '../../storage/tables/provider-receipt.ts';
import { type EndpointRow, endpoints, subscribers } from '../../storage/tables/subscriber.ts';
import { normaliseEndpoint } from '../audience/identity.ts';
import { endpointKey } from '../audience/upsert.ts';
import { namedSend, numberInIds } from '../campaigns/sending.ts';
import { attemptUuid, sendOfUuid } from '../channels/attempt-uuid.ts';
import { type ChannelId, channelIds } from '../channels/catalog.ts';
import { markOfDevice, type ReturnedMail } from '../channels/email/return-path.ts';
import { type EventDraft, encodeDrafts } from '../events/drafts.ts';
import type { EventsEntry } from '../events/protocol.ts';
import { limits } from '../limits.ts';
import type { AppState } from '../state.ts';
import { receiptRecheckTimer } from '../timers.ts';
import type { Job } from '../transactional/job.ts';
import type { Origin, Receipt } from '../transactional/protocol.ts';
import { readableRow } from '../transactional/read-row.ts';
import { SettlementBatch } from '../transactional/report.ts';
import { sendKey } from '../transactional/send-key.ts';
import type { CallbacksEntry } from './protocol.ts';
import { fold, type News, nothingTold, type ReceiptState, reasonIn } from './receipt-state.ts';

/** What a callback says, and of what. */
export interface Told {
  readonly sendId: string;
  readonly deviceId: string;
  readonly channel: ChannelId;
  /** Where it was sent, as far as the provider says so. */
  readonly address?: string | undefined;
  /** Whose it was, where we had signed that into what the callback echoes. */
  readonly person?: PersonOrdinal;
  readonly news: News;
}

export type Taken = 'taken' | 'repeated' | 'ignored';

/** What an address of our own says of the mail that came back to it. */
type Returned = Pick<ReturnedMail, 'sendId' | 'person' | 'deviceMark'>;

/** How a send to a device stands. */
type Standing = {
  readonly person: PersonOrdinal;
  /** Of a marketing send. */
  readonly origin?: Omit<Origin, 'copy'>;
} /** The answer to its call is still to come. */ & (
  | { readonly at: 'provider' }
  /** It was handed over, as it seemed in vain, and waits for another try. */
  | { readonly at: 'outbox'; readonly job: Job; readonly index: number }
  | {
      readonly at: 'end';
      readonly status: Receipt['status'] | undefined;
      readonly isTest?: true;
    }
);

/** A person's own clock does not date their reading further back than this. */
const readAgoMaxMs = 7 * dayMs;

/** See the head of this file. */
export class ToldSends {
  readonly #app: AppState;
  readonly #context: Context;
  readonly #batch: SettlementBatch;
  readonly #rows = new Map<string, ProviderReceiptRow>();
  /** Ended by this batch itself, which memory does not know yet. */
  readonly #ended = new Map<string, Receipt['status']>();
  readonly #told: Entry[] = [];
  readonly #opens: EventDraft[] = [];
  readonly #timers: Entry[] = [];

  constructor(app: AppState, context: Context) {
    this.#app = app;
    this.#context = context;
    this.#batch = new SettlementBatch(app, context);
  }

  /** Takes one callback. */
  take(told: Told): Taken {
    const standing = this.#standing(told);
    if (standing === undefined) return 'ignored';
    const known = this.#rowOf(told.sendId, told.deviceId);
    const before = known === undefined ? nothingTold : stateOf(known);
    const after = fold(before, told.news);
    const isFirst = known === undefined;
    // That it was taken is news of a try whose outcome nobody knew, and of no other.
    const isNews = after !== before || (isFirst && standing.at !== 'end');
    if (!isNews) return 'repeated';
    const { sendId, deviceId, channel, news } = told;
    const { owner, nowMs: atMs } = this.#context;
    const isEarly = standing.at === 'provider';
    const entry: CallbacksEntry = {
      kind: 'receipt.told',
      owner,
      sendId,
      deviceId,
      channel,
      news,
      atMs,
      ...(isEarly ? { isEarly } : {}),
    };
    this.#told.push(entry);
    if (after.read && !before.read) this.#open(told, standing, after);
    if (isEarly) {
      if (known?.looks === undefined) this.#recheckLater(sendId, 0);
      this.#keep(told, standing.person, after, known?.looks ?? 0);
      return 'taken';
    }
    // What was told early and not looked at since has had no effect yet.
    this.#follow(told, standing, known?.looks === undefined ? before : nothingTold, after);
    this.#keep(told, standing.person, after);
    return 'taken';
  }

  /** The same of a message by the provider's own id, which is made of ours, and by where it was sent. */
  takeByUuid(channel: ChannelId, messageId: string, address: string, news: News): Taken {
    const sendId = sendOfUuid(messageId, this.#context.owner);
    const deviceId = this.#deviceAt(channel, address)?.deviceId;
    if (sendId === undefined || deviceId === undefined) return 'ignored';
    if (attemptUuid(sendId, deviceId) !== messageId.toLowerCase()) return 'ignored';
    return this.take({ sendId, deviceId, channel, address, news });
  }

  /** The same of an email by the address that it came back to, which names the device by a part of its id. */
  takeReturned({ sendId, person, deviceMark }: Returned, news: News): Taken {
    const isMarked = (one: { readonly deviceId: string; readonly channel: string }) =>
      one.channel === 'email' && markOfDevice(one.deviceId) === deviceMark;
    const { people, outbox } = this.#app;
    const row = readableRow(this.#context.documents, subscribers, [people.canonical(person)]);
    const deviceId =
      row?.devices.find(({ id, channel }) => isMarked({ deviceId: id, channel }))?.id ??
      outbox.jobs.get(sendId)?.targets.find(isMarked)?.deviceId ??
      this.#batch.rowOf(sendId)?.targets.find(isMarked)?.deviceId;
    if (deviceId === undefined) return 'ignored';
    return this.take({ sendId, deviceId, channel: 'email', person, news });
  }

  /** Looks again at what came too early of a send. */
  recheck(sendId: string): void {
    const key = sendKey(this.#context.owner, sendId);
    if (key === undefined) return;
    const rows = this.#context.documents.range(providerReceipts, {
      from: key,
      limit: limits.devicesMax,
    });
    let looks: number | undefined;
    for (const { value } of rows) {
      if (value.sendId !== sendId || value.looks === undefined) continue;
      if (this.#app.people.erased.has(value.person)) continue;
      const { deviceId, person } = value;
      const channel = value.channel as ChannelId;
      const told: Told = { sendId, deviceId, channel, news: { kind: 'taken' } };
      const standing = this.#standing(told) ?? { at: 'end', person, status: 'delivered' };
      const state = stateOf(value);
      if (standing.at === 'provider' && value.looks < limits.callbackLooksMax) {
        looks = Math.max(looks ?? 0, value.looks + 1);
        this.#keep(told, person, state, value.looks + 1);
        continue;
      }
      if (standing.at !== 'provider') this.#follow(told, standing, nothingTold, state);
      this.#keep(told, standing.person, state);
    }
    const { owner, nowMs: atMs } = this.#context;
    const entry: CallbacksEntry = { kind: 'receipts.rechecked', owner, sendId, atMs };
    this.#told.push(entry);
    if (looks !== undefined) this.#recheckLater(sendId, looks);
  }

  documents(): readonly DocumentWrite[] {
    const rows = [...this.#rows.values()].map((value) => ({
      table: providerReceipts,
      key: receiptKey(this.#context.owner, value.sendId, value.deviceId) ?? [],
      value,
    }));
    return [...this.#batch.documents(), ...rows];
  }

  /** The entries; events among them are numbered from `firstEvent` on. */
  entries(firstEvent = this.#app.nextEvent): {
    readonly entries: Entry[];
    readonly events: number;
  } {
    const { owner, nowMs: atMs } = this.#context;
    const opens: EventsEntry[] =
      this.#opens.length === 0
        ? []
        : [
            {
              kind: 'events.tracked',
              owner,
              atMs,
              keyless: false,
              batch: encodeDrafts(this.#opens, atMs, firstEvent),
            },
          ];
    const afterOpens = firstEvent + this.#opens.length;
    const settled = this.#batch.entries(null, afterOpens);
    return {
      entries: [...this.#told, ...opens, ...settled, ...this.#timers],
      events: this.#opens.length + this.#batch.receipts + this.#batch.optOuts,
    };
  }

  /** What is new between two states of what was told has its effects, each once. */
  #follow(
    told: Told,
    standing: Exclude<Standing, { at: 'provider' }>,
    before: ReceiptState,
    after: ReceiptState,
  ): void {
    const { sendId, deviceId, channel } = told;
    const { person } = standing;
    const tried = { deviceId, channel };
    const reason = reasonIn(after);
    const reasonBefore = reasonIn(before);
    if (standing.at === 'outbox') {
      const { job, index } = standing;
      const status = reason === undefined ? 'delivered' : 'bounced';
      const attempts = job.targets[index]?.attempts ?? 1;
      const why = reason === undefined ? {} : { reason };
      this.#batch.add(job, index, { next: 'done', receipt: { person, status, attempts, ...why } });
      this.#ended.set(placeOf(sendId, deviceId), status);
    } else if (reason !== undefined && reasonBefore === undefined) {
      if (standing.status === 'delivered') {
        this.#batch.bounceLate(sendId, tried, {
          person,
          reason,
          ...(standing.origin === undefined ? {} : { origin: standing.origin }),
          ...(standing.isTest === undefined ? {} : { test: true }),
        });
        this.#ended.set(placeOf(sendId, deviceId), 'bounced');
      }
    } else if (reason !== undefined && reasonBefore !== undefined && reason !== reasonBefore)
      this.#batch.reword(sendId, deviceId, reasonBefore, reason);
    const { dead, optedOut, complained } = after;
    if (complained && !before.complained) this.#batch.complain(person, tried);
    if (dead !== undefined && dead !== before.dead)
      this.#batch.followUp(person, tried, { outcome: 'dead', reason: dead });
    if (optedOut !== undefined && optedOut !== before.optedOut)
      this.#batch.followUp(person, tried, { outcome: 'opted_out', reason: optedOut });
  }

  /** A read is an open at once, whatever its call is answered with. */
  #open({ sendId, deviceId, channel }: Told, standing: Standing, { readMs }: ReceiptState): void {
    const { person, origin } = standing;
    const campaignId = origin?.campaignId;
    const isTest = this.#batch.rowOf(sendId)?.test === true;
    this.#opens.push({
      name: 'opened',
      person,
      atMs: this.#readAt(readMs),
      sendId,
      deviceId,
      channel: channelIds.indexOf(channel) + 1,
      ...(campaignId === undefined ? {} : { campaignId }),
      ...(isTest ? { metaJson: '{"test":true}' } : {}),
    });
  }

  #readAt(readMs: Millis | undefined): Millis {
    const { nowMs } = this.#context;
    return Math.min(nowMs, Math.max(readMs ?? nowMs, nowMs - readAgoMaxMs));
  }

  #standing({ sendId, deviceId, channel, address, person }: Told): Standing | undefined {
    if (sendKey(this.#context.owner, sendId) === undefined) return undefined;
    const ended = this.#ended.get(placeOf(sendId, deviceId));
    const job = this.#app.outbox.jobs.get(sendId);
    const index = job?.targets.findIndex((one) => isOf(one, deviceId, channel)) ?? -1;
    const target = job?.targets[index];
    if (
      job !== undefined &&
      target !== undefined &&
      target.state !== 'done' &&
      ended === undefined
    ) {
      const { person } = job;
      const origin = job.origin === undefined ? {} : { origin: job.origin };
      if (target.state === 'started') return { at: 'provider', person, ...origin };
      // Nobody can tell of what was never handed over; a redrive counts its attempts anew.
      const wasTried = target.attempts > 0 || target.deadLetter !== undefined;
      return wasTried ? { at: 'outbox', person, job, index, ...origin } : undefined;
    }
    const found =
      this.#ofRow(sendId, deviceId, channel) ??
      this.#ofCampaign(sendId, deviceId, channel) ??
      this.#ofJourney(sendId, deviceId, channel, address, job, person);
    if (found === undefined || this.#app.people.erased.has(found.person)) return undefined;
    return found.at === 'end' && ended !== undefined ? { ...found, status: ended } : found;
  }

  #ofRow(sendId: string, deviceId: string, channel: ChannelId): Standing | undefined {
    const row = this.#batch.rowOf(sendId);
    if (row === undefined || !row.targets.some((one) => isOf(one, deviceId, channel)))
      return undefined;
    const newest = row.outcomes.findLast((one) => one.deviceId === deviceId);
    const person = this.#app.people.canonical(row.person);
    const isTest = row.test === true ? { isTest: true as const } : {};
    return { at: 'end', person, status: newest?.status, ...isTest };
  }

  #ofCampaign(sendId: string, deviceId: string, channel: ChannelId): Standing | undefined {
    const named = namedSend(sendId);
    if (named === undefined || channelIds[named.channel] !== channel) return undefined;
    const { sending, campaigns, people } = this.#app;
    const person = people.canonical(named.person);
    for (const { campaignId, occurrence } of sending.begunAt(named.startedMs)) {
      const campaign = campaigns.get(campaignId);
      if (campaign === undefined || numberInIds(campaign.number) !== named.number) continue;
      const { number, tally } = occurrence;
      for (const wave of sending.waves.values())
        if (
          wave.campaignId === campaignId &&
          wave.occurrence === number &&
          wave.channel === named.channel &&
          wave.find(named.person) >= 0
        )
          return { at: 'provider', person, origin: { campaignId, occurrence: number } };
      if (!tally.has(person, 'sent')) return undefined;
      const status = tally.has(person, 'delivered') ? 'delivered' : undefined;
      return { at: 'end', person, status, origin: { campaignId, occurrence: number } };
    }
    // Of one that is counted no more, or gone: its person and device are left to be told of.
    const row = readableRow(this.#context.documents, subscribers, [person]);
    if (row?.devices.some((one) => isOf({ ...one, deviceId: one.id }, deviceId, channel)) !== true)
      return undefined;
    return { at: 'end', person, status: 'delivered' };
  }

  /** A journey's send says nothing of its person. The address does, if it is still that of the device it was signed for. */
  #ofJourney(
    sendId: string,
    deviceId: string,
    channel: ChannelId,
    address: string | undefined,
    job: Job | undefined,
    signedFor: PersonOrdinal | undefined,
  ): Standing | undefined {
    const parts = parseId('ntf', sendId);
    if (parts === undefined || (parts.high16 & 0xf) !== 0xf) return undefined;
    const number = (parts.high16 >>> 4) * 4294967296 + parts.low32;
    if (number < 1 || number >= this.#app.journeys.nextSend) return undefined;
    const owner = address === undefined ? undefined : this.#deviceAt(channel, address);
    const known = owner?.deviceId === deviceId ? owner.person : (job?.person ?? signedFor);
    if (known === undefined) return undefined;
    const person = this.#app.people.canonical(known);
    const origin = job?.origin === undefined ? {} : { origin: job.origin };
    return { at: 'end', person, status: 'delivered', ...origin };
  }

  /** Whose device has an address now. */
  #deviceAt(channel: ChannelId, address: string): EndpointRow | undefined {
    const normal = normaliseEndpoint(channel, address);
    if ('problem' in normal) return undefined;
    return this.#context.documents.get(endpoints, endpointKey(channel, normal.key));
  }

  #recheckLater(sendId: string, looks: number): void {
    const { owner, nowMs } = this.#context;
    const afterMs = Math.min(limits.callbackLookMsMax, limits.callbackLookMsMin * 2 ** looks);
    this.#timers.push(receiptRecheckTimer(owner, sendId, nowMs + afterMs));
  }

  #rowOf(sendId: string, deviceId: string): ProviderReceiptRow | undefined {
    const staged = this.#rows.get(placeOf(sendId, deviceId));
    if (staged !== undefined) return staged;
    const key = receiptKey(this.#context.owner, sendId, deviceId);
    return key && readableRow(this.#context.documents, providerReceipts, key);
  }

  #keep(
    { sendId, deviceId, channel }: Told,
    person: PersonOrdinal,
    state: ReceiptState,
    looks?: number,
  ): void {
    this.#rows.set(placeOf(sendId, deviceId), {
      ...{ sendId, deviceId, channel, person },
      ...state,
      ...(looks === undefined ? {} : { looks }),
    });
  }
}

function stateOf(row: ProviderReceiptRow): ReceiptState {
  const { arrived, read, readMs, failed, optedOut, dead, complained } = row;
  return {
    arrived,
    read,
    ...(readMs === undefined ? {} : { readMs }),
    ...(failed === undefined ? {} : { failed }),
    ...(optedOut === undefined ? {} : { optedOut }),
    ...(dead === undefined ? {} : { dead }),
    ...(complained === undefined ? {} : { complained }),
  };
}

function receiptKey(app: number, sendId: string, deviceId: string) {
  const key = sendKey(app, sendId);
  return key === undefined ? undefined : ([...key, deviceId] as const);
}

function placeOf(sendId: string, deviceId: string): string {
  return `${sendId} ${deviceId}`;
}

function isOf(
  one: { readonly deviceId: string; readonly channel: string },
  deviceId: string,
  channel: ChannelId,
): boolean {
  return one.deviceId === deviceId && one.channel === channel;
}
