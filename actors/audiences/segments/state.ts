// What memory holds of saved filters, of who is in those that somebody follows, and of what filters
// and policy ask about people.

import type { NewApp, Slice } from '../../area.ts';
import { ContactFacts, type ContactFactsSnapshot } from './contact-facts.ts';
import type { SegmentRecord } from './protocol.ts';
import { Traits, type TraitsSnapshot } from './traits.ts';
import { snapshotsOf, type Watch, type WatchSnapshot, watchesOf } from './watches.ts';

export interface SegmentsApp {
  /** Saved filters, by id. */
  readonly segments: Map<string, SegmentRecord>;
  /** Segments whose membership somebody follows, by id. */
  readonly watches: Map<string, Watch>;
  /** What filters ask about, by column. */
  readonly traits: Traits;
  /** What policy asks about people beside that. */
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
