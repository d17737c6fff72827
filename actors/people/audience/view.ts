// What people see of a partition's memory.

import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { AppsOf } from '../../area.ts';
import type { Listable } from './people-page.ts';
import type { AudienceApp } from './state.ts';
import type { UpsertReads } from './upsert.ts';

/** Of an app. */
export type AudienceView = AudienceApp &
  Listable &
  UpsertReads & { readonly traits: PeopleColumns };

/** Of a partition. */
export type AudienceMemory = AppsOf<AudienceView>;

/** The columns that filters ask; they lie in a house below. */
interface PeopleColumns {
  addPerson(person: PersonOrdinal, createdMs: Millis): void;
}
