// Segments, followed segments, and the columns of people for filters and policy.

import type { NewApp, Slice } from '../../area.ts';
import { ContactFacts, type ContactFactsSnapshot } from './contact-facts.ts';
import type { SegmentRecord } from './protocol.ts';
import { Traits, type TraitsSnapshot } from './traits.ts';
import { snapshotsOf, type Watch, type WatchSnapshot, watchesOf } from './watches.ts';

export interface SegmentsApp {
  readonly segments: Map<string, SegmentRecord>;
  readonly watches: Map<string, Watch>;
  readonly traits: Traits;
  readonly contact: ContactFacts;
}

interface Snapshot {
  readonly segments: readonly SegmentRecord[];
  readonly watches: readonly WatchSnapshot[];
  readonly traits: TraitsSnapshot;
  readonly contact: ContactFactsSnapshot;
}

export const segmentsOfApp: Slice<SegmentsApp, Snapshot, NewApp> = {
  make: () => ({
    segments: new Map(),
    watches: new Map(),
    traits: new Traits(),
    contact: new ContactFacts(),
  }),
  snapshot: ({ segments, watches, traits, contact }) => ({
    segments: [...segments.values()],
    watches: snapshotsOf(watches),
    traits: traits.snapshot(),
    contact: contact.snapshot(),
  }),
  restore: ({ segments, watches, traits, contact }) => ({
    segments: new Map(segments.map((segment) => [segment.id, segment])),
    watches: watchesOf(watches),
    traits: Traits.restore(traits),
    contact: ContactFacts.restore(contact),
  }),
};
