// An app's people and opt-outs in memory.

import type { NewApp, Slice } from '../../area.ts';
import { Doubts, type DoubtsSnapshot } from './doubts.ts';
import { People, type PeopleSnapshot } from './people.ts';

export interface AudienceApp {
  readonly people: People;
  /** Identity keys (`phone:+66…`, `email:…`) that have opted out of everything. */
  readonly suppressions: Set<string>;
  /** Identity keys that have opted out of marketing alone; none is among `suppressions`. */
  readonly marketingOptOuts: Set<string>;
  /** Texts that may be opt-outs. */
  readonly doubts: Doubts;
  /** The minute in which people created without an API key are counted, and their count. */
  keylessMinute: number;
  keylessCreated: number;
}

type Snapshot = Omit<AudienceApp, 'people' | 'suppressions' | 'marketingOptOuts' | 'doubts'> & {
  readonly people: PeopleSnapshot;
  readonly suppressions: readonly string[];
  /** Absent in checkpoints of earlier builds. */
  readonly marketingOptOuts?: readonly string[];
  /** Absent in checkpoints of earlier builds. */
  readonly doubts?: DoubtsSnapshot;
};

export const audienceOfApp: Slice<AudienceApp, Snapshot, NewApp> = {
  make: ({ tableKey }) => ({
    people: new People(tableKey),
    suppressions: new Set(),
    marketingOptOuts: new Set(),
    doubts: new Doubts(),
    keylessMinute: 0,
    keylessCreated: 0,
  }),
  snapshot: ({
    people,
    suppressions,
    marketingOptOuts,
    doubts,
    keylessMinute,
    keylessCreated,
  }) => ({
    people: people.snapshot(),
    suppressions: [...suppressions],
    marketingOptOuts: [...marketingOptOuts],
    doubts: doubts.snapshot(),
    keylessMinute,
    keylessCreated,
  }),
  restore: (
    { people, suppressions, marketingOptOuts, doubts, keylessMinute, keylessCreated },
    { tableKey },
  ) => ({
    people: People.restore(people, tableKey),
    suppressions: new Set(suppressions),
    marketingOptOuts: new Set(marketingOptOuts),
    doubts: Doubts.restore(doubts),
    keylessMinute,
    keylessCreated,
  }),
};
