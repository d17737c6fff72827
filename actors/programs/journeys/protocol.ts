// The messages of journeys. Entries are in `entries.ts`, since log readers need only those.

import type { Tell } from '../../../engine/actor/message.ts';
import type { Millis, Ordinal, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { Filter } from '../../audiences/segments/filter.ts';
import type { CountedTimes, UncountedTimes } from '../../audiences/segments/protocol.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { CountedPage, OrderedPage, Page, PersonRef } from '../../people/audience/protocol.ts';
import type { TopicRecord } from '../../people/topics/topic.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';
import type { AppSettings } from '../../tenants/accounts/records.ts';
import type { WarningsOfCall } from '../field-warnings.ts';
import type { Program } from './program.ts';
import type { JourneyRecord, Reentry } from './records.ts';
import type { Walk, WalkRequest } from './simulate.ts';
import type { JourneyStats } from './stats.ts';

/** `steps` are checked by the actor, which knows how long the app keeps events. */
export interface JourneyInput {
  readonly name?: string;
  readonly triggerEvent?: string;
  readonly triggerSegmentId?: string;
  readonly reentry?: Reentry;
  readonly steps?: unknown;
}

/** Replaces the fields in `input`; removes those in `removed` or resets them to defaults. */
export interface JourneyChange {
  readonly input: JourneyInput;
  readonly removed: readonly (keyof JourneyInput)[];
}

/** `leaving`: the journey was paused since they entered, so their next wake ends their run. */
export const runStates = ['waiting', 'leaving'] as const;

export interface JourneyPerson {
  readonly subscriberId: string;
  readonly externalUserId?: string;
  readonly state: (typeof runStates)[number];
  /** Where they wait; `undefined` for those who leave, since steps may have changed. */
  readonly step?: string;
  readonly enrolledMs: Millis;
  readonly untilMs: Millis;
}

interface SimulationInput {
  readonly ref?: PersonRef;
  readonly fromMs?: Millis;
  readonly events: WalkRequest['events'];
  readonly times?: CountedTimes;
}

export interface JourneysProtocol {
  'journey.create': {
    body: Caller & { input: JourneyInput; doubts?: WarningsOfCall };
    reply: JourneyRecord;
  };
  /** Not live, under the name `Copy of …`, or the one given. */
  'journey.duplicate': { body: Caller & { id: string; name?: string }; reply: JourneyRecord };
  'journey.read': { body: Caller & { id: string }; reply: JourneyRecord };
  /**
   * Changes, then switches if `active` says so. `replaces`: a live journey that goes off in the
   * same decision. `times`: counts for its segment's filter.
   */
  'journey.update': {
    body: Caller & {
      id: string;
      change: JourneyChange;
      active?: boolean;
      enrollExisting?: boolean;
      replaces?: string;
      doubts?: WarningsOfCall;
      confirmWarnings?: boolean;
      times?: CountedTimes;
    };
    reply: JourneyRecord;
  };
  /** Another message for one send step, also of a live journey. */
  'journey.correct': {
    body: Caller & { id: string; step: string; messageId?: string; message?: unknown };
    reply: JourneyRecord;
  };
  /** Archived again, and unarchived again, without effect. */
  'journey.archive': { body: Caller & { id: string }; reply: JourneyRecord };
  'journey.unarchive': { body: Caller & { id: string }; reply: JourneyRecord };
  'journey.delete': { body: Caller & { id: string }; reply: null };
  'journey.list': {
    body: Caller & {
      active?: boolean;
      /** Without it: none that is archived. */
      archived?: 'only' | 'all';
      q?: string;
    } & OrderedPage;
    reply: CountedPage<JourneyRecord>;
  };
  'journey.stats': { body: Caller & { id: string }; reply: JourneyStats };
  /** People in the journey now. */
  'journey.people': {
    body: Caller & {
      id: string;
      step?: string;
      state?: (typeof runStates)[number];
      limit: number;
      cursor?: string;
    };
    reply: Page<JourneyPerson>;
  };
  /** The walk of one person, or of a fictional one. */
  'journey.simulate': { body: Caller & SimulationInput & { id: string }; reply: Walk };
  /** Of a journey that is not saved; its name and trigger may be missing. */
  'journey.simulate_unsaved': {
    body: Caller & SimulationInput & { input: JourneyInput };
    reply: Walk;
  };
  /** Answered by the host, after `journey.forecast_facts`. */
  'journey.forecast': { body: Caller & { id: string; days: number }; reply: ForecastReply };
}

export interface JourneyEvent {
  readonly person: PersonOrdinal;
  readonly name: string;
  readonly atMs: Millis;
  /** False for events caused by journeys. */
  readonly mayEnroll: boolean;
  /** False for an event that anyone could have sent: it enrolls a person once an hour. */
  readonly isVouched: boolean;
  /** False for one that reaches no goal; absent otherwise. */
  readonly mayConvert?: false;
}

/** What a forecast needs from memory, as of one turn. */
export interface ForecastFacts {
  readonly nowMs: Millis;
  readonly days: number;
  /** Older events must not be used; absent where none are older. */
  readonly goneBeforeMs?: Millis;
  readonly program: Program;
  readonly reentry: Reentry;
  readonly triggerEvent?: string;
  readonly entry?: Filter;
  /** By step. */
  readonly ttlMs: Readonly<Record<string, Millis>>;
  readonly timezone: string;
  readonly settings: Pick<AppSettings, 'caps' | 'quietHours'>;
  readonly configured: readonly ChannelId[];
  readonly topics: readonly (readonly [key: string, topic: Pick<TopicRecord, 'default'>])[];
  readonly erased: readonly PersonOrdinal[];
  readonly merged: Uint32Array;
}

export interface ForecastReply {
  readonly days: number;
  readonly enrolled: number;
  readonly completed: number;
  readonly converted: number;
  readonly exited: number;
  readonly inFlow: number;
  readonly sends: {
    readonly total: number;
    /** Every UTC day of the period, oldest first. */
    readonly byDay: readonly { readonly day: string; readonly sends: number }[];
  };
  /** By step id; the days are those of `sends`. */
  readonly bySteps: Readonly<
    Record<
      string,
      {
        readonly entered: number;
        readonly sent: number;
        readonly enteredByDay: readonly number[];
        readonly sentByDay: readonly number[];
      }
    >
  >;
  readonly note: string;
}

export interface JourneysInside {
  /** What must be read before the journey's segment can be followed. */
  'journey.uncounted': {
    body: Caller & { id: string; change: JourneyChange; active?: boolean };
    reply: UncountedTimes;
  };
  /** What must be read about the person simulated. */
  'journey.uncounted_of': {
    body: Caller & { id?: string; input?: JourneyInput; ref?: PersonRef };
    reply: UncountedTimes;
  };
  'journey.forecast_facts': {
    body: Caller & { id: string; days: number };
    reply: ForecastFacts;
  };
  /** Events that a journey listens for, in the order of storage. */
  'journey.hear': { body: Caller & { id: string; heard: readonly JourneyEvent[] }; reply: null };
  /** People who entered the journey's segment. */
  'journey.enter': { body: Caller & { id: string; people: readonly PersonOrdinal[] }; reply: null };
  'journey.admit': { body: Caller & { id: string; count: number }; reply: null };
  'journey.wake': { body: Caller & { id: string; people: readonly PersonOrdinal[] }; reply: null };
  /** Releases runs held by a restore. */
  'journeys.release': { body: Caller; reply: null };
}

/** A message from the system itself to an app's journeys. */
export function journeyTell(
  to: Ordinal,
  message: { readonly kind: string; readonly [more: string]: unknown },
): Tell {
  return { to, message: { ...message, by: -1 } as Tell['message'] };
}
