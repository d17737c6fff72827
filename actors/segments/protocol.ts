// What segments answer, and the entries they lead to. A filter comes as it was sent and is judged by the app's actor, which
// knows how long the app keeps events.

import type { Entry } from '../../engine/actor/message.ts';
import type { Millis, PersonOrdinal } from '../../engine/base/brand.ts';
import type { TagValue } from '../../storage/tables/subscriber.ts';
import type { Caller } from '../accounts/protocol.ts';
import type { PersonRef, SubscriberView } from '../audience/protocol.ts';
import type { EventTimesSnapshot } from './event-times.ts';
import type { Condition, Filter } from './filter.ts';

/** A saved filter. */
export interface SegmentRecord {
  readonly id: string;
  readonly name: string;
  readonly filter: Filter;
  readonly createdMs: Millis;
  readonly updatedMs: Millis;
}

/** The instants of events that a filter counts and no column has, read from history for one question. */
export type CountedTimes = readonly (readonly [name: string, times: EventTimesSnapshot])[];

/** Which filter a question is about: one that was sent, or a saved one. */
export type AskedFilter = { readonly filter: unknown } | { readonly id: string };

/** The truth of one condition for one person, with what decided it. */
export interface ExplainedCondition {
  readonly path: string;
  readonly condition: Condition;
  readonly holds: boolean;
  /** The tag's value, for a condition on a tag. */
  readonly value?: TagValue | null;
  /** When the event, or activity, last was; `null` for never. */
  readonly lastMs?: Millis | null;
  /** How often the event was in the window, where the condition counts it. */
  readonly count?: number;
}

export interface SegmentsProtocol {
  'segment.create': { body: Caller & { name: string; filter: unknown }; reply: SegmentRecord };
  'segment.read': { body: Caller & { id: string }; reply: SegmentRecord };
  'segment.update': {
    body: Caller & { id: string; name?: string; filter?: unknown };
    reply: SegmentRecord;
  };
  'segment.delete': { body: Caller & { id: string }; reply: null };
  'segment.list': { body: Caller; reply: readonly SegmentRecord[] };
  /** Names whose instants have to be read before the filter can be answered, and from when on. */
  'segment.uncounted': {
    body: Caller & { asked: AskedFilter };
    reply: {
      readonly names: readonly string[];
      readonly fromMs: Millis;
      readonly erased: readonly PersonOrdinal[];
      /** Pairs of an alias and the person; see `People.merged`. */
      readonly merged: Uint32Array;
    };
  };
  'segment.preview': {
    body: Caller & { asked: AskedFilter; sample: number; times?: CountedTimes };
    reply: { count: number; total: number; sample: readonly SubscriberView[] };
  };
  'segment.explain': {
    body: Caller & { asked: AskedFilter; ref: PersonRef; times?: CountedTimes };
    reply: { matches: boolean; conditions: readonly ExplainedCondition[] };
  };
}

/** What changed of one person: tags (`null` is one that went) and the channels that reach them, one bit each. */
export interface TraitChange {
  readonly person: PersonOrdinal;
  readonly tags?: Readonly<Record<string, TagValue | null>>;
  readonly reach?: number;
}

export type SegmentsEntry =
  | (Entry & { readonly kind: 'traits.changed'; readonly people: readonly TraitChange[] })
  | (Entry & { readonly kind: 'segment.saved'; readonly segment: SegmentRecord })
  | (Entry & { readonly kind: 'segment.deleted'; readonly id: string });
