// Event state: an app's next event seq, and the ids seen lately; and what events see of a
// partition's memory.

import type { Millis, PersonOrdinal } from '../../engine/base/brand.ts';
import { ExpiringSet, type ExpiringSetSnapshot } from '../../engine/base/expiring-set.ts';
import type { HashKey } from '../../engine/base/hash.ts';
import type { Aged, AppsOf, NewApp, Part, Slice } from '../area.ts';
import { limits } from '../limits.ts';
import type { AudienceFolds } from '../people/audience/folds.ts';
import type { TokenReads } from '../people/audience/read-token.ts';
import type { AudienceReads } from '../people/audience/reads.ts';
import type { TopicsReads } from '../people/topics/reads.ts';
import type { AccountsReads } from '../tenants/accounts/reads.ts';

export interface EventsApp {
  /** The next stored event's seq; gapless in the app. */
  nextEvent: number;
}

export interface EventsPartition {
  /** Keys event id hashes; drawn once, at the partition's founding. */
  eventIdKey: HashKey | undefined;
  eventIds: ExpiringSet;
}

export const eventsOfApp: Slice<EventsApp, EventsApp, NewApp> = {
  make: () => ({ nextEvent: 1 }),
  snapshot: ({ nextEvent }) => ({ nextEvent }),
  restore: ({ nextEvent }) => ({ nextEvent }),
};

export const eventsOfPartition: Slice<
  EventsPartition,
  { readonly eventIdKey: HashKey | null },
  object
> = {
  make: () => ({ eventIdKey: undefined, eventIds: new ExpiringSet(limits.eventIdsMax) }),
  snapshot: ({ eventIdKey }) => ({ eventIdKey: eventIdKey ?? null }),
  restore: ({ eventIdKey }) => ({
    eventIdKey: eventIdKey ?? undefined,
    eventIds: new ExpiringSet(limits.eventIdsMax),
  }),
};

export const eventIdsPart: Part<EventsPartition> = {
  name: 'event-ids',
  snapshot: ({ eventIds }) => eventIds.snapshot(),
  restore: (state, value) => {
    state.eventIds = ExpiringSet.restore(value as ExpiringSetSnapshot);
  },
};

export type EventsView = EventsApp &
  AccountsReads &
  AudienceReads &
  AudienceFolds &
  TopicsReads &
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
