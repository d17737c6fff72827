// What events see of a partition's memory.

import type { Millis, PersonOrdinal } from '../../engine/base/brand.ts';
import type { Aged, AppsOf } from '../area.ts';
import type { AudienceFolds } from '../people/audience/folds.ts';
import type { TokenReads } from '../people/audience/read-token.ts';
import type { AudienceReads } from '../people/audience/reads.ts';
import type { AccountsReads } from '../tenants/accounts/reads.ts';
import type { EventsApp, EventsPartition } from './state.ts';

export type EventsView = EventsApp &
  AccountsReads &
  AudienceReads &
  AudienceFolds &
  TokenReads & { readonly traits: EventNames; readonly unvouched: UnvouchedTags };

export type EventsMemory = AppsOf<EventsView> & EventsPartition & Aged;

interface UnvouchedTags {
  readonly tags: ReadonlySet<string>;
}

interface EventNames {
  readonly events: ReadonlyMap<string, unknown>;
  readonly tags: ReadonlyMap<string, unknown>;
  addPerson(person: PersonOrdinal, createdMs: Millis): void;
}
