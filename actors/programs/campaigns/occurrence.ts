// One occurrence of a campaign, from its frozen audience to its last receipt. A fold of entries.
// Who is sent to is decided at each person's turn; bitsets only hold who is still to come.

import type { Rebase } from '../../../engine/actor/machine.ts';
import { Bitset } from '../../../engine/base/bitset.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { TraitsReads } from '../../audiences/segments/reads.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import type { Phase } from '../../sending/dispatch/entries.ts';
import { MailSenders, type MailSendersSnapshot } from '../../sending/mailboxes/mail-senders.ts';
import { isHeldOut, variantFor } from './bucketing.ts';
import { FallbackReasons, type FallbackReasonsSnapshot } from './fallback-reasons.ts';
import { Guard, type GuardSnapshot } from './guard.ts';
import { Holdout, type HoldoutSnapshot } from './holdout.ts';
import { CampaignLane, type LaneSnapshot, noChannel } from './lane.ts';
import { RateMeter, type RateMeterSnapshot } from './rate-meter.ts';
import type { CampaignPlan } from './records.ts';
import { SentTimes, type SentTimesSnapshot } from './sent-times.ts';
import { Tally, type TallySnapshot, type VariantOf } from './tally.ts';

/** `waiting`: the primary pass is over and the fallback is not yet due. */
type Stage = 'primary' | 'waiting' | 'fallback' | 'ended';

export interface OccurrenceSnapshot {
  readonly number: number;
  readonly startedMs: Millis;
  readonly endedMs: Millis | null;
  readonly stage: Stage;
  readonly fallbackMs: Millis | null;
  readonly appHour: number | null;
  readonly winner: string | null;
  readonly targeted: Uint8Array;
  readonly audienceCount: number;
  readonly holdout: number;
  readonly unitsTotal: number;
  readonly inFlight: number;
  readonly eligible: number;
  readonly fallbackSent: Uint8Array;
  /** Absent in checkpoints of earlier builds. */
  readonly fallbackReasons?: FallbackReasonsSnapshot;
  readonly nextDay: Uint8Array;
  readonly lanes: readonly LaneSnapshot[];
  readonly tally: TallySnapshot;
  readonly sentTimes: SentTimesSnapshot;
  /** Absent in checkpoints of earlier builds. */
  readonly lateSends?: SentTimesSnapshot;
  /** Absent without a holdout, and in checkpoints of earlier builds. */
  readonly groups?: HoldoutSnapshot;
  readonly rate: RateMeterSnapshot;
  /** Absent before the first email ended, and in checkpoints of earlier builds. */
  readonly guard?: GuardSnapshot;
  /** Absent before the first email ended, and in checkpoints of earlier builds. */
  readonly senders?: MailSendersSnapshot;
  readonly servedMs: Millis;
  /** Absent if 0, as in older checkpoints. */
  readonly aheadMs?: Millis;
  /** Absent while it is the campaign's. */
  readonly plan?: CampaignPlan;
}

export class Occurrence {
  readonly number: number;
  readonly startedMs: Millis;
  endedMs: Millis | null = null;
  /** How far the clock was ahead at the start; ids of sends keep what it showed. */
  aheadMs: Millis = 0;
  stage: Stage = 'primary';
  /** When the fallback starts; set at the end of the primary pass. */
  fallbackMs: Millis | null = null;
  /** For optimal-time delivery: the local hour of people who never opened anything. */
  appHour: number | null = null;
  /** The winning variant of the experiment. */
  winner: string | null = null;
  /** Without the holdout. */
  targeted: Bitset;
  /** With the holdout. */
  readonly audienceCount: number;
  readonly holdout: number;
  /** Turns given or still to come: one per person and channel. */
  unitsTotal = 0;
  /** Turns handed out and not yet back: rows of waves, and sends of the outbox. */
  inFlight = 0;
  /** People in the fallback pass. */
  eligible = 0;
  readonly fallbackSent: Bitset;
  readonly fallbackReasons: FallbackReasons;
  /** People whose local hour had passed at the start. */
  readonly nextDay: Bitset;
  lanes: CampaignLane[] = [];
  readonly tally: Tally;
  /** Kept only for campaigns with a goal. */
  readonly sentTimes: SentTimes;
  /** Sends of people held beyond the end of the primary pass, before a fallback. */
  readonly lateSends: SentTimes;
  /** Kept only for campaigns with a holdout. */
  groups: Holdout | undefined;
  readonly rate: RateMeter;
  readonly guard: Guard;
  /** Of its emails, by the ordinals that their ids name. */
  readonly senders: MailSenders;
  /** When a lane was last served; the longest ago goes first. */
  servedMs: Millis = 0;
  /** Set once the campaign has another plan for its next occurrences. */
  plan: CampaignPlan | undefined;

  private constructor(
    number: number,
    startedMs: Millis,
    targeted: Bitset,
    counts: Pick<OccurrenceSnapshot, 'audienceCount' | 'holdout'>,
    parts?: OccurrenceSnapshot,
    variantOf: VariantOf = () => undefined,
  ) {
    this.number = number;
    this.startedMs = startedMs;
    this.targeted = targeted;
    this.audienceCount = counts.audienceCount;
    this.holdout = counts.holdout;
    this.fallbackSent = Bitset.restore(parts?.fallbackSent ?? new Uint8Array(0));
    this.fallbackReasons =
      parts?.fallbackReasons === undefined
        ? new FallbackReasons()
        : FallbackReasons.restore(parts.fallbackReasons);
    this.nextDay = Bitset.restore(parts?.nextDay ?? new Uint8Array(0));
    this.tally = parts === undefined ? new Tally() : Tally.restore(parts.tally, variantOf);
    this.sentTimes = parts === undefined ? new SentTimes() : SentTimes.restore(parts.sentTimes);
    this.lateSends =
      parts?.lateSends === undefined ? new SentTimes() : SentTimes.restore(parts.lateSends);
    this.groups = parts?.groups && Holdout.restore(parts.groups);
    this.guard = Guard.restore(parts?.guard);
    this.senders = MailSenders.restore(parts?.senders);
    this.rate = parts === undefined ? new RateMeter() : RateMeter.restore(parts.rate);
  }

  /** The occurrence takes over `audience`. */
  static begin(
    campaign: CampaignPlan,
    number: number,
    startedMs: Millis,
    audience: Bitset,
    traits: TraitsReads,
  ): Occurrence {
    const audienceCount = audience.count();
    const held = new Bitset(0);
    let holdout = 0;
    if ((campaign.holdoutShare ?? 0) > 0)
      audience.forEach((person) => {
        if (!isHeldOut(campaign, person)) return;
        audience.clear(person);
        held.set(person);
        holdout++;
      });
    const one = new Occurrence(number, startedMs, audience, { audienceCount, holdout });
    if (holdout > 0) one.groups = Holdout.begin(campaign, audience, held, startedMs);
    one.open('primary', audience, channelNumbers(campaign.channels), traits);
    return one;
  }

  /** Turns still to come, those of held people included. */
  get unitsLeft(): number {
    return this.lanes.reduce((sum, lane) => sum + lane.left + lane.parkedCount, 0);
  }

  /** Whether the current stage has nothing left to do. */
  get isIdle(): boolean {
    return this.inFlight === 0 && this.unitsLeft === 0;
  }

  /** Makes one lane per channel that reaches some of `people`, and one for the unreached. */
  open(phase: Phase, people: Bitset, channels: readonly number[], traits: TraitsReads): void {
    const nobody = people.clone();
    for (const channel of channels) {
      const reach = traits.reach[channel] as Bitset;
      const reached = people.clone().and(reach);
      nobody.andNot(reach);
      if (!reached.isEmpty()) this.#add(new CampaignLane(phase, channel, reached));
    }
    if (!nobody.isEmpty()) this.#add(new CampaignLane(phase, noChannel, nobody));
  }

  /** Targets everyone who neither opened nor clicked. */
  openFallback(campaign: CampaignPlan, traits: TraitsReads): void {
    const people = new Bitset(0);
    this.targeted.forEach((person) => {
      if (!this.tally.isEngaged(person)) people.set(person);
    });
    people.and(traits.alive);
    this.stage = 'fallback';
    this.eligible = people.count();
    this.open('fallback', people, channelNumbers(campaign.fallbackChannels ?? []), traits);
  }

  /** The fallback was not sent to a person on some channel. */
  leaveOut(person: PersonOrdinal, reason: string): void {
    if (!this.fallbackSent.test(person)) this.fallbackReasons.suppress(person, reason);
  }

  /** Drops all turns still to come; receipts of what is in flight still count. */
  end(atMs: Millis): void {
    this.stage = 'ended';
    this.endedMs = atMs;
    this.lanes = [];
    this.targeted = new Bitset(0);
  }

  /**
   * Whether a person was sent this on a channel and it did not fail. Who was left out on one of
   * several channels counts as sent on all: nothing is kept of that.
   */
  wasSentOn(plan: PassChannels, person: PersonOrdinal, channel: number): boolean {
    if (this.tally.has(person, 'failed') && !this.tally.has(person, 'delivered')) return false;
    return this.wasCalledOn(plan, person, channel);
  }

  /** Also if every call failed. */
  wasCalledOn(
    { channels, fallbackChannels = [] }: PassChannels,
    person: PersonOrdinal,
    channel: number,
  ): boolean {
    if (!this.tally.has(person, 'sent')) return false;
    if (channelNumbers(channels).includes(channel)) return true;
    return this.fallbackSent.test(person) && channelNumbers(fallbackChannels).includes(channel);
  }

  lane(phase: Phase, channel: number): CampaignLane | undefined {
    return this.lanes.find((lane) => lane.phase === phase && lane.channel === channel);
  }

  mergeAnswers(from: PersonOrdinal, into: PersonOrdinal, variantOf: VariantOf): void {
    this.tally.merge(from, into, variantOf);
    this.sentTimes.merge(from, into);
    this.lateSends.merge(from, into);
    this.guard.merge(from, into);
    const isSent = this.fallbackSent.test(from) || this.fallbackSent.test(into);
    this.fallbackReasons.merge(from, into, isSent);
    for (const people of [this.fallbackSent, this.nextDay]) {
      if (!people.test(from)) continue;
      people.clear(from);
      people.set(into);
    }
  }

  /** Its waits and instants, after the clock was set right. */
  rebase(to: Rebase): void {
    this.aheadMs += this.startedMs - this.aheadMs - to.stamp(this.startedMs - this.aheadMs);
    if (this.endedMs !== null) this.endedMs = to.stamp(this.endedMs);
    if (this.fallbackMs !== null) this.fallbackMs = to.due(this.fallbackMs);
    this.servedMs = to.stamp(this.servedMs);
    this.sentTimes.rebase(to);
    this.lateSends.rebase(to);
    if (this.groups !== undefined) this.groups.lastSentMs = to.stamp(this.groups.lastSentMs);
    this.rate.clear();
    for (const lane of this.lanes) lane.rebase(to);
  }

  snapshot(): OccurrenceSnapshot {
    const { number, startedMs, endedMs, stage, fallbackMs, appHour, winner, audienceCount } = this;
    const { holdout, unitsTotal, inFlight, eligible, servedMs, aheadMs } = this;
    return {
      ...{ number, startedMs, endedMs, stage, fallbackMs, appHour, winner, audienceCount },
      ...{ holdout, unitsTotal, inFlight, eligible, servedMs },
      ...(aheadMs === 0 ? {} : { aheadMs }),
      ...(this.plan === undefined ? {} : { plan: this.plan }),
      targeted: this.targeted.snapshot(),
      fallbackSent: this.fallbackSent.snapshot(),
      fallbackReasons: this.fallbackReasons.snapshot(),
      nextDay: this.nextDay.snapshot(),
      lanes: this.lanes.map((lane) => lane.snapshot()),
      tally: this.tally.snapshot(),
      sentTimes: this.sentTimes.snapshot(),
      lateSends: this.lateSends.snapshot(),
      ...(this.groups === undefined ? {} : { groups: this.groups.snapshot() }),
      rate: this.rate.snapshot(),
      ...(this.guard.isUsed ? { guard: this.guard.snapshot() } : {}),
      ...(this.senders.isEmpty ? {} : { senders: this.senders.snapshot() }),
    };
  }

  /** `campaign`: what it sends while it has no plan of its own. */
  static restore(from: OccurrenceSnapshot, campaign: CampaignPlan | undefined): Occurrence {
    const { number, startedMs, winner } = from;
    const plan = from.plan ?? campaign;
    const variantOf = (person: PersonOrdinal) => plan && variantFor(plan, { winner }, person);
    const people = Bitset.restore(from.targeted);
    const one = new Occurrence(number, startedMs, people, from, from, variantOf);
    one.endedMs = from.endedMs;
    one.stage = from.stage;
    one.fallbackMs = from.fallbackMs;
    one.appHour = from.appHour;
    one.winner = from.winner;
    one.unitsTotal = from.unitsTotal;
    one.inFlight = from.inFlight;
    one.eligible = from.eligible;
    one.servedMs = from.servedMs;
    one.aheadMs = from.aheadMs ?? 0;
    one.plan = from.plan;
    one.lanes = from.lanes.map((lane) => CampaignLane.restore(lane));
    return one;
  }

  #add(lane: CampaignLane): void {
    this.lanes.push(lane);
    this.unitsTotal += lane.left;
  }
}

type PassChannels = Pick<CampaignPlan, 'channels' | 'fallbackChannels'>;

/** What an occurrence sends: its own plan, or still the campaign's. */
export function planOf(campaign: CampaignPlan, { plan }: Pick<Occurrence, 'plan'>): CampaignPlan {
  return plan ?? campaign;
}

/** The catalog indexes of channels; of all channels by default. */
export function channelNumbers(channels: readonly ChannelId[] = channelIds): number[] {
  return channels.map((channel) => channelIds.indexOf(channel));
}
