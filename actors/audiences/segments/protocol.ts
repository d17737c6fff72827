// Messages and entries of segments. The app's actor validates filters: it knows the retention.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Bytes, Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { TagValue } from '../../../storage/tables/subscriber.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type {
  CountedPage,
  OrderedPage,
  PersonRef,
  SubscriberView,
} from '../../people/audience/protocol.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';
import type { Condition, Filter, TagScalar, TagType } from './filter.ts';
import type { ContactChange, Names, NewestTimesSnapshot } from './records.ts';

export interface SegmentRecord {
  readonly id: string;
  readonly name: string;
  readonly filter: Filter;
  readonly createdMs: Millis;
  readonly updatedMs: Millis;
}

/** The newest instants of counted events, by rank, read from history because no column has them. */
export type CountedTimes = readonly (readonly [name: string, times: NewestTimesSnapshot])[];

/** A counted name, and how many instants per person a question needs. */
export type CountedName = readonly [name: string, kept: number];

/** What to read before a question can be answered, of one person or of all but erased ones. */
export interface UncountedTimes {
  readonly names: readonly CountedName[];
  readonly person?: PersonOrdinal;
  readonly fromMs: Millis;
  readonly erased: readonly PersonOrdinal[];
  /** Pairs of an alias and its person, of all or of the one person; see `People.merged`. */
  readonly merged: Uint32Array;
}

/** A filter in the body, or a segment named by the path or by the member `segmentId`. */
export type FilterRef =
  | { readonly filter: unknown }
  | { readonly id: string }
  | { readonly segmentId: string };

/** A segment, and whether a person matches it. */
export interface PersonInSegment {
  readonly id: string;
  readonly name: string;
  readonly matches: boolean;
}

/** One condition's truth for one person, with what decided it. */
export interface ExplainedCondition {
  readonly path: string;
  readonly condition: Condition;
  readonly holds: boolean;
  readonly value?: TagValue | null;
  /** The newest event or activity; `null` for never. */
  readonly lastMs?: Millis | null;
  /** For a counting condition: events in the window, up to `limits.filterAtLeastMax`. */
  readonly count?: number;
  readonly createdMs?: Millis;
  /** For a condition on a channel: an enabled device that is not opted out reaches the person. */
  readonly devices?: readonly ExplainedDevice[];
}

export interface ExplainedDevice {
  readonly id: string;
  readonly enabled: boolean;
  readonly disabledReason?: string;
  /** Its address is suppressed. */
  readonly optedOut: boolean;
}

/** A condition or group of a filter. */
export interface FilterPart {
  readonly path: string;
  /** People who match it alone. */
  readonly count: number;
  /** Of a member of an `all` group: people who match it and the members before it. */
  readonly left: number | null;
}

/** A campaign that is not over, or a journey that the segment triggers. */
export interface SegmentUse {
  readonly kind: 'campaign' | 'journey';
  readonly id: string;
  readonly name: string;
  readonly state: string;
}

export interface ChannelReach {
  readonly channel: ChannelId;
  readonly reachable: number;
}

export interface SegmentsProtocol {
  'segment.create': { body: Caller & { name: string; filter: unknown }; reply: SegmentRecord };
  /** Under the name `Copy of …`, or the one given. */
  'segment.duplicate': { body: Caller & { id: string; name?: string }; reply: SegmentRecord };
  'segment.read': { body: Caller & { id: string }; reply: SegmentRecord };
  'segment.update': {
    body: Caller & { id: string; name?: string; filter?: unknown };
    reply: SegmentRecord;
  };
  'segment.delete': { body: Caller & { id: string }; reply: null };
  /** The first of them, and how many there are. */
  'segment.uses': {
    body: Caller & { id: string };
    reply: { readonly items: readonly SegmentUse[]; readonly total: number };
  };
  'segment.list': { body: Caller; reply: readonly SegmentRecord[] };
  /** What to read before `segments.of_person` can be answered. */
  'segments.uncounted_of': { body: Caller & { ref: PersonRef }; reply: UncountedTimes };
  /** All segments of the app, and whether the person matches each now. */
  'segments.of_person': {
    body: Caller & { ref: PersonRef; times?: CountedTimes };
    reply: readonly PersonInSegment[];
  };
  /** What to read before the filter can be answered; for one person, if named. */
  'segment.uncounted': {
    body: Caller & { asked: FilterRef; ref?: PersonRef };
    reply: UncountedTimes;
  };
  'segment.preview': {
    body: Caller & {
      asked: FilterRef;
      sample: number;
      parts?: boolean;
      reach?: boolean;
      times?: CountedTimes;
    };
    reply: {
      count: number;
      total: number;
      sample: readonly SubscriberView[];
      /** If asked for. */
      parts?: readonly FilterPart[];
      reach?: readonly ChannelReach[];
    };
  };
  /** In the order of their ordinals, as of the page. */
  'segment.members': {
    body: Caller & {
      asked: FilterRef;
      externalUserId?: string;
      address?: string;
      /** `address` must be a phone number. */
      isPhone?: true;
      channel?: ChannelId;
      times?: CountedTimes;
    } & OrderedPage;
    reply: CountedPage<SubscriberView>;
  };
  'segment.explain': {
    body: Caller & { asked: FilterRef; ref: PersonRef; times?: CountedTimes };
    reply: { matches: boolean; conditions: readonly ExplainedCondition[] };
  };
}

export interface SearchProtocol {
  /** Without `asked`: everyone. */
  /** Prepares some values for a search by name; how many wait after that. */
  'people.fold_names': { body: Caller; reply: { readonly waiting: number } };
  'people.search': {
    body: Caller & {
      asked?: FilterRef;
      times?: CountedTimes;
      /** Only these people. */
      ids?: readonly string[];
      /** Words of a name, the beginning of an external id or of an id, or a whole address. */
      q?: string;
      order: 'newest' | 'oldest' | 'lastActive';
      offset: number;
      limit: number;
      /** The tags to show; absent for all. */
      tags?: readonly string[];
    };
    reply: { readonly items: readonly SubscriberView[]; readonly total: number };
  };
}

/** How segments are followed, and what followers get. */
/** A name that an app has a column for. */
interface NameView {
  readonly name: string;
  /** Whether a call with a key, a filter or a journey has used it. */
  readonly vouched: boolean;
  /** A filter or journey that uses it. */
  readonly usedBy: string | null;
}

export interface NamesProtocol {
  /** By name. */
  'names.list': {
    body: Caller & { of: 'events' | 'tags'; limit: number; after?: string };
    reply: { readonly items: readonly NameView[]; readonly nextCursor: string | null };
  };
  'names.drop_event': { body: Caller & { name: string }; reply: null };
  /** Drops it from some people; ask again until it is done. */
  'names.drop_tag': { body: Caller & { name: string }; reply: { readonly isDone: boolean } };
  'names.trim': { body: Caller; reply: null };
}

/** A value, or an element of lists, and how many people have it. */
export interface ValueUse {
  readonly value: TagScalar;
  readonly people: number;
}

/** A tag as a filter may use it. */
export interface TagField {
  readonly key: string;
  readonly types: readonly TagType[];
  readonly people: number;
  /** Empty for a tag of more than `limits.fieldValuesMax` values. */
  readonly top: readonly ValueUse[];
}

/** Of the events that are kept. */
export interface EventField {
  readonly name: string;
  readonly people: number;
  readonly lastMs: Millis;
}

export interface FieldsProtocol {
  /** The names of most people, and how many people each channel reaches. */
  'fields.names': {
    body: Caller;
    reply: {
      readonly tags: readonly string[];
      readonly events: readonly string[];
      readonly channels: readonly ChannelReach[];
    };
  };
  /** Of the first `handled` keys; ask again for the rest. Leaves out what is gone. */
  'fields.tags': {
    body: Caller & { keys: readonly string[] };
    reply: { readonly handled: number; readonly tags: readonly TagField[] };
  };
  'fields.events': {
    body: Caller & { names: readonly string[] };
    reply: { readonly handled: number; readonly events: readonly EventField[] };
  };
}

export interface MembershipProtocol {
  /** Follows a segment from now on. Current members are not emitted as a change. */
  'segment.watch': {
    body: Caller & { asked: { segmentId: string }; follower: string; times?: CountedTimes };
    reply: null;
  };
  'segment.unwatch': { body: Caller & { segmentId: string; follower: string }; reply: null };
  /** People who may have entered or left since the last review. */
  'segment.review': { body: Caller & { reviews: readonly Review[] }; reply: null };
  /** Reviews everyone: after a start, and when the filter or its columns changed. */
  'segment.reconcile': { body: Caller & { segmentId: string }; reply: null };
  /** Who entered and left, in the turn that wrote it; or who is proven to have entered before. */
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

export interface Review {
  readonly segmentId: string;
  readonly people: readonly PersonOrdinal[];
  /** Those of them who appear only in calls without proof. */
  readonly unproven?: readonly PersonOrdinal[];
  /** Those of them who were held back as unproven, and are proven now. */
  readonly proven?: readonly PersonOrdinal[];
}

/** What changed of one person. A `null` tag was removed; `reach` has one bit per channel. */
export interface TraitChange extends ContactChange {
  readonly person: PersonOrdinal;
  readonly tags?: Readonly<Record<string, TagValue | null>>;
  readonly reach?: number;
}

export type SegmentsEntry =
  | (Entry & {
      readonly kind: 'traits.changed';
      readonly people: readonly TraitChange[];
      /** By how many bytes people's tags and devices grew; absent for none. */
      readonly grewBytes?: Bytes;
      /** By a call without an API key. */
      readonly keyless?: true;
      /** By a client without proof of who it is. */
      readonly unproven?: true;
    })
  /** Names that somebody vouched for, and columns that go. */
  | (Entry & { readonly kind: 'names.changed'; readonly vouched: Names; readonly dropped: Names })
  | (Entry & { readonly kind: 'segment.saved'; readonly segment: SegmentRecord })
  | (Entry & { readonly kind: 'segment.deleted'; readonly id: string })
  /** `members`: a `Bitset.snapshot`; with the first follower only. */
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
      /** Whose entering the followers do not hear of, until it is proven. */
      readonly unproven?: readonly PersonOrdinal[];
      readonly proven?: readonly PersonOrdinal[];
    });
