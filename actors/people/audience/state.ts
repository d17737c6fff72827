// An app's people and opt-outs in memory.

import type { NewApp, Slice } from '../../area.ts';
import { People, type PeopleSnapshot } from './people.ts';

export interface AudienceApp {
  readonly people: People;
  /** Identity keys (`phone:+66…`, `email:…`) that have opted out. */
  readonly suppressions: Set<string>;
  /** The minute in which people created without an API key are counted, and their count. */
  keylessMinute: number;
  keylessCreated: number;
}

type Snapshot = Omit<AudienceApp, 'people' | 'suppressions'> & {
  readonly people: PeopleSnapshot;
  readonly suppressions: readonly string[];
};

export const audienceOfApp: Slice<AudienceApp, Snapshot, NewApp> = {
  make: ({ tableKey }) => ({
    people: new People(tableKey),
    suppressions: new Set(),
    keylessMinute: 0,
    keylessCreated: 0,
  }),
  snapshot: ({ people, suppressions, keylessMinute, keylessCreated }) => ({
    people: people.snapshot(),
    suppressions: [...suppressions],
    keylessMinute,
    keylessCreated,
  }),
  restore: ({ people, suppressions, keylessMinute, keylessCreated }, { tableKey }) => ({
    people: People.restore(people, tableKey),
    suppressions: new Set(suppressions),
    keylessMinute,
    keylessCreated,
  }),
};
