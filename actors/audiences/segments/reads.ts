// What other areas read of segments and of the columns that filters use.

import type { ContactFacts } from './contact-facts.ts';
import type { SegmentRecord } from './protocol.ts';
import type { Traits } from './traits.ts';
import type { Watch } from './watches.ts';

export type TraitsReads = Readonly<
  Pick<
    Traits,
    | 'activity'
    | 'alive'
    | 'counted'
    | 'created'
    | 'events'
    | 'goneBeforeMs'
    | 'next'
    | 'reach'
    | 'reachOn'
    | 'tags'
    | 'timesOf'
    | 'withTimes'
  >
>;

type ContactReads = Pick<
  ContactFacts,
  | 'hasOptedOut'
  | 'hasSeveral'
  | 'optedOutOn'
  | 'preferred'
  | 'zoneCode'
  | 'zoneName'
  | 'zonesOfPeople'
>;

export interface SegmentsReads {
  readonly segments: ReadonlyMap<string, SegmentRecord>;
  readonly watches: ReadonlyMap<string, Watch>;
  readonly traits: TraitsReads;
  readonly contact: ContactReads;
}
