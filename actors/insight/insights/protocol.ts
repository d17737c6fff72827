// What insights answer, and what an answer is made of. A question goes to the host of its app,
// never to the actor alone: the actor gives the facts that only memory knows, the pool reads
// events, and nothing of it is kept.

import type { MessageOf } from '../../../engine/actor/protocol.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { DeadLetterRow } from '../../../storage/tables/send.ts';
import type { ZonesOfPeople } from '../../audiences/segments/contact-facts.ts';
import type { LastSeenSnapshot } from '../../audiences/segments/last-seen.ts';
import type { CountedTimes } from '../../audiences/segments/protocol.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';

export const intervals = ['hour', 'day', 'week'] as const;
/** What trends and growth are counted by: hours, days and Monday weeks of the app's time zone. */
export type Interval = (typeof intervals)[number];

export const periods = ['day', 'week', 'month'] as const;
/**
 * What cohorts are made by and followed through: days, Monday weeks and months of the app's time
 * zone.
 */
export type Period = (typeof periods)[number];

/** Steps of a funnel. */
export const funnelStepsMin = 2;
export const funnelStepsMax = 10;

/** Parts that people are ranked in, of equal size but for ties. */
export const quintiles = 5;

/**
 * How far back growth is counted: people are kept for longer than events. Hours are counted for
 * fewer days.
 */
export const growthDaysMax = 3_660;
export const growthHourDaysMax = 90;

/** Names that trends are told of at most, and how many they choose where none is given. */
export const trendNamesMax = 20;

/**
 * Buckets of a question, as instants. Bucket `i` is from `starts[i]` up to the start of the next
 * one.
 */
interface BucketStarts {
  readonly starts: readonly Millis[];
}

/** How often each event happened, bucket by bucket. */
export interface Trends extends BucketStarts {
  readonly events: readonly {
    readonly name: string;
    /** By bucket. */
    readonly counts: readonly number[];
  }[];
}

/** People who came, and how many there were when each bucket ended. Of those who are there now. */
export interface Growth extends BucketStarts {
  readonly new: readonly number[];
  readonly total: readonly number[];
}

/** How many people got to each step, in the order of the steps. */
export interface EventFunnel {
  readonly steps: readonly {
    readonly event: string;
    readonly count: number;
    /**
     * Between the step before and this one, of each person the first time they got here; `null` for
     * nobody.
     */
    readonly medianMs: Millis | null;
  }[];
}

/**
 * One cohort a bucket, oldest first: the people who came in it, and how many of them were active in
 * it and in each later one.
 */
export interface Retention extends BucketStarts {
  readonly cohorts: readonly { readonly people: number; readonly active: readonly number[] }[];
}

/** People by quintile of when they last did something and of how often they did it. */
export interface Rfm {
  readonly people: number;
  /**
   * The upper bounds of the first four quintiles, ascending, each a value that somebody has; empty
   * for nobody.
   */
  readonly recencyEdges: readonly Millis[];
  readonly frequencyEdges: readonly number[];
  /**
   * Row by row: recency 1 to 5 (5 the most recent), in each of them frequency 1 to 5 (5 the most
   * often).
   */
  readonly cells: readonly {
    readonly recency: number;
    readonly frequency: number;
    readonly people: number;
    /** The sum of a property of their events, where one was asked for. */
    readonly value?: number;
  }[];
}

/** What became of sends to devices, each counted once; only channels that have any. */
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
 * Sends to devices that failed after every retry, `count` in all; of those a redrive has landed
 * `recovered`.
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

/** The hours of a week, Monday's first one first; every one is there. */
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

export interface InsightsProtocol {
  /**
   * `events`: left out, those that happened most often. `days`: of the app's calendar, today being
   * one of them.
   */
  'insight.trends': {
    body: Caller & { events?: readonly string[]; days?: number; interval: Interval };
    reply: Trends;
  };
  'insight.growth': { body: Caller & { days?: number; interval: Interval }; reply: Growth };
  /**
   * `filter`: only people who match it now. `withinHours`: from the first step to the last; left
   * out, the whole span.
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
  /** `event`: what counts as active; left out, anything that a person did. */
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
  /**
   * What an answer needs of memory. Every other question is answered by the host, after this one.
   */
  'insight.facts': {
    body: Caller & { question: Question; times?: CountedTimes };
    reply: Facts;
  };
}

type InsightKind = Exclude<keyof InsightsProtocol, 'insight.facts'>;

/** One of the questions, by its kind. */
export type Question = MessageOf<InsightsProtocol, InsightKind>;

/** The answer to one of them. */
export type Insight = InsightsProtocol[InsightKind]['reply'];

/** What memory knows that an answer needs, as of one turn. */
export interface Facts {
  readonly nowMs: Millis;
  /** The app's, an IANA name. */
  readonly timezone: string;
  /**
   * How many days back the question looks, or how many periods, once the app's retention has been
   * asked.
   */
  readonly span: number;
  /** People whose events nobody may see any more. */
  readonly erased: readonly PersonOrdinal[];
  /**
   * Pairs of an alias and the person whose their events are, aliases ascending; left out where
   * nobody was merged.
   */
  readonly merged?: Uint32Array;
  /** Whom a filter matches, a snapshot of a bitset. */
  readonly audience?: Uint8Array;
  /** When each person came, for the ordinals below `next`: a copy, the question's own. */
  readonly created?: { readonly next: PersonOrdinal; readonly column: LastSeenSnapshot };
  /** The time zone of each person, as far as they have one: a copy, the question's own. */
  readonly zones?: ZonesOfPeople;
}
