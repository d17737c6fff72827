// An app's people and opt-outs in memory; and what people see of a partition's memory.

import type { Bytes, Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { TagValue } from '../../../storage/tables/subscriber.ts';
import type { AppsOf, NewApp, Slice } from '../../area.ts';
import type { AccountsReads } from '../../tenants/accounts/reads.ts';
import type { SendsNamed } from '../about-send.ts';
import { Doubts, type DoubtsSnapshot } from './doubts.ts';
import { EndpointIndex, type EndpointIndexSnapshot } from './endpoint-index.ts';
import { People, type PeopleSnapshot } from './people.ts';
import type { Listable } from './people-page.ts';
import type { CodedColumn, ImportedEntry } from './protocol.ts';
import type { UpsertReads } from './upsert.ts';

export interface AudienceApp {
  readonly people: People;
  /** Who has which address. */
  readonly endpoints: EndpointIndex;
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

type Plain = 'keylessMinute' | 'keylessCreated';

type Snapshot = Pick<AudienceApp, Plain> & {
  readonly people: PeopleSnapshot;
  /** Absent in checkpoints of earlier builds. */
  readonly endpoints?: EndpointIndexSnapshot;
  readonly suppressions: readonly string[];
  /** Absent in checkpoints of earlier builds. */
  readonly marketingOptOuts?: readonly string[];
  /** Absent in checkpoints of earlier builds. */
  readonly doubts?: DoubtsSnapshot;
};

export const audienceOfApp: Slice<AudienceApp, Snapshot, NewApp> = {
  make: ({ tableKey }) => ({
    people: new People(tableKey),
    endpoints: new EndpointIndex(),
    suppressions: new Set(),
    marketingOptOuts: new Set(),
    doubts: new Doubts(),
    keylessMinute: 0,
    keylessCreated: 0,
  }),
  snapshot: ({
    people,
    endpoints,
    suppressions,
    marketingOptOuts,
    doubts,
    keylessMinute,
    keylessCreated,
  }) => ({
    people: people.snapshot(),
    endpoints: endpoints.snapshot(),
    suppressions: [...suppressions],
    marketingOptOuts: [...marketingOptOuts],
    doubts: doubts.snapshot(),
    keylessMinute,
    keylessCreated,
  }),
  restore: (
    { people, endpoints, suppressions, marketingOptOuts, doubts, keylessMinute, keylessCreated },
    { tableKey },
  ) => ({
    people: People.restore(people, tableKey),
    endpoints: EndpointIndex.restore(endpoints),
    suppressions: new Set(suppressions),
    marketingOptOuts: new Set(marketingOptOuts),
    doubts: Doubts.restore(doubts),
    keylessMinute,
    keylessCreated,
  }),
};

export type AudienceView = AudienceApp &
  Listable &
  Pick<AccountsReads, 'record' | 'settings'> &
  UpsertReads &
  SendsNamed &
  PeopleColumns & { readonly monthlyActive: Vouched };

export type AudienceMemory = AppsOf<AudienceView>;

/** The meter. */
interface Vouched {
  noteUnvouched(person: PersonOrdinal): void;
  vouch(person: PersonOrdinal): void;
  isUnvouched(person: PersonOrdinal): boolean;
}

/** The columns that filters use, and the meter; their houses lie below. */
interface PeopleColumns {
  readonly traits: {
    addPerson(person: PersonOrdinal, createdMs: Millis): void;
    addTag(name: string, people: Uint32Array, column: CodedColumn<TagValue>): void;
    addReach(people: Uint32Array, reach: Uint16Array): void;
  };
  readonly contact: {
    addAll(
      people: Uint32Array,
      contact: Pick<ImportedEntry, 'zones' | 'preferred' | 'several' | 'optedOut'>,
    ): void;
  };
  readonly unvouched: {
    noteTags(changed: object, known: ReadonlyMap<string, unknown>, isKeyless: boolean): void;
  };
  readonly stored: { addRecords(bytes: Bytes): void };
}
