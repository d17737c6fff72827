// What a campaign is: what its author chose, and where it stands. Plain data, kept in memory and in
// checkpoints. Source: specification, "Campaign"; contract, section 6.

import type { Millis } from '../../../engine/base/brand.ts';
import type { Filter } from '../../audiences/segments/filter.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';

/** In the order in which they are passed through; `docs/STATES.md` draws them. */
export const campaignStates = [
  'draft',
  'scheduled',
  'sending',
  'paused',
  'completed',
  'canceled',
  'failed',
] as const;
export type CampaignState = (typeof campaignStates)[number];

/** A wall-clock time, `HH:mm`. */
type LocalTime = string;

/** Occurrences by the calendar of a zone. */
export interface Recurring {
  readonly type: 'recurring';
  readonly every: 'hour' | 'day' | 'week' | 'month';
  /** Every so many of them; 1 unless said. */
  readonly interval?: number;
  /** Of an hourly one, only the minutes count. */
  readonly at: LocalTime;
  /**
   * Of a weekly one: 0 for Monday to 6 for Sunday, ascending. The weekday of the first day unless
   * said.
   */
  readonly weekdays?: readonly number[];
  /** Of a monthly one: 1 to 31; a month that is shorter has it on its last day. 1 unless said. */
  readonly dayOfMonth?: number;
  /** IANA. */
  readonly timezone: string;
  /** None before, and none at or after. */
  readonly startMs?: Millis;
  readonly endMs?: Millis;
}

export type Schedule =
  | { readonly type: 'now' }
  | { readonly type: 'at'; readonly atMs: Millis }
  | Recurring;

/** One of several messages that an audience is divided among. */
export interface Variant {
  readonly id: string;
  /** Its share is its weight by the sum of all. */
  readonly weight: number;
  readonly messageId: string;
}

/** A sample gets the variants; the rest gets the one that did best. */
interface Experiment {
  /** Above 0, below 1. */
  readonly sampleShare: number;
  readonly winnerMetric: 'opened' | 'clicked' | 'converted';
  readonly decideAfterMinutes: number;
}

/** What the campaign is for: an event within so many hours of a person's own send. */
interface Goal {
  readonly event: string;
  readonly withinHours: number;
}

/** What a schedule does that was missed by more than two hours. */
type IfLate = 'send' | 'skip' | 'hold';

/** What the author of a campaign chooses. */
export interface CampaignSpec {
  readonly name: string;
  readonly messageId: string;
  /** At most one of the two; neither is everybody. */
  readonly segmentId?: string;
  readonly filter?: Filter;
  /** In the catalogue's order; absent is every channel. */
  readonly channels?: readonly ChannelId[];
  /** Both or neither. */
  readonly fallbackChannels?: readonly ChannelId[];
  readonly fallbackAfterMinutes?: number;
  readonly schedule: Schedule;
  /** Everybody at this time of their own day. */
  readonly timezoneDelivery?: { readonly at: LocalTime };
  readonly optimalTime?: boolean;
  readonly throttle?: { readonly perMinute: number };
  readonly variants?: readonly Variant[];
  readonly experiment?: Experiment;
  /** Of the audience, this share gets nothing: 0 to below 1. */
  readonly holdoutShare?: number;
  readonly goal?: Goal;
  readonly ifLate: IfLate;
}

/** A campaign as it is kept. */
export interface CampaignRecord extends CampaignSpec {
  readonly id: string;
  /** Counts the campaigns of its app from 1; never reused. */
  readonly number: number;
  readonly state: CampaignState;
  /**
   * Why it stands there, where that is not its author's doing: a stable word such as `late`,
   * `restored`, `segment_gone`.
   */
  readonly stateReason?: string;
  /** Where `resume` leads back to; set while paused. */
  readonly pausedFrom?: 'scheduled' | 'sending';
  /** When the next occurrence begins; set while one is due. */
  readonly nextMs?: Millis;
  /** How long a send of it lives, by the message that was copied when it was sent. */
  readonly ttlMs?: Millis;
  /** When it was sent; a recurring one without a start counts its periods from here. */
  readonly activatedMs?: Millis;
  /** How many occurrences began. */
  readonly occurrences?: number;
  readonly createdMs: Millis;
  readonly updatedMs: Millis;
  /** When the first occurrence began, and when the last was over. */
  readonly startedMs?: Millis;
  readonly endedMs?: Millis;
}
