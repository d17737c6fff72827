// What people see of a partition's memory.

import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { AppsOf } from '../../area.ts';
import type { AccountsReads } from '../../tenants/accounts/reads.ts';
import type { SendsNamed } from './about-send.ts';
import type { Listable } from './people-page.ts';
import type { AudienceApp } from './state.ts';
import type { UpsertReads } from './upsert.ts';

export type AudienceView = AudienceApp &
  Listable &
  Pick<AccountsReads, 'settings'> &
  UpsertReads &
  SendsNamed & { readonly traits: PeopleColumns; readonly monthlyActive: Vouched };

export type AudienceMemory = AppsOf<AudienceView>;

/** The meter. */
interface Vouched {
  noteUnvouched(person: PersonOrdinal): void;
  vouch(person: PersonOrdinal): void;
  isUnvouched(person: PersonOrdinal): boolean;
}

/** The columns that filters use; their house lies below. */
interface PeopleColumns {
  addPerson(person: PersonOrdinal, createdMs: Millis): void;
}
