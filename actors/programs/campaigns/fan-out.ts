// Gives people of campaigns their turn: as many as dispatch has room for, each checked against the
// state of this turn, one entry per slice. It must stay cheap for a million people: nothing is
// rendered, and records are passed on as stored unless a person has several devices on the channel.

import type { PumpContext } from '../../../engine/actor/machine.ts';
import type { DocumentReader, Effect, Entry } from '../../../engine/actor/message.ts';
import { assert } from '../../../engine/base/assert.ts';
import type { Bitset } from '../../../engine/base/bitset.ts';
import type { Millis, Ordinal, PersonOrdinal } from '../../../engine/base/brand.ts';
import { packOrdinals } from '../../../engine/base/ordinal-list.ts';
import { bodyBuffers } from '../../../engine/thread/body-buffers.ts';
import { subscribers } from '../../../storage/tables/subscriber.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import { type OpenRelay, serverRelay } from '../../channels/port/open-relay.ts';
import { utmFor } from '../../content/render/utm.ts';
import { limits } from '../../limits.ts';
import { readableRow } from '../../readable-row.ts';
import { campaignSendParts } from '../../sending/campaign-send-id.ts';
import type { QueuedSend, Turn } from '../../sending/dispatch/entries.ts';
import type { DispatchWave } from '../../sending/dispatch/protocol.ts';
import { openDevices } from '../../sending/gate/open-devices.ts';
import type { OrgRoom } from '../../sending/gate/org-room.ts';
import { isCircuitOpen, type ProviderHealth } from '../../sending/outbox/circuit.ts';
import type { Credentials } from '../../sending/outbox/open-credentials.ts';
import { partsHeld } from '../../sending/outbox/provider-health.ts';
import { homeOf, shareOf } from '../../sending/outbox/wave-shares.ts';
import { WarmUpRoom } from '../../sending/warm-up/room.ts';
import { linkHostOf } from '../../tenants/accounts/link-host.ts';
import { mailSettings } from '../../tenants/accounts/records.ts';
import { sourcesOf, variantFor } from './bucketing.ts';
import { readCopies } from './copies.ts';
import { engagedFirst } from './engaged-first.ts';
import type { CampaignsEntry } from './entries.ts';
import { fallbackWaitEndsMs } from './fallback-wait.ts';
import { guardStop } from './guarding.ts';
import { type CampaignLane, noChannel } from './lane.ts';
import { LaneGate, suppressTurn } from './lane-gate.ts';
import type { CampaignsView } from './memory.ts';
import { type Occurrence, planOf } from './occurrence.ts';
import { unitsThisSecond } from './pace.ts';
import type { CampaignPlan, CampaignRecord } from './records.ts';
import { campaignsWaiting } from './warming.ts';

/** What fan-out needs besides the app. */
export interface FanOutPlan {
  readonly partition: number;
  readonly dispatchers: number;
  credentialsOf(channel: ChannelId): Credentials;
  /** By which relay a wave leaves; `undefined` where its channel has no relays. */
  relayOn(channel: ChannelId): WaveRelay | undefined;
  /** How many dispatch threads share a wave on a channel. */
  waysOn(channel: ChannelId): number;
  /** How many more rows of waves dispatch accepts on a channel. */
  roomOn(channel: ChannelId): number;
  readonly room: OrgRoom;
}

/** A relay that takes a wave now. */
export interface WaveRelay {
  readonly name: string;
  /** Opened; absent for the server's own way. */
  readonly relay?: OpenRelay;
  /** The wave, of one person, finds out whether it takes messages again. */
  readonly probes?: true;
}

interface FanOutResult {
  readonly entries: readonly Entry[];
  readonly effects: readonly Effect[];
  readonly people: number;
}

/**
 * Gives at most `budget` people of one lane their turn; `undefined` if nobody can go now. Its entry
 * must be folded before the next lane is asked, or two could pass the same cap.
 */
export function fanOut(
  app: CampaignsView,
  plan: FanOutPlan,
  context: PumpContext,
  budget: number,
): FanOutResult | undefined {
  for (const [campaign, occurrence, lane] of lanesOf(app)) {
    const slice = new Slice(app, plan, context, campaign, occurrence, lane);
    const sliced = slice.cut(Math.min(budget, limits.sliceMax), app.sending.nextWave);
    if (sliced !== undefined) return sliced;
  }
  return undefined;
}

/** Lanes with people waiting, in all open occurrences, the least recently served first. */
function* lanesOf(
  app: CampaignsView,
): Generator<readonly [CampaignRecord, Occurrence, CampaignLane]> {
  const due: { campaign: CampaignRecord; occurrence: Occurrence }[] = [];
  for (const campaign of app.campaigns.unfinishedRecords()) {
    if (campaign.state !== 'sending' || guardStop(app, campaign) !== undefined) continue;
    for (const occurrence of app.sending.of(campaign.id))
      if (occurrence.stage !== 'ended') due.push({ campaign, occurrence });
  }
  due.sort((one, other) => one.occurrence.servedMs - other.occurrence.servedMs);
  for (const { campaign, occurrence } of due)
    for (const lane of occurrence.lanes) if (lane.left > 0) yield [campaign, occurrence, lane];
}

/** Codes of turns are bytes. */
const turnKindsMax = 255;

const waveTurn: Turn = { turn: 'wave' };
const sendTurn: Turn = { turn: 'send' };
const gone: Turn = { turn: 'gone' };

const recordsBytesMin = 64 * 1024;
const nothing: Uint8Array = new Uint8Array(0);

/**
 * People for one dispatch thread; their records, each copied once into a buffer that doubles. Such
 * buffers come back (`wave-crossing.ts`).
 */
class WavePart {
  readonly people: PersonOrdinal[] = [];
  #bytes = nothing;
  readonly #ends: number[] = [];
  #used = 0;

  get byteLength(): number {
    return this.#used;
  }

  readonly add = (record: Uint8Array): void => {
    const { length } = record;
    if (this.#used + length > this.#bytes.length) {
      const larger = bodyBuffers.take(
        Math.max(recordsBytesMin, this.#bytes.length * 2, this.#used + length),
      );
      larger.set(this.#bytes.subarray(0, this.#used));
      bodyBuffers.give(this.#bytes.buffer);
      this.#bytes = larger;
    }
    this.#bytes.set(record, this.#used);
    this.#used += length;
    this.#ends.push(this.#used);
  };

  /** All records; a record without a launched person would shift the others. */
  whole(): Pick<DispatchWave, 'people' | 'records' | 'ends'> {
    assert(this.people.length === this.#ends.length, 'a record a person');
    return {
      people: new Uint32Array(this.people),
      records: this.#bytes.subarray(0, this.#used),
      ends: new Uint32Array(this.#ends),
    };
  }
}

class Slice {
  readonly #app: CampaignsView;
  readonly #plan: FanOutPlan;
  readonly #campaign: CampaignRecord;
  readonly #sent: CampaignPlan;
  readonly #occurrence: Occurrence;
  readonly #lane: CampaignLane;
  readonly #owner: Ordinal;
  readonly #documents: DocumentReader;
  readonly #nowMs: Millis;
  readonly #wallMs: Millis;
  readonly #channel: ChannelId | undefined;

  readonly #people: PersonOrdinal[] = [];
  readonly #turns: Turn[] = [];
  readonly #codes: number[] = [];
  readonly #sends: QueuedSend[] = [];
  /** By share; people of a channel with one thread are in the first. */
  readonly #parts: readonly WavePart[];
  /** While the sender domain of these emails is warming up. */
  readonly #warmUp: WarmUpRoom | undefined;
  /** How many of them the campaign may begin now. */
  #warmLeft = Number.POSITIVE_INFINITY;
  #isProbe = false;
  #relay: WaveRelay | undefined;

  constructor(
    app: CampaignsView,
    plan: FanOutPlan,
    context: PumpContext,
    campaign: CampaignRecord,
    occurrence: Occurrence,
    lane: CampaignLane,
  ) {
    this.#app = app;
    this.#plan = plan;
    this.#campaign = campaign;
    this.#sent = planOf(campaign, occurrence);
    this.#occurrence = occurrence;
    this.#lane = lane;
    this.#owner = app.record.ordinal;
    this.#documents = context.documentsOf(this.#owner);
    this.#nowMs = context.nowMs;
    this.#wallMs = context.wallMs;
    this.#channel = lane.channel === noChannel ? undefined : channelIds[lane.channel];
    const ways = this.#channel === undefined ? 1 : plan.waysOn(this.#channel);
    this.#warmUp =
      this.#channel === 'email' ? WarmUpRoom.ofTurn(context, this.#owner, app) : undefined;
    if (this.#warmUp !== undefined)
      this.#warmLeft = this.#warmUp.shareOf(campaign.id, campaignsWaiting(app));
    this.#parts = Array.from({ length: ways }, () => new WavePart());
  }

  cut(budget: number, wave: number): FanOutResult | undefined {
    const channel = this.#channel;
    const credentials = channel === undefined ? undefined : this.#plan.credentialsOf(channel);
    let room = channel === undefined ? 0 : this.#plan.roomOn(channel);
    // With an unreadable credential one person goes to the outbox, which opens and probes its
    // circuit.
    this.#isProbe = credentials?.state === 'unreadable';
    if (this.#isProbe) room = Math.min(room, 1);
    this.#relay = channel === undefined ? undefined : this.#plan.relayOn(channel);
    const isConfigured = credentials?.state !== 'not_configured';
    const gate = new LaneGate(
      this.#app,
      this.#sent,
      this.#occurrence,
      this.#lane,
      { nowMs: this.#nowMs, wallMs: this.#wallMs },
      isConfigured,
      this.#plan.room,
    );
    const occurrences = this.#app.sending.of(this.#campaign.id);
    const pace = unitsThisSecond(this.#campaign, occurrences, this.#nowMs);
    room = Math.min(room, pace);
    // Entries have people in their order, so a slice has people of one pass.
    for (const among of this.#passes()) {
      const isBlocked = this.#walk(gate, room, budget, among);
      if (isBlocked || this.#people.length > 0) break;
    }
    if (this.#people.length === 0) return undefined;
    return {
      entries: [this.#entry(wave)],
      effects: this.#effects(wave, credentials),
      people: this.#people.length,
    };
  }

  #passes(): readonly (Bitset | undefined)[] {
    return this.#warmUp === undefined ? [undefined] : engagedFirst(this.#app.traits, this.#nowMs);
  }

  /** Gives people their turn, in order. Returns whether one must wait. */
  #walk(gate: LaneGate, most: number, budget: number, among: Bitset | undefined): boolean {
    const lane = this.#lane;
    let room = most;
    let person = lane.next(0, among);
    // A new kind of turn beyond what codes can name goes to the next slice.
    while (
      person >= 0 &&
      this.#people.length < budget &&
      this.#turns.length < turnKindsMax &&
      this.#recordBytes() < limits.sliceBytesMax
    ) {
      const turn = this.#turnOf(person, gate, room > 0);
      if (turn === undefined) return true;
      if (turn.turn === 'wave' || turn.turn === 'send') room--;
      this.#add(person, turn);
      person = lane.next(person + 1, among);
    }
    return false;
  }

  #recordBytes(): number {
    let bytes = 0;
    for (const part of this.#parts) bytes += part.byteLength;
    return bytes;
  }

  /** A person's turn now; `undefined` if they must wait for room. */
  #turnOf(person: PersonOrdinal, gate: LaneGate, hasRoom: boolean): Turn | undefined {
    const { phase } = this.#lane;
    const { tally, fallbackSent } = this.#occurrence;
    if (phase === 'fallback') {
      if (tally.isEngaged(person)) return gone;
      const untilMs = fallbackWaitEndsMs(this.#sent, this.#occurrence, person);
      if (untilMs > this.#nowMs) return { turn: 'hold', reason: 'fallback', untilMs };
    }
    const isFirst = phase === 'primary' ? !tally.has(person, 'sent') : !fallbackSent.test(person);
    const judged = gate.ask(person, isFirst);
    if (judged === 'undecided') return undefined;
    if (judged !== 'send') return judged;
    // Where others have their part of the day left, it may be given back.
    if (this.#warmLeft <= 0) return this.#warmUp?.isUsedUp ? this.#outlives() : undefined;
    return hasRoom ? this.#start(person, gate, isFirst) : undefined;
  }

  /** The gate allows the send; left to check are devices and the org's room. */
  #start(person: PersonOrdinal, gate: LaneGate, isFirst: boolean): Turn | undefined {
    const several = this.#isProbe || this.#app.contact.hasSeveral(person, this.#lane.channel);
    const deviceIds = several ? this.#devicesOf(person) : [];
    // Memory has devices, but the record has none or is unreadable.
    if (several && deviceIds.length === 0) return suppressTurn('no_device');
    const room = gate.askRoom(isFirst);
    if (room !== 'send') return room;
    const mails = Math.max(1, deviceIds.length);
    const warm = this.#askWarmUp(person, mails);
    if (warm !== 'send') return warm;
    const part = this.#parts[shareOf(person, this.#parts.length)] as WavePart;
    if (!several && !this.#documents.lend(subscribers, [person], part.add)) return gone;
    // Last, so that only actual sends use up room.
    gate.takeRoom(isFirst, mails);
    this.#takeWarmUp(person, mails);
    if (several) {
      this.#sends.push({ person, deviceIds });
      return sendTurn;
    }
    part.people.push(person);
    return waveTurn;
  }

  #devicesOf(person: PersonOrdinal): readonly string[] {
    return this.#openDevices(person).map(({ id }) => id);
  }

  #openDevices(person: PersonOrdinal) {
    const row = readableRow(this.#documents, subscribers, [person]);
    const isOn = (channel: string) => channel === this.#channel;
    return openDevices(row, isOn, this.#app);
  }

  /** Whether the day of a domain that warms up has room; `undefined`: the campaign waits for it. */
  #askWarmUp(person: PersonOrdinal, mails: number): Turn | 'send' | undefined {
    const warmUp = this.#warmUp;
    if (warmUp === undefined) return 'send';
    if (!warmUp.fits(mails)) return undefined;
    if (warmUp.fitsProviders(this.#addressesOf(person))) return 'send';
    return this.#outlives() ?? { turn: 'hold', reason: 'warm_up', untilMs: warmUp.untilMs };
  }

  #takeWarmUp(person: PersonOrdinal, mails: number): void {
    this.#warmUp?.take(mails, this.#addressesOf(person), this.#campaign.id);
    this.#warmLeft -= mails;
  }

  /** Only where mailbox providers have numbers of their own. */
  #addressesOf(person: PersonOrdinal): readonly string[] {
    if (this.#warmUp?.asksProviders !== true) return [];
    return this.#openDevices(person).flatMap(({ endpoint }) =>
      typeof endpoint === 'string' ? [endpoint] : [],
    );
  }

  /** A message that does not live until the next day is not sent. */
  #outlives(): Turn | undefined {
    const { ttlMs } = this.#sent;
    if (ttlMs === undefined || this.#warmUp === undefined) return undefined;
    return this.#warmUp.untilMs >= this.#nowMs + ttlMs ? suppressTurn('expired') : undefined;
  }

  #add(person: PersonOrdinal, turn: Turn): void {
    let code = this.#turns.findIndex((known) => isSame(known, turn));
    if (code < 0) code = this.#turns.push(turn) - 1;
    this.#people.push(person);
    this.#codes.push(code);
  }

  #entry(wave: number): CampaignsEntry {
    const { variants, messageId } = this.#sent;
    return {
      kind: 'campaign.decided',
      owner: this.#owner,
      campaignId: this.#campaign.id,
      occurrence: this.#occurrence.number,
      atMs: this.#nowMs,
      phase: this.#lane.phase,
      channel: this.#lane.channel,
      ...this.#meant(),
      ...(variants === undefined ? { messageId } : {}),
      people: packOrdinals(this.#people),
      turns: this.#turns,
      ...(this.#turns.length > 1 ? { codes: Uint8Array.from(this.#codes) } : {}),
      wave,
      ...(this.#relay === undefined ? {} : { relay: this.#relay.name }),
      ...(this.#relay?.probes === true ? { probes: true } : {}),
      sends: this.#sends,
      ...this.#warmUp?.tell(),
      firstEvent: 0,
    };
  }

  #meant(): { readonly meant?: number } {
    if (this.#channel !== undefined) return {};
    const { channels, fallbackChannels } = this.#campaign;
    const [one, ...others] = (this.#lane.phase === 'primary' ? channels : fallbackChannels) ?? [];
    return one === undefined || others.length > 0 ? {} : { meant: channelIds.indexOf(one) };
  }

  /** A message to each thread that has a share of the people. */
  #effects(wave: number, credentials: Credentials | undefined): readonly Effect[] {
    if (this.#parts.every(({ people }) => people.length === 0)) return [];
    const channel = this.#channel as ChannelId;
    const { record, settings, branding } = this.#app;
    const campaign = this.#sent;
    const contents = readCopies(campaign, { documents: this.#documents });
    const sources = sourcesOf(campaign);
    const { number } = campaign;
    const parts = campaignSendParts(
      this.#owner,
      this.#occurrence.startedMs,
      number,
      this.#lane.channel,
    )(0);
    const ready = credentials?.state === 'ready' ? credentials : undefined;
    const { fromAddress } = ready ?? {};
    const linkHost = linkHostOf(this.#app, fromAddress ?? settings.email.fromAddress);
    // They wait in the outbox, which probes: their timeouts would hold up all others.
    const health = this.#app.outbox.health(channel);
    const held = partsHeld(health, this.#nowMs);
    const shared: Omit<DispatchWave, 'people' | 'records' | 'ends'> = {
      kind: 'dispatch.wave',
      partition: this.#plan.partition,
      app: this.#owner,
      channel,
      wave,
      credentials: ready?.value,
      campaignId: campaign.id,
      ...(campaign.topic === undefined ? {} : { topic: campaign.topic }),
      appId: record.id,
      appName: record.name,
      timezone: record.timezone,
      email:
        fromAddress === undefined
          ? mailSettings(settings, branding)
          : { ...mailSettings(settings, branding), fromAddress },
      ...(linkHost === undefined ? {} : { linkHost }),
      ...(settings.wording ? { wording: settings.wording } : {}),
      ...(held === undefined ? {} : { held }),
      ...this.#leaves(health),
      sendParts: parts,
      acceptedMs: this.#nowMs,
      contents,
      ...this.#utm(sources, channel),
    };
    const home = homeOf(this.#owner, channel, this.#plan);
    return this.#parts.flatMap((part, share) => {
      if (part.people.length === 0) return [];
      const variants =
        contents.length > 1 ? { variants: this.#variantsOf(sources, part.people) } : {};
      const message: DispatchWave = { ...shared, ...variants, ...part.whole() };
      return [{ port: (home + share) % this.#plan.dispatchers, message }];
    });
  }

  #utm(
    sources: readonly { readonly id?: string }[],
    channel: ChannelId,
  ): Pick<DispatchWave, 'utm'> {
    const { record, settings } = this.#app;
    if (settings.utm == null) return {};
    const { id, name } = this.#campaign;
    const utm = sources.map(({ id: variant }) => {
      const facts = {
        channel,
        campaign: { id, name },
        ...(variant === undefined ? {} : { variant }),
      };
      return utmFor(settings.utm, facts, record, this.#nowMs);
    });
    return { utm };
  }

  /** By which relay; and whether this finds out about it, or about the provider. */
  #leaves(health: ProviderHealth): Pick<DispatchWave, 'relay' | 'probes'> {
    if (this.#relay === undefined) return isCircuitOpen(health) ? { probes: true } : {};
    const { relay = serverRelay, probes } = this.#relay;
    return { relay, ...(probes === undefined ? {} : { probes }) };
  }

  #variantsOf(
    sources: readonly { readonly id?: string }[],
    people: readonly PersonOrdinal[],
  ): Uint8Array {
    const places = new Map(sources.map(({ id }, place) => [id, place]));
    return Uint8Array.from(
      people,
      (person) => places.get(variantFor(this.#sent, this.#occurrence, person)) ?? 0,
    );
  }
}

function isSame(one: Turn, other: Turn): boolean {
  if (one.turn !== other.turn) return false;
  if (one.turn === 'suppress' && other.turn === 'suppress') return one.reason === other.reason;
  if (one.turn === 'hold' && other.turn === 'hold')
    return (
      one.untilMs === other.untilMs &&
      one.reason === other.reason &&
      one.isNextDay === other.isNextDay
    );
  return true;
}
