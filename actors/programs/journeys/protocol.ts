// What journeys answer, and what moves the people in them. Their entries are in `entries.ts`, since
// readers of the log need those alone.

import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { Filter } from '../../audiences/segments/filter.ts';
import type { CountedTimes, UncountedTimes } from '../../audiences/segments/protocol.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { Page, PersonRef } from '../../people/audience/protocol.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';
import type { AppSettings } from '../../tenants/accounts/records.ts';
import type { Program } from './program.ts';
import type { JourneyRecord, Reentry } from './records.ts';
import type { Walk } from './simulate.ts';
import type { JourneyStats } from './stats.ts';

/**
 * What a body chose; `steps` are judged by the actor, which knows how long the app keeps events.
 */
export interface JourneyInput {
  readonly name?: string;
  readonly triggerEvent?: string;
  readonly triggerSegmentId?: string;
  readonly reentry?: Reentry;
  readonly steps?: unknown;
}

/** Members that are given replace; those that are removed go, or get their first value again. */
export interface JourneyChange {
  readonly input: JourneyInput;
  readonly removed: readonly (keyof JourneyInput)[];
}

export interface JourneysProtocol {
  'journey.create': { body: Caller & { input: JourneyInput }; reply: JourneyRecord };
  'journey.read': { body: Caller & { id: string }; reply: JourneyRecord };
  /**
   * Changes, and then goes live or pauses, or neither. `times`: what the filter of its segment
   * counts.
   */
  'journey.update': {
    body: Caller & {
      id: string;
      change: JourneyChange;
      active?: boolean;
      enrollExisting?: boolean;
      times?: CountedTimes;
    };
    reply: JourneyRecord;
  };
  'journey.delete': { body: Caller & { id: string }; reply: null };
  'journey.list': {
    body: Caller & { active?: boolean; limit: number; cursor?: string };
    reply: Page<JourneyRecord>;
  };
  'journey.stats': { body: Caller & { id: string }; reply: JourneyStats };
  /** One person's way, or nobody's in particular. */
  'journey.simulate': {
    body: Caller & {
      id: string;
      ref?: PersonRef;
      fromMs?: Millis;
      events: readonly { readonly name: string; readonly afterMinutes: number }[];
      times?: CountedTimes;
    };
    reply: Walk;
  };
  /** Answered by the host, after `journey.forecast_facts`. */
  'journey.forecast': { body: Caller & { id: string; days: number }; reply: ForecastReply };
}

/** An event of somebody that a journey may listen for. */
export interface Heard {
  readonly person: PersonOrdinal;
  readonly name: string;
  readonly atMs: Millis;
  /** Not of an event that journeys brought about themselves. */
  readonly mayEnroll: boolean;
}

/** What memory knows that a forecast needs, as of one turn. */
export interface ForecastFacts {
  readonly nowMs: Millis;
  readonly days: number;
  readonly program: Program;
  readonly reentry: Reentry;
  readonly triggerEvent?: string;
  readonly entry?: Filter;
  /** By step. */
  readonly ttlMs: Readonly<Record<string, Millis>>;
  readonly timezone: string;
  readonly settings: Pick<AppSettings, 'caps' | 'quietHours'>;
  readonly configured: readonly ChannelId[];
  readonly erased: readonly PersonOrdinal[];
  readonly merged: Uint32Array;
}

/** What a journey would have caught in the last days. */
export interface ForecastReply {
  readonly days: number;
  readonly enrolled: number;
  readonly completed: number;
  readonly converted: number;
  readonly exited: number;
  readonly inFlow: number;
  readonly sends: {
    readonly total: number;
    /** Every day of UTC that has one of the days in it, oldest first. */
    readonly byDay: readonly { readonly day: string; readonly sends: number }[];
  };
  readonly note: string;
}

/** Messages from inside. */
export interface JourneysInside {
  /** What has to be read before the segment that triggers a journey can be followed. */
  'journey.uncounted': {
    body: Caller & { id: string; change: JourneyChange; active?: boolean };
    reply: UncountedTimes;
  };
  /** What has to be read of the one person whose way is simulated. */
  'journey.uncounted_of': {
    body: Caller & { id: string; ref?: PersonRef };
    reply: UncountedTimes;
  };
  'journey.forecast_facts': {
    body: Caller & { id: string; days: number };
    reply: ForecastFacts;
  };
  /** Events that a journey listens for, in the order in which they were stored. */
  'journey.hear': { body: Caller & { id: string; heard: readonly Heard[] }; reply: null };
  /** People who entered the segment that triggers a journey. */
  'journey.enter': { body: Caller & { id: string; people: readonly PersonOrdinal[] }; reply: null };
  /** Some of those who are awaited have their turn. */
  'journey.admit': { body: Caller & { id: string; count: number }; reply: null };
  /** People whose wakes have come. */
  'journey.wake': { body: Caller & { id: string; people: readonly PersonOrdinal[] }; reply: null };
  /** Whoever was held by a restore goes on. */
  'journeys.release': { body: Caller; reply: null };
}
