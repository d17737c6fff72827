// The queries and answers of insights. A query goes to the host of its app, not only to the actor:
// the actor contributes facts from memory, the pool reads events, and nothing is stored.

import type { MessageOf } from '../../../engine/actor/protocol.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { DeadLetterRow } from '../../../storage/tables/send.ts';
import type { ZonesOfPeople } from '../../audiences/segments/contact-facts.ts';
import type { CountedTimes } from '../../audiences/segments/protocol.ts';
import type { LastSeenSnapshot } from '../../audiences/segments/records.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { EventOrigin } from '../../events/ingest/names.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';

export const intervals = ['hour', 'day', 'week'] as const;
/** The buckets of trends and growth, in the app's time zone; weeks start on Monday. */
export type Interval = (typeof intervals)[number];

export const periods = ['day', 'week', 'month'] as const;
/** The periods of cohorts, in the app's time zone; weeks start on Monday. */
export type Period = (typeof periods)[number];

/** Steps of a funnel. */
export const funnelStepsMin = 2;
export const funnelStepsMax = 10;

/** The number of ranked parts, of equal size except for ties. */
export const quintiles = 5;

/** The longest period of growth: people are kept longer than events. With hours it is shorter. */
export const growthDaysMax = 3_660;
export const growthHourDaysMax = 90;

/** The most names in trends, and how many are chosen where none is given. */
export const trendNamesMax = 20;

/** Buckets as instants. Bucket `i` is from `starts[i]` to the start of the next one. */
interface BucketStarts {
  readonly starts: readonly Millis[];
}

/** How often each event happened per bucket. */
export interface Trends extends BucketStarts {
  readonly events: readonly {
    readonly name: string;
    readonly counts: readonly number[];
  }[];
}

/** New people per bucket, and the total at the end of each. Only people who exist now. */
export interface Growth extends BucketStarts {
  readonly new: readonly number[];
  readonly total: readonly number[];
}

/** How many people reached each step. */
export interface EventFunnel {
  readonly steps: readonly {
    readonly event: string;
    readonly count: number;
    /**
     * The median time from the previous step, of each person the first time; `null` without people.
     */
    readonly medianMs: Millis | null;
  }[];
}

/**
 * One cohort per bucket, oldest first: its new people, and how many were active in it and in each
 * later one.
 */
export interface Retention extends BucketStarts {
  readonly cohorts: readonly { readonly people: number; readonly active: readonly number[] }[];
}

/**
 * People by quintiles of their last event (recency) and of the number of their events (frequency).
 */
export interface Rfm {
  readonly people: number;
  /**
   * The upper bounds of the first four quintiles, ascending, each an existing value; empty without
   * people.
   */
  readonly recencyEdges: readonly Millis[];
  readonly frequencyEdges: readonly number[];
  /**
   * Rows by recency 1 to 5 (5 the most recent), in each by frequency 1 to 5 (5 the most frequent).
   */
  readonly cells: readonly {
    readonly recency: number;
    readonly frequency: number;
    readonly people: number;
    /** The sum of a property of their events, if requested. */
    readonly value?: number;
  }[];
}

/** The results of sends to devices, each counted once; only channels with sends. */
export interface ChannelHealth {
  readonly channels: readonly {
    readonly channel: ChannelId;
    readonly delivered: number;
    readonly bounced: number;
    readonly suppressed: number;
    readonly failed: number;
  }[];
}

/**
 * Sends to devices that failed after every retry, `count` in all; `recovered` of them were
 * delivered by a redrive.
 */
export interface DeliveryFailures {
  readonly items: readonly {
    readonly reason: string;
    readonly lane: DeadLetterRow['lane'];
    readonly channel: string;
    readonly count: number;
    readonly recovered: number;
    readonly lastAtMs: Millis;
  }[];
}

/** All hours of a week, from Monday's first. */
export interface Heatmap {
  readonly cells: readonly {
    /** 0 for Monday. */
    readonly weekday: number;
    readonly hour: number;
    readonly delivered: number;
    readonly opened: number;
    readonly clicked: number;
  }[];
}

export const seriesIntervals = ['minute', 'hour', 'day'] as const;
export type SeriesInterval = (typeof seriesIntervals)[number];

/** The most buckets of a series. */
export const seriesBucketsMax = 1_500;

export const campaignEvents = [
  ...(['delivered', 'bounced', 'failed', 'suppressed'] as const),
  ...(['opened', 'clicked'] as const),
] as const;

/** Events of a campaign per bucket, and people by their first open and click. */
export interface CampaignSeries extends BucketStarts {
  readonly events: Readonly<Record<(typeof campaignEvents)[number], readonly number[]>>;
  readonly people: Readonly<Record<'opened' | 'clicked', readonly number[]>>;
}

export interface InsightsProtocol {
  /**
   * `events`: default the most frequent, of one `origin` or of any. `days`: of the app's calendar,
   * including today.
   */
  'insight.trends': {
    body: Caller & {
      events?: readonly string[];
      origin?: EventOrigin;
      days?: number;
      interval: Interval;
    };
    reply: Trends;
  };
  'insight.growth': { body: Caller & { days?: number; interval: Interval }; reply: Growth };
  /**
   * `filter`: only people who match it now. `withinHours`: from the first step to the last; default
   * the whole period.
   */
  'insight.funnel': {
    body: Caller & {
      steps: readonly string[];
      days?: number;
      withinHours?: number;
      filter?: unknown;
    };
    reply: EventFunnel;
  };
  /** `event`: the event that counts as active; default any event of the person. */
  'insight.retention': {
    body: Caller & { event?: string; interval: Period; periods?: number };
    reply: Retention;
  };
  'insight.rfm': {
    body: Caller & { days?: number; event?: string; valueProp?: string };
    reply: Rfm;
  };
  /** `days` as for trends, here and below. */
  'insight.channel_health': { body: Caller & { days?: number }; reply: ChannelHealth };
  'insight.failures': { body: Caller & { days?: number; limit: number }; reply: DeliveryFailures };
  'insight.heatmap': { body: Caller & { days?: number }; reply: Heatmap };
  /** By default from the campaign's first start to now, as far as buckets go. */
  'insight.campaign_series': {
    body: Caller & {
      campaignId: string;
      interval: SeriesInterval;
      fromMs?: Millis;
      toMs?: Millis;
    };
    reply: CampaignSeries;
  };
  /** The facts from memory. The host asks for them, then answers the query. */
  'insight.facts': {
    body: Caller & { question: Question; times?: CountedTimes };
    reply: Facts;
  };
}

type InsightKind = Exclude<keyof InsightsProtocol, 'insight.facts'>;

export type Question = MessageOf<InsightsProtocol, InsightKind>;

export type Insight = InsightsProtocol[InsightKind]['reply'];

/** The facts from memory that an answer needs, as of one turn. */
export interface Facts {
  readonly nowMs: Millis;
  /** The app's, as an IANA name. */
  readonly timezone: string;
  /** The number of days or periods of the query, within the app's retention. */
  readonly span: number;
  /** Older events must not be used; absent where none are older. */
  readonly goneBeforeMs?: Millis;
  /** Erased people, whose events must not be used. */
  readonly erased: readonly PersonOrdinal[];
  /** Pairs of an alias and its person, ascending by alias; absent where no people were merged. */
  readonly merged?: Uint32Array;
  /** The range of a series, and when the campaign first began; absent before it did. */
  readonly series?: { readonly fromMs: Millis; readonly toMs: Millis; readonly sinceMs: Millis };
  /** The people who match a filter, as a snapshot of a bitset. */
  readonly audience?: Uint8Array;
  /** When each person was created, for ordinals below `next`: a copy for this query. */
  readonly created?: { readonly next: PersonOrdinal; readonly column: LastSeenSnapshot };
  /** The time zone of each person who has one: a copy for this query. */
  readonly zones?: ZonesOfPeople;
}
