// One occurrence of a campaign, from its frozen audience to its last receipt. A fold of entries.
// What a reader would get wrong: whose turn comes is decided when it comes, by the state of that
// very turn; what is kept ahead of it is sets of bits.

import { Bitset } from '../../../engine/base/bitset.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { TraitsReads } from '../../audiences/segments/reads.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import type { Phase } from '../../sending/dispatch/entries.ts';
import { Lane, type LaneSnapshot, noChannel } from './lane.ts';
import { RateMeter, type RateMeterSnapshot } from './rate-meter.ts';
import type { CampaignRecord } from './records.ts';
import { SentTimes, type SentTimesSnapshot } from './sent-times.ts';
import { isHeldOut } from './share.ts';
import { Tally, type TallySnapshot, type VariantOf } from './tally.ts';

/** `waiting`: everybody had their turn, and the fallback's time has not come. */
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
  readonly nextDay: Uint8Array;
  readonly lanes: readonly LaneSnapshot[];
  readonly tally: TallySnapshot;
  readonly sentTimes: SentTimesSnapshot;
  readonly rate: RateMeterSnapshot;
  readonly servedMs: Millis;
}

export class Occurrence {
  readonly number: number;
  readonly startedMs: Millis;
  endedMs: Millis | null = null;
  stage: Stage = 'primary';
  /** When the fallback begins; set once the primary pass is over. */
  fallbackMs: Millis | null = null;
  /** The local hour of people who never read, of one that is delivered at the optimal time. */
  appHour: number | null = null;
  /** The variant that won the experiment. */
  winner: string | null = null;
  /** Everybody who is to get it: those held out are not in it. */
  targeted: Bitset;
  /** With those held out. */
  readonly audienceCount: number;
  readonly holdout: number;
  /** People on channels that had or will have a turn. */
  unitsTotal = 0;
  /** Of them, those handed out and not back: rows of waves, and sends of the outbox. */
  inFlight = 0;
  /** Whom the fallback had to look at. */
  eligible = 0;
  readonly fallbackSent: Bitset;
  /** Whose local hour had passed when it began. */
  readonly nextDay: Bitset;
  lanes: Lane[] = [];
  readonly tally: Tally;
  /** When each was sent it, in whole seconds from the start; kept for a goal alone. */
  readonly sentTimes: SentTimes;
  readonly rate: RateMeter;
  /** When somebody last had a turn: who waited longest goes first. */
  servedMs: Millis = 0;

  private constructor(
    number: number,
    startedMs: Millis,
    targeted: Bitset,
    counts: Pick<OccurrenceSnapshot, 'audienceCount' | 'holdout'>,
    parts?: OccurrenceSnapshot,
  ) {
    this.number = number;
    this.startedMs = startedMs;
    this.targeted = targeted;
    this.audienceCount = counts.audienceCount;
    this.holdout = counts.holdout;
    this.fallbackSent = Bitset.restore(parts?.fallbackSent ?? new Uint8Array(0));
    this.nextDay = Bitset.restore(parts?.nextDay ?? new Uint8Array(0));
    this.tally = parts === undefined ? new Tally() : Tally.restore(parts.tally);
    this.sentTimes = parts === undefined ? new SentTimes() : SentTimes.restore(parts.sentTimes);
    this.rate = parts === undefined ? new RateMeter() : RateMeter.restore(parts.rate);
  }

  /** Begins one for an audience, which is its own from now on. */
  static begin(
    campaign: CampaignRecord,
    number: number,
    startedMs: Millis,
    audience: Bitset,
    traits: TraitsReads,
  ): Occurrence {
    const audienceCount = audience.count();
    let holdout = 0;
    if ((campaign.holdoutShare ?? 0) > 0)
      audience.forEach((person) => {
        if (!isHeldOut(campaign, person)) return;
        audience.clear(person);
        holdout++;
      });
    const one = new Occurrence(number, startedMs, audience, { audienceCount, holdout });
    one.open('primary', audience, channelNumbers(campaign.channels), traits);
    return one;
  }

  /** How many have no turn behind them and none in flight. */
  get unitsLeft(): number {
    return this.lanes.reduce((sum, lane) => sum + lane.left + lane.parkedCount, 0);
  }

  /** Whether nothing of the current stage is left to do. */
  get isIdle(): boolean {
    return this.inFlight === 0 && this.unitsLeft === 0;
  }

  /**
   * Lanes for everybody in `people`: one for each channel that reaches some of them, one for those
   * whom none does.
   */
  open(phase: Phase, people: Bitset, channels: readonly number[], traits: TraitsReads): void {
    const nobody = people.clone();
    for (const channel of channels) {
      const reach = traits.reach[channel] as Bitset;
      const reached = people.clone().and(reach);
      nobody.andNot(reach);
      if (!reached.isEmpty()) this.#add(new Lane(phase, channel, reached));
    }
    if (!nobody.isEmpty()) this.#add(new Lane(phase, noChannel, nobody));
  }

  /** Everybody targeted who neither opened nor clicked. */
  openFallback(campaign: CampaignRecord, traits: TraitsReads): void {
    const people = new Bitset(0);
    this.targeted.forEach((person) => {
      if (!this.tally.isEngaged(person)) people.set(person);
    });
    people.and(traits.alive);
    this.stage = 'fallback';
    this.eligible = people.count();
    this.open('fallback', people, channelNumbers(campaign.fallbackChannels ?? []), traits);
  }

  /** Nobody has a turn any more; what is in flight is still answered. */
  end(atMs: Millis): void {
    this.stage = 'ended';
    this.endedMs = atMs;
    this.lanes = [];
    this.targeted = new Bitset(0);
  }

  lane(phase: Phase, channel: number): Lane | undefined {
    return this.lanes.find((lane) => lane.phase === phase && lane.channel === channel);
  }

  /** What is known of one person is known of another from now on. */
  mergeAnswers(from: PersonOrdinal, into: PersonOrdinal, variantOf: VariantOf): void {
    this.tally.merge(from, into, variantOf);
    this.sentTimes.merge(from, into);
    for (const people of [this.fallbackSent, this.nextDay]) {
      if (!people.test(from)) continue;
      people.clear(from);
      people.set(into);
    }
  }

  snapshot(): OccurrenceSnapshot {
    const { number, startedMs, endedMs, stage, fallbackMs, appHour, winner, audienceCount } = this;
    const { holdout, unitsTotal, inFlight, eligible, servedMs } = this;
    return {
      ...{ number, startedMs, endedMs, stage, fallbackMs, appHour, winner, audienceCount },
      ...{ holdout, unitsTotal, inFlight, eligible, servedMs },
      targeted: this.targeted.snapshot(),
      fallbackSent: this.fallbackSent.snapshot(),
      nextDay: this.nextDay.snapshot(),
      lanes: this.lanes.map((lane) => lane.snapshot()),
      tally: this.tally.snapshot(),
      sentTimes: this.sentTimes.snapshot(),
      rate: this.rate.snapshot(),
    };
  }

  static restore(from: OccurrenceSnapshot): Occurrence {
    const { number, startedMs } = from;
    const one = new Occurrence(number, startedMs, Bitset.restore(from.targeted), from, from);
    one.endedMs = from.endedMs;
    one.stage = from.stage;
    one.fallbackMs = from.fallbackMs;
    one.appHour = from.appHour;
    one.winner = from.winner;
    one.unitsTotal = from.unitsTotal;
    one.inFlight = from.inFlight;
    one.eligible = from.eligible;
    one.servedMs = from.servedMs;
    one.lanes = from.lanes.map((lane) => Lane.restore(lane));
    return one;
  }

  #add(lane: Lane): void {
    this.lanes.push(lane);
    this.unitsTotal += lane.left;
  }
}

/** The places of channels in the catalogue; all of them where none is named. */
export function channelNumbers(channels: readonly ChannelId[] = channelIds): number[] {
  return channels.map((channel) => channelIds.indexOf(channel));
}
