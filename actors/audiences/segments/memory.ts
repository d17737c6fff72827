// Segments, followed segments, and the columns of people for filters and policy; and what segments
// see of a partition's memory.

import type { Bytes } from '../../../engine/base/brand.ts';
import type { AppsOf, NewApp, Slice } from '../../area.ts';
import type { EventsReads } from '../../events/reads.ts';
import type { Listable } from '../../people/audience/people-page.ts';
import type { AudienceReads } from '../../people/audience/reads.ts';
import type { TopicsReads } from '../../people/topics/reads.ts';
import type { AccountsReads } from '../../tenants/accounts/reads.ts';
import { WeighedMap } from '../../weight.ts';
import { ContactFacts, type ContactFactsSnapshot } from './contact-facts.ts';
import type { Filter } from './filter.ts';
import type { SegmentRecord } from './protocol.ts';
import { Traits, type TraitsSnapshot } from './traits.ts';
import { UnvouchedNames, type UnvouchedNamesSnapshot } from './unvouched-names.ts';
import { snapshotsOf, type Watch, type WatchSnapshot, watchesOf } from './watches.ts';

export interface SegmentsApp {
  readonly segments: WeighedMap<SegmentRecord>;
  readonly watches: Map<string, Watch>;
  readonly traits: Traits;
  readonly contact: ContactFacts;
  readonly unvouched: UnvouchedNames;
}

interface Snapshot {
  readonly segments: readonly SegmentRecord[];
  readonly watches: readonly WatchSnapshot[];
  readonly traits: TraitsSnapshot;
  readonly contact: ContactFactsSnapshot;
  /** Absent from before it was noted. */
  readonly unvouched?: UnvouchedNamesSnapshot;
}

export const segmentsOfApp: Slice<SegmentsApp, Snapshot, NewApp> = {
  make: () => ({
    segments: segmentsFrom([]),
    watches: new Map(),
    traits: new Traits(),
    contact: new ContactFacts(),
    unvouched: new UnvouchedNames(),
  }),
  snapshot: ({ segments, watches, traits, contact, unvouched }) => ({
    segments: [...segments.values()],
    watches: snapshotsOf(watches),
    traits: traits.snapshot(),
    contact: contact.snapshot(),
    unvouched: unvouched.snapshot(),
  }),
  restore: ({ segments, watches, traits, contact, unvouched }) => ({
    segments: segmentsFrom(segments),
    watches: watchesOf(watches),
    traits: Traits.restore(traits),
    contact: ContactFacts.restore(contact),
    unvouched: UnvouchedNames.restore(unvouched),
  }),
};

function segmentsFrom(records: readonly SegmentRecord[]): WeighedMap<SegmentRecord> {
  const segments = new WeighedMap<SegmentRecord>((record) => record);
  for (const record of records) segments.set(record.id, record);
  return segments;
}

export type SegmentsView = SegmentsApp &
  AccountsReads &
  AudienceReads &
  TopicsReads &
  EventsReads &
  RecordsCounted &
  Pick<Listable, 'resting'> &
  FilterHolders;

/** The meter's count of what is stored. */
interface RecordsCounted {
  readonly stored: { addRecords(bytes: Bytes): void };
}

export type SegmentsMemory = AppsOf<SegmentsView>;

/** Other areas that keep filters or use segments; they lie below. */
interface FilterHolders {
  readonly flags: ReadonlyMap<
    string,
    { readonly record: { readonly key: string; readonly filter?: Filter } }
  >;
  readonly inApp: { records(): Iterable<{ readonly id: string; readonly filter?: Filter }> };
  readonly campaigns: {
    unfinished(): Iterable<CampaignUser>;
    usersOfSegment(segmentId: string): readonly CampaignUser[];
  };
  readonly journeys: {
    filters(): Iterable<{ readonly filter: Filter; readonly what: string }>;
    userOfSegment(segmentId: string): string | undefined;
    recordsOfSegment(segmentId: string): readonly JourneyUser[];
    /** Who waits for an event of this name. */
    readonly listeners: { to(name: string): unknown };
  };
}

interface JourneyUser {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
}

interface CampaignUser {
  readonly record: {
    readonly id: string;
    readonly name: string;
    readonly state: string;
    readonly filter?: Filter;
  };
  readonly what: string;
}
