// Segments, followed segments, and the columns of people for filters and policy.

import type { NewApp, Slice } from '../../area.ts';
import { WeighedMap } from '../../weight.ts';
import { ContactFacts, type ContactFactsSnapshot } from './contact-facts.ts';
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
