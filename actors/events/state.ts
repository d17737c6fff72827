// Event state: an app's next event seq, and the ids seen lately.

import { ExpiringSet, type ExpiringSetSnapshot } from '../../engine/base/expiring-set.ts';
import type { HashKey } from '../../engine/base/hash.ts';
import type { NewApp, Part, Slice } from '../area.ts';
import { limits } from '../limits.ts';

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
