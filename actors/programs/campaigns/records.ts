// A campaign as stored: its author's choices and its state. In memory and in checkpoints. Source:
// specification, "Campaign"; contract, section 6.

import type { Millis } from '../../../engine/base/brand.ts';
import type { Filter } from '../../audiences/segments/filter.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import { etagOf } from '../../etag.ts';
import type { CampaignGuard } from '../../tenants/accounts/records.ts';
import type { FieldWarning } from '../field-warnings.ts';

/** In the order of a campaign's life; `docs/STATES.md` draws them. */
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

/** `HH:mm`, wall-clock. */
type LocalTime = string;

export interface Recurring {
  readonly type: 'recurring';
  readonly every: 'hour' | 'day' | 'week' | 'month';
  /** Every so many periods; default 1. */
  readonly interval?: number;
  /** Hourly schedules use only the minutes. */
  readonly at: LocalTime;
  /** Weekly: 0 (Monday) to 6 (Sunday), ascending; default: the weekday of the start. */
  readonly weekdays?: readonly number[];
  /** Monthly: 1 to 31, default 1; the last day in shorter months. */
  readonly dayOfMonth?: number;
  /** IANA. */
  readonly timezone: string;
  /** Inclusive start, exclusive end. */
  readonly startMs?: Millis;
  readonly endMs?: Millis;
}

export type Schedule =
  | { readonly type: 'now' }
  | { readonly type: 'at'; readonly atMs: Millis }
  | Recurring;

interface Variant {
  readonly id: string;
  /** Its share is its weight over the sum of all weights. */
  readonly weight: number;
  readonly messageId: string;
}

/** A sample gets the variants, the rest the best of them. */
interface Experiment {
  /** Above 0, below 1. */
  readonly sampleShare: number;
  readonly winnerMetric: 'opened' | 'clicked' | 'converted';
  readonly decideAfterMinutes: number;
}

/** An event within so many hours of the person's own send. */
interface Goal {
  readonly event: string;
  readonly withinHours: number;
}

export interface CampaignSpec {
  readonly name: string;
  readonly messageId: string;
  /** At most one of the two; neither means everyone. */
  readonly segmentId?: string;
  readonly filter?: Filter;
  /** The key of the topic that it is about: people who are out of it get nothing. */
  readonly topic?: string;
  /** In the catalog's order; absent means every channel. */
  readonly channels?: readonly ChannelId[];
  /** Both or neither. */
  readonly fallbackChannels?: readonly ChannelId[];
  readonly fallbackAfterMinutes?: number;
  readonly schedule: Schedule;
  /** Sends to each person at this local time. */
  readonly timezoneDelivery?: { readonly at: LocalTime };
  readonly optimalTime?: boolean;
  readonly throttle?: { readonly perMinute: number };
  readonly variants?: readonly Variant[];
  readonly experiment?: Experiment;
  /** The share of the audience that gets nothing: from 0 to below 1. */
  readonly holdoutShare?: number;
  readonly goal?: Goal;
  /** Replaces members of the app's; `null`: it never pauses itself. Absent: the app's. */
  readonly guard?: CampaignGuard | null;
  /** What a schedule missed by more than two hours does. */
  readonly ifLate: 'send' | 'skip' | 'hold';
  readonly doubts?: readonly FieldWarning[];
}

export interface CampaignRecord extends CampaignSpec {
  readonly id: string;
  /** Counts the app's campaigns from 1; never reused. */
  readonly number: number;
  readonly state: CampaignState;
  /** Why Engage changed the state: `late`, `restored`, `segment_gone` …; stable. */
  readonly stateReason?: string;
  /** Where `resume` leads; set while paused. */
  readonly pausedFrom?: 'scheduled' | 'sending';
  /** When the next occurrence starts, if one is due. */
  readonly nextMs?: Millis;
  /** While the start waits only for its author to take it back: `nextMs`. */
  readonly undoMs?: Millis;
  /** How long a send lives, from the copied message. */
  readonly ttlMs?: Millis;
  /** The version of its content copies; absent before the first, and in old data for 1. */
  readonly copy?: number;
  /** When it was sent. */
  readonly activatedMs?: Millis;
  /**
   * The first occurrence of its schedule, from which periods are counted; absent in campaigns sent
   * before it was kept, whose periods are counted from `startMs` or `activatedMs`.
   */
  readonly firstMs?: Millis;
  readonly occurrences?: number;
  readonly createdMs: Millis;
  readonly updatedMs: Millis;
  /** Start of the first occurrence, and end of the last. */
  readonly startedMs?: Millis;
  readonly endedMs?: Millis;
  /** Set while its guard has stopped it: how many of the latest were bad, and since when. */
  readonly guarded?: { readonly count: number; readonly of: number; readonly atMs: Millis };
  /** When it was put away. */
  readonly archivedMs?: Millis;
}

/** What an occurrence sends, and how: later changes of the campaign are for later occurrences. */
export type CampaignPlan = Pick<
  CampaignRecord,
  | 'id'
  | 'number'
  | 'messageId'
  | 'topic'
  | 'channels'
  | 'fallbackChannels'
  | 'fallbackAfterMinutes'
  | 'timezoneDelivery'
  | 'optimalTime'
  | 'variants'
  | 'experiment'
  | 'holdoutShare'
  | 'goal'
  | 'ttlMs'
  | 'copy'
>;

/** What no editor sees, or nobody chose. `advice` is added to answers. */
const leftOut = [
  'number',
  'nextMs',
  'undoMs',
  'ttlMs',
  'copy',
  'activatedMs',
  'firstMs',
  'occurrences',
  'startedMs',
  'endedMs',
  'advice',
] as const;

export function campaignEtag(campaign: CampaignRecord): string {
  return etagOf(campaign, leftOut);
}
