// What segments see of a partition's memory.

import type { Bytes } from '../../../engine/base/brand.ts';
import type { AppsOf } from '../../area.ts';
import type { EventsReads } from '../../events/reads.ts';
import type { AudienceReads } from '../../people/audience/reads.ts';
import type { AccountsReads } from '../../tenants/accounts/reads.ts';
import type { Filter } from './filter.ts';
import type { SegmentsApp } from './state.ts';

export type SegmentsView = SegmentsApp &
  AccountsReads &
  AudienceReads &
  EventsReads &
  RecordsCounted &
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
