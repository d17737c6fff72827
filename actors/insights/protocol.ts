// What insights answer, and what an answer is made of. A question goes to the host of its app, never to the actor alone:
// the actor gives the facts that only memory knows, the pool reads events, and nothing of it is kept.

import type { MessageOf } from '../../engine/actor/protocol.ts';
import type { Millis, PersonOrdinal } from '../../engine/base/brand.ts';
import type { Caller } from '../accounts/protocol.ts';

export const intervals = ['hour', 'day', 'week'] as const;
/** What trends and growth are counted by: hours, days and Monday weeks of the app's time zone. */
export type Interval = (typeof intervals)[number];

/** Names that trends are told of at most, and how many they choose where none is given. */
export const trendNamesMax = 20;

/** Buckets of a question, as instants. Bucket `i` is from `starts[i]` up to the start of the next one. */
export interface BucketStarts {
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

export interface InsightsProtocol {
  /** `events`: left out, those that happened most often. `days`: of the app's calendar, today being one of them. */
  'insight.trends': {
    body: Caller & { events?: readonly string[]; days?: number; interval: Interval };
    reply: Trends;
  };
  /** What an answer needs of memory. Every other question is answered by the host, after this one. */
  'insight.facts': { body: Caller & { question: Question }; reply: Facts };
}

export type InsightKind = Exclude<keyof InsightsProtocol, 'insight.facts'>;

/** One of the questions, by its kind. */
export type Question = MessageOf<InsightsProtocol, InsightKind>;

/** The answer to one of them. */
export type Insight = InsightsProtocol[InsightKind]['reply'];

/** What memory knows that an answer needs, as of one turn. */
export interface Facts {
  readonly nowMs: Millis;
  /** The app's, an IANA name. */
  readonly timezone: string;
  /** How many days back the question looks, once the app's retention has been asked. */
  readonly span: number;
  /** People whose events nobody may see any more. */
  readonly erased: readonly PersonOrdinal[];
}
