// What segments answer, and the entries they lead to. A filter comes as it was sent and is judged
// by the app's actor, which knows how long the app keeps events.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { TagValue } from '../../../storage/tables/subscriber.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { Page, PersonRef, SubscriberView } from '../../people/audience/protocol.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';
import type { ContactChange } from './contact-facts.ts';
import type { Condition, Filter } from './filter.ts';
import type { NewestTimesSnapshot } from './newest-times.ts';

/** A saved filter. */
export interface SegmentRecord {
  readonly id: string;
  readonly name: string;
  readonly filter: Filter;
  readonly createdMs: Millis;
  readonly updatedMs: Millis;
}

/**
 * The newest instants of events that a filter counts, by rank, read from history because no column
 * has them.
 */
export type CountedTimes = readonly (readonly [name: string, times: NewestTimesSnapshot])[];

/** A counted name, and how many instants of each person a question needs. */
export type CountedName = readonly [name: string, kept: number];

/**
 * What has to be read before a question can be answered: since when, of one person or of all but
 * those who were erased.
 */
export interface UncountedTimes {
  readonly names: readonly CountedName[];
  readonly person?: PersonOrdinal;
  readonly fromMs: Millis;
  readonly erased: readonly PersonOrdinal[];
  /**
   * Pairs of an alias and the person whose events it has; see `People.merged`. Of one person,
   * theirs are enough.
   */
  readonly merged: Uint32Array;
}

/**
 * Which filter a question is about: one that was sent, or a saved one, that the path or a member
 * `segmentId` names.
 */
export type AskedFilter =
  | { readonly filter: unknown }
  | { readonly id: string }
  | { readonly segmentId: string };

/** The truth of one condition for one person, with what decided it. */
export interface ExplainedCondition {
  readonly path: string;
  readonly condition: Condition;
  readonly holds: boolean;
  /** The tag's value, for a condition on a tag. */
  readonly value?: TagValue | null;
  /** When the event, or activity, last was; `null` for never. */
  readonly lastMs?: Millis | null;
  /**
   * How often the event was in the window, where the condition counts it; up to
   * `limits.filterAtLeastMax`.
   */
  readonly count?: number;
  /** When the person was made, for a condition on inactivity. */
  readonly createdMs?: Millis;
  /**
   * Those of the channel, for a condition on one: it reaches the person by a device that is enabled
   * and not opted out.
   */
  readonly devices?: readonly ExplainedDevice[];
}

/** What makes a device reach its person, or not. */
export interface ExplainedDevice {
  readonly id: string;
  readonly enabled: boolean;
  readonly disabledReason?: string;
  /** Its address is suppressed. */
  readonly optedOut: boolean;
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
  /**
   * Names whose instants have to be read before the filter can be answered, and from when on; for
   * one person, if named.
   */
  'segment.uncounted': {
    body: Caller & { asked: AskedFilter; ref?: PersonRef };
    reply: UncountedTimes;
  };
  'segment.preview': {
    body: Caller & { asked: AskedFilter; sample: number; times?: CountedTimes };
    reply: { count: number; total: number; sample: readonly SubscriberView[] };
  };
  /** Members in order of their ordinals, as they are when the page is made. */
  'segment.members': {
    body: Caller & {
      asked: AskedFilter;
      externalUserId?: string;
      channel?: ChannelId;
      limit: number;
      cursor?: string;
      times?: CountedTimes;
    };
    reply: Page<SubscriberView>;
  };
  'segment.explain': {
    body: Caller & { asked: AskedFilter; ref: PersonRef; times?: CountedTimes };
    reply: { matches: boolean; conditions: readonly ExplainedCondition[] };
  };
}

/** How segments are followed, and what followers are told. */
export interface MembershipProtocol {
  /**
   * Somebody follows a segment from now on, under a name of their own. Who is in it now is not told
   * as an entry.
   */
  'segment.watch': {
    body: Caller & { asked: { segmentId: string }; follower: string; times?: CountedTimes };
    reply: null;
  };
  'segment.unwatch': { body: Caller & { segmentId: string; follower: string }; reply: null };
  /** People who may have entered or left since they were last looked at. */
  'segment.review': { body: Caller & { reviews: readonly Review[] }; reply: null };
  /** Everybody may have: after a start, and when the filter or its columns are others. */
  'segment.reconcile': { body: Caller & { segmentId: string }; reply: null };
  /** Who entered and who left, in the turn that wrote it. */
  'segment.membership': {
    body: Caller & {
      segmentId: string;
      entered: readonly PersonOrdinal[];
      left: readonly PersonOrdinal[];
      atMs: Millis;
    };
    reply: null;
  };
}

/** People of one segment to be looked at again. */
export interface Review {
  readonly segmentId: string;
  readonly people: readonly PersonOrdinal[];
}

/**
 * What changed of one person: tags (`null` is one that went), the channels that reach them, one bit
 * each, and how to.
 */
export interface TraitChange extends ContactChange {
  readonly person: PersonOrdinal;
  readonly tags?: Readonly<Record<string, TagValue | null>>;
  readonly reach?: number;
}

export type SegmentsEntry =
  | (Entry & { readonly kind: 'traits.changed'; readonly people: readonly TraitChange[] })
  | (Entry & { readonly kind: 'segment.saved'; readonly segment: SegmentRecord })
  | (Entry & { readonly kind: 'segment.deleted'; readonly id: string })
  /** `members`: who was in it, as `Bitset.snapshot` writes; with its first follower only. */
  | (Entry & {
      readonly kind: 'segment.watched';
      readonly segmentId: string;
      readonly follower: string;
      readonly members?: Uint8Array;
    })
  | (Entry & {
      readonly kind: 'segment.unwatched';
      readonly segmentId: string;
      readonly follower: string;
    })
  | (Entry & {
      readonly kind: 'segment.changed';
      readonly segmentId: string;
      readonly entered: readonly PersonOrdinal[];
      readonly left: readonly PersonOrdinal[];
      readonly atMs: Millis;
    });
